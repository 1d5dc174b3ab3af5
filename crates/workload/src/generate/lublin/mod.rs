//! The workload model of Lublin and Feitelson: an endless stream of rigid jobs.
//!
//! For: sizes, run times and arrivals as they were on the supercomputers of the nineties: many serial jobs and
//! powers of two, run times that grow with the size, arrivals that follow the time of day. Constant memory; the
//! generator passed in decides everything.
//!
//! Not for: users, limits and programs. The model has none, so these fields are unknown; nor is there a week, only
//! a day. [`Time`] zero is midnight.
//!
//! Source: U. Lublin and D. G. Feitelson, "The workload on parallel supercomputers: modeling the characteristics of
//! rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003, as the authors programmed it: procedure and
//! numbers are those of their `lublin99.c` in the Parallel Workloads Archive. We differ from the program in two
//! things. It cuts every gap between jobs to whole seconds, so that its clock falls behind its own daily cycle by
//! hours in a few ten thousand jobs; here the cycle and the clock are one. It may draw jobs wider than a machine that
//! is not a power of two; here they are narrowed to fit.
//!
//! ```
//! use queuecast_workload::Machine;
//! use queuecast_workload::generate::lublin::{Kinds, LublinJobs};
//! use rand::SeedableRng;
//! use rand_pcg::Pcg64;
//!
//! let machine = Machine { processors: 128 };
//! let jobs = LublinJobs::new(machine, Kinds::Both, Pcg64::seed_from_u64(1))?;
//! assert!(jobs.take(1_000).all(|job| machine.can_hold(job.submission.request)));
//! # Ok::<(), queuecast_workload::generate::lublin::ParameterError>(())
//! ```

mod arrivals;
mod load;
mod parameters;
mod run_times;
mod sizes;

pub use parameters::{
    ArrivalParameters, GammaParameters, KindParameters, Kinds, ParameterError, RunTimeParameters, SizeParameters,
};

use rand_pcg::Pcg64;

use crate::{JobId, Machine, QueueId, Recorded, Request, Status, Submission, Time, TracedJob};
use arrivals::Arrivals;
use run_times::RunTimes;
use sizes::Sizes;

/// An endless stream of jobs, in order of submission. It ends only where time does, at [`Time::MAX`].
#[derive(Clone, Debug)]
pub struct LublinJobs {
    generator: Pcg64,
    kinds: Vec<Kind>,
    handed_out: u64,
}

/// One kind of jobs, and when its next job arrives.
#[derive(Clone, Debug)]
struct Kind {
    queue: Option<QueueId>,
    sizes: Sizes,
    run_times: RunTimes,
    arrivals: Arrivals,
    next: Time,
}

impl LublinJobs {
    /// Jobs of the given kinds for `machine`, with the published parameters.
    pub fn new(machine: Machine, kinds: Kinds, generator: Pcg64) -> Result<Self, ParameterError> {
        Self::with_parameters(machine, &KindParameters::published(machine, kinds), generator)
    }

    /// Jobs of the given kinds that offer this load to `machine` in the long run: with the published parameters but for
    /// the gaps between jobs, see [`KindParameters::at_load`].
    pub fn with_load(machine: Machine, kinds: Kinds, load: f64, generator: Pcg64) -> Result<Self, ParameterError> {
        let published = KindParameters::published(machine, kinds);
        Self::with_parameters(machine, &KindParameters::at_load(machine, &published, load)?, generator)
    }

    /// Jobs of any kinds, each arriving independently of the others. Of jobs that arrive in the same second, those
    /// of the kind given first come first.
    pub fn with_parameters(
        machine: Machine,
        kinds: &[KindParameters],
        mut generator: Pcg64,
    ) -> Result<Self, ParameterError> {
        if machine.processors == 0 {
            return Err(ParameterError::NoProcessors);
        }
        if kinds.is_empty() {
            return Err(ParameterError::NoKinds);
        }
        let kinds = kinds.iter().map(|kind| Kind::new(machine, kind, &mut generator)).collect::<Result<_, _>>()?;
        Ok(Self { generator, kinds, handed_out: 0 })
    }
}

impl Kind {
    fn new(machine: Machine, parameters: &KindParameters, generator: &mut Pcg64) -> Result<Self, ParameterError> {
        parameters.check()?;
        let mut arrivals = Arrivals::new(&parameters.arrivals)?;
        let next = arrivals.draw(generator);
        Ok(Self {
            queue: parameters.queue,
            sizes: Sizes::new(parameters.sizes, machine),
            run_times: RunTimes::new(&parameters.run_times)?,
            arrivals,
            next,
        })
    }
}

impl Iterator for LublinJobs {
    type Item = TracedJob;

    fn next(&mut self) -> Option<TracedJob> {
        let kind = self.kinds.iter_mut().min_by_key(|kind| kind.next).expect("at least one kind was asked for");
        let submitted = kind.next;
        if submitted > Time::MAX {
            return None;
        }
        kind.next = kind.arrivals.draw(&mut self.generator);
        let processors = kind.sizes.draw(&mut self.generator);
        let run = kind.run_times.draw(processors, &mut self.generator);
        let job = JobId(self.handed_out);
        self.handed_out += 1;
        Some(TracedJob {
            number: self.handed_out.try_into().expect("time ends before the numbers do"),
            submission: Submission {
                job,
                submitted,
                request: Request { processors },
                limit: None,
                user: None,
                group: None,
                program: None,
                queue: kind.queue,
                partition: None,
            },
            recorded: Recorded { wait: None, run, status: Status::Completed },
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    const PAPERS: Machine = Machine { processors: 128 };

    fn jobs(machine: Machine, kinds: Kinds, seed: u64) -> LublinJobs {
        LublinJobs::new(machine, kinds, Pcg64::seed_from_u64(seed)).expect("the published parameters are sound")
    }

    #[test]
    fn the_seed_decides() {
        for kinds in Kinds::ALL {
            assert!(jobs(PAPERS, kinds, 1).take(10_000).eq(jobs(PAPERS, kinds, 1).take(10_000)));
            assert!(!jobs(PAPERS, kinds, 1).take(10).eq(jobs(PAPERS, kinds, 2).take(10)));
        }
    }

    #[test]
    fn the_jobs_of_a_seed_stay_the_same_when_dependencies_are_updated() {
        let first = |kinds| -> Vec<(i64, u32, i64)> {
            let parts =
                |job: TracedJob| (job.submission.submitted.0, job.submission.request.processors, job.recorded.run.0);
            jobs(PAPERS, kinds, 1).skip(1_000).take(3).map(parts).collect()
        };
        assert_eq!(first(Kinds::Batch), [(2_645_237, 8, 31), (2_645_389, 4, 14), (2_645_446, 8, 13_566)]);
        assert_eq!(first(Kinds::Both), [(991_897, 4, 24), (991_911, 1, 71), (991_921, 8, 135)]);
    }

    #[test]
    fn every_job_fits_its_machine_and_runs_at_least_a_second_and_at_most_two_days() {
        for processors in [1, 2, 3, 8, 100, 128, 1_000, 163_840, u32::MAX] {
            let machine = Machine { processors };
            for kinds in Kinds::ALL {
                for job in jobs(machine, kinds, 3).take(20_000) {
                    assert!((1..=processors).contains(&job.submission.request.processors), "{machine:?} {job:?}");
                    assert!((1..=162_754).contains(&job.recorded.run.0), "{machine:?} {job:?}");
                }
            }
        }
    }

    #[test]
    fn jobs_come_in_order_of_submission_numbered_from_one() {
        let jobs: Vec<TracedJob> = jobs(PAPERS, Kinds::Both, 4).take(100_000).collect();
        assert!(jobs.is_sorted_by_key(|job| job.submission.submitted));
        assert!(jobs.iter().zip(0..).all(|(job, place)| job.submission.job == JobId(place)));
        assert!(jobs.iter().zip(1..).all(|(job, number)| job.number == number));
    }

    #[test]
    fn the_queue_tells_interactive_jobs_from_batch_jobs_as_swf_does() {
        let queues = |kinds| {
            let mut queues: Vec<_> = jobs(PAPERS, kinds, 5).take(10_000).map(|job| job.submission.queue).collect();
            queues.sort();
            queues.dedup();
            queues
        };
        assert_eq!(queues(Kinds::Interactive), [Some(QueueId(0))]);
        assert_eq!(queues(Kinds::Batch), [Some(QueueId(1))]);
        assert_eq!(queues(Kinds::Both), [Some(QueueId(0)), Some(QueueId(1))]);
        assert_eq!(queues(Kinds::Undivided), [None]);
    }

    #[test]
    fn two_kinds_together_arrive_as_often_as_each_alone() {
        let both: Vec<TracedJob> = jobs(PAPERS, Kinds::Both, 6).take(1_000_000).collect();
        let span = both[both.len() - 1].submission.submitted;
        for (kinds, queue) in [(Kinds::Interactive, QueueId(0)), (Kinds::Batch, QueueId(1))] {
            let together = both.iter().filter(|job| job.submission.queue == Some(queue)).count() as f64;
            let alone = jobs(PAPERS, kinds, 7).take_while(|job| job.submission.submitted <= span).count() as f64;
            assert!((together / alone - 1.0).abs() < 0.06, "{kinds:?}: {together} together, {alone} alone");
        }
    }

    #[test]
    fn nothing_is_generated_from_nothing() {
        let generator = || Pcg64::seed_from_u64(1);
        let nobody = Machine { processors: 0 };
        assert_eq!(LublinJobs::new(nobody, Kinds::Both, generator()).unwrap_err(), ParameterError::NoProcessors);
        assert_eq!(LublinJobs::with_parameters(PAPERS, &[], generator()).unwrap_err(), ParameterError::NoKinds);
    }
}
