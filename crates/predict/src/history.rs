//! One set of event handlers for every predictor that is a function of finished history.
//!
//! A [`RuntimeModel`] says what it would predict now and learns from an ended job; [`FromHistory`] turns that
//! into the four events: caps predictions at the limit, corrects what a job outlived, and, when asked,
//! propagates (R-SIM-6): when a job ends or outlives its plan, the plans of the same user's waiting and running
//! jobs are made anew.

use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::active::ActiveJobs;
use crate::{Correction, Outlived, Revisions, RuntimePredictor};

/// What a predictor knows, without the events around it.
pub trait RuntimeModel {
    /// The run time to expect of this job as things stand; `None` where the model has nothing to go by, and the
    /// user's limit is used.
    fn predict(&self, job: &Submission) -> Option<Seconds>;

    /// A job ended after `run` seconds.
    fn learn(&mut self, _job: &Submission, _run: Seconds) {}
}

/// A [`RuntimeModel`] behind the four events.
#[derive(Clone, Debug)]
pub struct FromHistory<M> {
    model: M,
    correction: Correction,
    /// The jobs to tell, when propagation is on.
    active: Option<ActiveJobs>,
}

impl<M: RuntimeModel> FromHistory<M> {
    /// Wraps `model`, without propagation.
    pub fn new(model: M, correction: Correction) -> Self {
        Self { model, correction, active: None }
    }

    /// Revises the same user's other jobs whenever one ends or outlives its plan.
    #[must_use]
    pub fn propagating(mut self) -> Self {
        self.active = Some(ActiveJobs::default());
        self
    }

    /// At least a second, at most the limit: what no model has to think about.
    fn plan(&self, job: &Submission) -> Seconds {
        let limit = job.limit.unwrap_or(Seconds::MAX);
        self.model.predict(job).unwrap_or(limit).min(limit).max(Seconds(1))
    }

    fn propagate(&self, cause: &Submission, now: Time, revisions: &mut Revisions) {
        let Some(active) = &self.active else { return };
        for other in active.of_user(cause.user) {
            if other.submission.job == cause.job {
                continue;
            }
            let planned = self.plan(&other.submission);
            // A running job already older than the new guess keeps its plan: the guess is refuted, not better.
            if other.started.is_none_or(|started| planned > now - started) {
                revisions.plan(other.submission.job, planned);
            }
        }
    }
}

impl<M: RuntimeModel> RuntimePredictor for FromHistory<M> {
    fn on_arrival(&mut self, job: &Submission, _now: Time, _revisions: &mut Revisions) -> Seconds {
        if let Some(active) = &mut self.active {
            active.arrived(job);
        }
        self.plan(job)
    }

    fn on_start(&mut self, job: &Submission, now: Time, _revisions: &mut Revisions) {
        if let Some(active) = &mut self.active {
            active.started(job, now);
        }
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        self.model.learn(job, outcome.run());
        if let Some(active) = &mut self.active {
            active.ended(job);
        }
        self.propagate(job, outcome.ended, revisions);
    }

    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        self.propagate(job, now, revisions);
        self.correction.correct(miss, job.limit)
    }
}
