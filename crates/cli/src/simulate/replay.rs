//! One replay: jobs, policy, predictor and rules put together.

use std::time::{Duration, Instant};

use queuecast_evaluate::{Measures, Summary};
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{Cluster, Dropped, Observer, Overrun, Replay, Rules, simulate};
use queuecast_workload::{Machine, Seconds, TracedJob};

/// Everything that decides what comes out, but the jobs.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    pub machine: Machine,
    pub policy: PolicySpecification,
    pub predictor: PredictorSpecification,
    pub correction: Correction,
    pub propagate: bool,
    pub rules: Rules,
    pub overrun: Overrun,
    pub slowdown_threshold: Seconds,
}

/// What one replay gave.
pub struct Measured {
    pub summary: Summary,
    pub dropped: Dropped,
    /// The replay itself, its measures added up on the way.
    pub elapsed: Duration,
}

impl Configuration {
    /// Replays jobs that come in order of submission, and measures what comes out.
    pub fn replay(&self, jobs: impl Iterator<Item = TracedJob>, observer: &mut impl Observer) -> Measured {
        let mut measures = Measures::new(self.machine, self.slowdown_threshold);
        let (dropped, elapsed) = self.simulate(jobs, &mut (&mut measures, observer));
        Measured { summary: measures.summary(), dropped, elapsed }
    }

    /// Only simulates, and says how long that took.
    pub fn simulate(&self, jobs: impl Iterator<Item = TracedJob>, observer: &mut impl Observer) -> (Dropped, Duration) {
        let begun = Instant::now();
        let (predictor, foresight) = self.predictor.build(self.correction, self.propagate);
        let replay = Replay::new(jobs, self.machine, self.overrun, self.predictor.needs_limit());
        let mut replay = replay.overheard_by(foresight);
        let mut cluster = Cluster::new(self.machine, self.rules, predictor, self.policy.build(self.machine));
        simulate(&mut replay, &mut cluster, observer);
        (replay.dropped(), begun.elapsed())
    }
}
