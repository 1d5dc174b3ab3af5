//! A scheduling policy of your own against EASY: whoever asks for least goes first.
//!
//! `cargo run -p queuecast-examples --bin own_policy`
//!
//! A scheduler is told what happens and asked who starts. Narrow jobs gain, and wide ones pay for it.

use queuecast_evaluate::Measures;
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::{Decisions, JobKey, PlannedJob, PolicySpecification, Scheduler, Start};
use queuecast_simulate::{Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{Machine, Recorded, Seconds, Submission, Time, TracedJob};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const MACHINE: Machine = Machine { processors: 64 };

/// Everybody who fits starts, the narrowest first.
#[derive(Default)]
struct NarrowestFirst {
    waiting: Vec<PlannedJob>,
    running: Vec<PlannedJob>,
}

impl Scheduler for NarrowestFirst {
    fn submit(&mut self, job: PlannedJob, _now: Time) {
        let narrower = |other: &PlannedJob| other.request.processors <= job.request.processors;
        self.waiting.insert(self.waiting.partition_point(narrower), job);
    }

    fn end(&mut self, key: JobKey, _now: Time) {
        self.running.retain(|job| job.key != key);
    }
    fn replan(&mut self, _key: JobKey, _planned: Seconds, _now: Time) {}
    fn withdraw(&mut self, key: JobKey, _now: Time) {
        self.waiting.retain(|job| job.key != key);
    }

    fn pass(&mut self, _now: Time, decisions: &mut Decisions) {
        let mut free = MACHINE.processors - self.running.iter().map(|job| job.request.processors).sum::<u32>();
        while let Some(job) = self.waiting.first().copied().filter(|job| job.request.processors <= free) {
            free -= job.request.processors;
            self.running.push(self.waiting.remove(0));
            decisions.starts.push(Start { key: job.key, backfilled: false });
        }
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("mean wait of jobs with         1   2 to 8   9 to 32 processors");
    report("easy", "easy".parse::<PolicySpecification>()?.build(MACHINE));
    report("narrowest first", NarrowestFirst::default());
    Ok(())
}

fn report(name: &str, scheduler: impl Scheduler) {
    let (limits, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, limits, scheduler);
    let mut measures = Measures::new(MACHINE, Seconds(10));
    simulate(Replay::new(jobs(), MACHINE, Overrun::Kill, true), &mut cluster, &mut measures);
    let hours = measures.summary().by_size.iter().map(|class| class.wait_mean / 3_600.0).collect::<Vec<f64>>();
    println!("{name:<22} {:>7.1} h {:>6.1} h {:>7.1} h", hours[0], hours[1], hours[2]);
}

/// Three thousand jobs of 1 to 32 processors that use between a tenth and all of their limit.
fn jobs() -> impl Iterator<Item = TracedJob> {
    let (mut generator, mut now) = (Pcg64::seed_from_u64(1), 0);
    (1..=3_000).map(move |number| {
        now += generator.random_range(0..1_500);
        let limit = 600 * generator.random_range(1..=24);
        let processors = 1 << generator.random_range(0..=5_u32);
        let recorded = Recorded::completed(Seconds(generator.random_range(limit / 10..=limit)));
        let submission = Submission { limit: Some(Seconds(limit)), ..Submission::new(Time(now), processors) };
        TracedJob { number, submission, recorded }
    })
}
