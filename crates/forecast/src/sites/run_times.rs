//! How long a job is expected to run at a site of speed one, learnt wherever jobs ran.
//!
//! For: weighing a wait against the speed of what comes after it. A run at a fast site counts as the longer run that it would
//! have been elsewhere, so that what was learnt at one site holds for all.
//!
//! Not for: drawing run times in futures, which forecasters do for their own site.

use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters, Workspace,
};
use queuecast_simulate::at_speed;
use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};
use rustc_hash::FxHashMap;

/// Expected run times of jobs that may run anywhere.
pub(super) struct ExpectedRunTimes {
    history: WeightedHistory,
    /// As they arrived, with limits for speed one, until they end.
    jobs: FxHashMap<JobId, Submission>,
    workspace: Workspace,
    distribution: RuntimeDistribution,
}

impl ExpectedRunTimes {
    pub(super) fn new() -> Self {
        Self {
            history: WeightedHistory::new(WeightedHistoryParameters::default()),
            jobs: FxHashMap::default(),
            workspace: Workspace::default(),
            distribution: RuntimeDistribution::default(),
        }
    }

    /// A job arrives: its mean run time in seconds, at speed one.
    pub(super) fn on_arrival(&mut self, job: &Submission, now: Time) -> f64 {
        let Self { history, workspace, distribution, .. } = self;
        history.distribution_into(job, Seconds::ZERO, now, workspace, distribution);
        history.on_arrival(job, now);
        self.jobs.insert(job.job, *job);
        self.distribution.mean()
    }

    /// It started somewhere.
    pub(super) fn on_start(&mut self, job: &Submission, now: Time) {
        if let Some(job) = self.jobs.get(&job.job) {
            self.history.on_start(job, now);
        }
    }

    /// It ended at a site of this speed.
    pub(super) fn on_end(&mut self, job: &Submission, outcome: &Outcome, speed: f64) {
        if let Some(job) = self.jobs.remove(&job.job) {
            let run = at_speed(outcome.run(), speed.recip());
            self.history.on_end(&job, &Outcome { ended: outcome.started + run, ..*outcome });
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Status;

    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn an_hour_at_a_site_twice_as_fast_is_two() {
        let expected_after = |run: i64, speed: f64| {
            let mut run_times = ExpectedRunTimes::new();
            for job in 0..50 {
                let job = submission(job, 0, 1, Some(36_000));
                run_times.on_arrival(&job, Time(0));
                let outcome = Outcome { started: Time(0), ended: Time(run), status: Status::Completed };
                run_times.on_end(&submission(job.job.0, 0, 1, Some(18_000)), &outcome, speed);
            }
            run_times.on_arrival(&submission(99, 0, 1, Some(36_000)), Time(0))
        };
        let (fast, plain) = (expected_after(3_600, 2.0), expected_after(7_200, 1.0));
        assert!((fast - plain).abs() < 1e-6, "{fast} {plain}");
        assert!((fast - 7_200.0).abs() < 1_800.0, "{fast}");
    }
}
