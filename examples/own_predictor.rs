//! A run-time predictor of your own, against the user's limit and the best simple one, by what they do to waits.
//!
//! `cargo run -p queuecast-examples --bin own_predictor`
//!
//! A model says what it would predict now and learns from jobs that have ended; [`FromHistory`] does the rest: it falls back
//! on the limit, never exceeds it, and plans anew for jobs that outlive their plan.

use std::collections::HashMap;

use queuecast_evaluate::Measures;
use queuecast_predict::{Correction, FromHistory, LimitUse, PredictorSpecification, RuntimeModel, RuntimePredictor};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{Machine, Recorded, Seconds, Submission, Time, TracedJob, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const MACHINE: Machine = Machine { processors: 64 };

/// Who asks for the same processors again does the same again: the last run time of such a job, and a tenth more.
#[derive(Default)]
struct SameAgain(HashMap<(Option<UserId>, u32), Seconds>);

impl RuntimeModel for SameAgain {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.0.get(&(job.user, job.request.processors)).map(|last| Seconds(last.0 + last.0 / 10 + 1))
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        self.0.insert((job.user, job.request.processors), run);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jobs = jobs(5_000);
    let built = |name: &str| {
        let specification: PredictorSpecification = name.parse()?;
        Ok::<_, Box<dyn std::error::Error>>(specification.build(specification.default_correction(), false).0)
    };
    println!("{:<22} {:>12} {:>18} {:>14}", "predictor", "mean wait", "bounded slowdown", "mean error");
    report("limits", built("estimate")?, &jobs)?;
    report("median of last three", built("recent:n=3,stat=median")?, &jobs)?;
    report("same again", FromHistory::new(SameAgain::default(), Correction::Raise, LimitUse::Bound), &jobs)
}

/// Replays the jobs with shortest-job-first backfilling, which makes the most of predictions.
fn report(name: &str, predictor: impl RuntimePredictor, jobs: &[TracedJob]) -> Result<(), Box<dyn std::error::Error>> {
    let policy: PolicySpecification = "easy-sjbf".parse()?;
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, predictor, policy.build(MACHINE));
    let mut measures = Measures::new(MACHINE, Seconds(10));
    simulate(Replay::new(jobs.iter().copied(), MACHINE, Overrun::Kill, true), &mut cluster, &mut measures);
    let summary = measures.summary();
    let (wait, slowdown) = (summary.wait.mean, summary.bounded_slowdown.mean);
    println!("{name:<22} {wait:>10.0} s {slowdown:>18.1} {:>12.0} s", summary.accuracy.mae);
    Ok(())
}

/// Twenty users with three habits each, who ask for six hours or for twelve whatever they run.
fn jobs(count: i64) -> Vec<TracedJob> {
    let mut generator = Pcg64::seed_from_u64(1);
    let mut now = 0;
    let mut job = |number| {
        now += generator.random_range(0..1_200);
        let (user, habit) = (generator.random_range(0..20_u32), generator.random_range(0..3_u32));
        let usual = 60_i64 << ((user * 3 + habit * 5) % 9);
        let run = Seconds(usual + generator.random_range(0..usual / 5));
        let limit = Some(Seconds(3_600 * if user % 2 == 0 { 6 } else { 12 }));
        let submission = Submission { limit, user: Some(UserId(user)), ..Submission::new(Time(now), 4 << habit) };
        TracedJob { number, submission, recorded: Recorded::completed(run) }
    };
    (1..=count).map(&mut job).collect()
}
