//! Synthetic load for benchmarks: any number of jobs in constant memory, the same for the same seed.
//!
//! Not for: science. The jobs have plausible widths and lengths and nothing else of a real workload; realistic
//! generators belong to `queuecast-workload`.

use queuecast_workload::{JobId, Machine, Recorded, Request, Seconds, Status, Submission, Time, TracedJob, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// An endless stream of jobs that keeps a machine about as busy as `load` says.
#[derive(Clone, Debug)]
pub struct SyntheticJobs {
    generator: Pcg64,
    machine: Machine,
    load: f64,
    clock: f64,
    next: u64,
}

impl SyntheticJobs {
    /// Jobs for `machine` at `load` (1 is as much as it can do).
    pub fn new(machine: Machine, load: f64, seed: u64) -> Self {
        Self { generator: Pcg64::seed_from_u64(seed), machine, load, clock: 0.0, next: 0 }
    }
}

impl Iterator for SyntheticJobs {
    type Item = TracedJob;

    #[expect(clippy::cast_possible_truncation, reason = "run times of hours and submissions of decades fit")]
    fn next(&mut self) -> Option<TracedJob> {
        let widest = (self.machine.processors / 4).max(1).ilog2();
        let processors = 1 << self.generator.random_range(0..=widest);
        // Log-uniform from ten seconds to ten hours.
        let run = (10.0 * 3_600_f64.powf(self.generator.random::<f64>())) as i64;
        let limit = run + (run as f64 * 9.0 * self.generator.random::<f64>()) as i64;
        let job = JobId(self.next);
        let area = f64::from(processors) * run as f64;
        self.clock += area / (f64::from(self.machine.processors) * self.load);
        self.next += 1;
        Some(TracedJob {
            number: self.next.try_into().expect("fewer than 2^63 jobs are asked for"),
            submission: Submission {
                job,
                submitted: Time(self.clock as i64),
                request: Request { processors },
                limit: Some(Seconds(limit)),
                user: Some(UserId(self.generator.random_range(0..500))),
                group: None,
                program: None,
                queue: None,
                partition: None,
            },
            recorded: Recorded { wait: None, run: Seconds(run), status: Status::Completed },
        })
    }
}
