//! The four events and what a predictor answers: Listing 1 of Talby et al. (arrival, start, termination,
//! deadline missed).
//!
//! A simulator and a live cluster feed the same events, which is what makes a result measured on a trace a
//! statement about the code that runs live.

use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};

/// A new planned run time for a waiting or running job, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The job whose plan changes.
    pub job: JobId,
    /// Its planned run time from start to end, at least one second.
    pub planned: Seconds,
}

/// Where a predictor writes what changes beside its answer; cleared and reused by the caller between events.
#[derive(Clone, Debug, Default)]
pub struct Revisions(Vec<Revision>);

impl Revisions {
    /// Plans `job` to run for `planned` seconds in all.
    pub fn plan(&mut self, job: JobId, planned: Seconds) {
        self.0.push(Revision { job, planned });
    }

    /// What changed with the last event, in the order given; a later plan for the same job replaces an earlier one.
    pub fn as_slice(&self) -> &[Revision] {
        &self.0
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A running job has reached its planned run time and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlived {
    /// How long it has run by now.
    pub age: Seconds,
    /// The first prediction it was given, at arrival.
    pub first: Seconds,
    /// The prediction it has just outlived.
    pub previous: Seconds,
    /// How many predictions it had outlived before this one.
    pub earlier_misses: u32,
}

/// Guesses how long jobs will run, told only what has happened so far.
///
/// An arrival and an outlived prediction are answered with a plan for that very job; what else changes goes to
/// `revisions`, for any waiting or running job. What the caller asserts of every answer (R-SIM-4): a plan is at least
/// one second, and the plan of a running job exceeds its age.
pub trait RuntimePredictor {
    /// A job was submitted: how long it is planned to run.
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds;

    /// A job started.
    fn on_start(&mut self, _job: &Submission, _now: Time, _revisions: &mut Revisions) {}

    /// A job ended; this is the first moment its run time is known.
    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions);

    /// A job outlived its plan: how long it is planned to run now, beyond its age.
    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds;
}

impl<P: RuntimePredictor + ?Sized> RuntimePredictor for Box<P> {
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds {
        (**self).on_arrival(job, now, revisions)
    }
    fn on_start(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) {
        (**self).on_start(job, now, revisions);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        (**self).on_end(job, outcome, revisions);
    }
    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        (**self).on_outlived(job, miss, now, revisions)
    }
}
