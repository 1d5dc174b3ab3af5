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
    /// Replays jobs that come in order of submission.
    pub fn replay(&self, jobs: impl Iterator<Item = TracedJob>, observer: &mut impl Observer) -> Measured {
        let begun = Instant::now();
        let (predictor, foresight) = self.predictor.build(self.correction, self.propagate);
        let replay = Replay::new(jobs, self.machine, self.overrun, self.predictor.needs_limit());
        let mut replay = replay.overheard_by(foresight);
        let mut cluster = Cluster::new(self.machine, self.rules, predictor, self.policy.build(self.machine));
        let mut measures = Measures::new(self.machine, self.slowdown_threshold);
        simulate(&mut replay, &mut cluster, &mut (&mut measures, observer));
        let elapsed = begun.elapsed();
        Measured { summary: measures.summary(), dropped: replay.dropped(), elapsed }
    }
}
