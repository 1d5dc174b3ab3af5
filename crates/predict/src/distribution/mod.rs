//! Distributions of run times, kept up event by event (R-O1, R-O2).
//!
//! For: whoever needs to know not how long a job is planned to run but how long it may run: forward simulation of a
//! queue, intervals, probabilities of ending by some time. A distribution costs microseconds, a draw from it
//! nanoseconds.
//!
//! Not for: one planned run time ([`crate::RuntimePredictor`]); correcting intervals that turn out too narrow
//! (`queuecast-forecast`).
//!
//! The events are those of [`crate::RuntimePredictor`], and as there nothing about the future can get in: what a job
//! did is told when it ends, and a running job says no more than how long it has run by now (R-SIM-4, R-P2).

pub mod crowd;
mod learned_weights;
mod likeness;
mod running_jobs;
mod runtime_distribution;
mod survival;
mod weighted_history;

pub use likeness::Distinctions;
pub use runtime_distribution::{Remaining, RuntimeDistribution};
pub use weighted_history::{WeightedHistory, WeightedHistoryParameters, Workspace};

use queuecast_workload::{Outcome, Seconds, Submission, Time};

/// Says how run times are spread, told only what has happened so far.
pub trait RuntimeDistributions {
    /// A job was submitted.
    fn on_arrival(&mut self, job: &Submission, now: Time);

    /// A job started.
    fn on_start(&mut self, job: &Submission, now: Time);

    /// A job ended; this is the first moment its run time is known.
    fn on_end(&mut self, job: &Submission, outcome: &Outcome);

    /// A job left of which no run time will be known: it never started, never came, or vanished.
    fn on_withdrawn(&mut self, _job: &Submission) {}

    /// How long the job may run from start to end, given that it has run for `age` by now (zero while it waits).
    /// Overwrites `distribution`; both it and the workspace keep their memory from one job to the next.
    fn distribution_into(
        &self,
        job: &Submission,
        age: Seconds,
        now: Time,
        workspace: &mut Workspace,
        distribution: &mut RuntimeDistribution,
    );

    /// A job was submitted, and how long it may run, as of before its arrival: [`Self::distribution_into`] and then
    /// [`Self::on_arrival`], for less where both need the same.
    fn arrive(&mut self, job: &Submission, now: Time, distribution: &mut RuntimeDistribution) {
        self.distribution_into(job, Seconds::ZERO, now, &mut Workspace::default(), distribution);
        self.on_arrival(job, now);
    }

    /// The distribution with memory of its own.
    fn distribution(&self, job: &Submission, age: Seconds, now: Time) -> RuntimeDistribution {
        let mut distribution = RuntimeDistribution::default();
        self.distribution_into(job, age, now, &mut Workspace::default(), &mut distribution);
        distribution
    }
}
