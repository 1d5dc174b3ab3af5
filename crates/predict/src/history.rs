//! One set of event handlers for every predictor that is a function of finished history.
//!
//! A [`RuntimeModel`] says what it would predict now and learns from an ended job; [`FromHistory`] turns that
//! into the four events: falls back on the limit, caps predictions at it, corrects what a job outlived, and, when
//! asked, propagates (R-SIM-6): when a job ends or outlives its plan, the plans of the same user's waiting and running
//! jobs are made anew.

use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::active::ActiveJobs;
use crate::{Correction, Fallback, Outlived, Revisions, RuntimePredictor};

/// What a predictor knows, without the events around it.
///
/// Two jobs of one user that ask for the same (all but handle and submission time) are predicted the same at any one
/// moment; propagation relies on it.
pub trait RuntimeModel {
    /// The run time to expect of this job as things stand; `None` where the model has nothing to go by.
    fn predict(&self, job: &Submission) -> Option<Seconds>;

    /// A job was submitted; told before it is predicted.
    fn arrived(&mut self, _job: &Submission, _now: Time) {}

    /// A job started: for models that need to know when.
    fn began(&mut self, _job: &Submission, _now: Time) {}

    /// A job ended after `run` seconds.
    fn learn(&mut self, _job: &Submission, _run: Seconds) {}

    /// A job ended: for models that need to know when.
    fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.learn(job, outcome.run());
    }

    /// Whether running jobs count as well, at what they are planned to run; only then is the model told of those.
    fn counts_running(&self) -> bool {
        false
    }

    /// A job started and is planned to run for `planned` seconds.
    fn started(&mut self, _job: &Submission, _planned: Seconds) {}

    /// A running job outlived its plan: what the model plans now, beyond the job's age; `None` leaves it to the correction.
    fn plan_anew(&mut self, _job: &Submission, _miss: &Outlived, _now: Time) -> Option<Seconds> {
        None
    }

    /// A running job outlived its plan and is now planned to run for `planned` seconds.
    fn outlived(&mut self, _job: &Submission, _planned: Seconds) {}
}

impl<M: RuntimeModel + ?Sized> RuntimeModel for Box<M> {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        (**self).predict(job)
    }
    fn arrived(&mut self, job: &Submission, now: Time) {
        (**self).arrived(job, now);
    }
    fn began(&mut self, job: &Submission, now: Time) {
        (**self).began(job, now);
    }
    fn learn(&mut self, job: &Submission, run: Seconds) {
        (**self).learn(job, run);
    }
    fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        (**self).ended(job, outcome);
    }
    fn counts_running(&self) -> bool {
        (**self).counts_running()
    }
    fn started(&mut self, job: &Submission, planned: Seconds) {
        (**self).started(job, planned);
    }
    fn plan_anew(&mut self, job: &Submission, miss: &Outlived, now: Time) -> Option<Seconds> {
        (**self).plan_anew(job, miss, now)
    }
    fn outlived(&mut self, job: &Submission, planned: Seconds) {
        (**self).outlived(job, planned);
    }
}

/// What the user's limit is good for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LimitUse {
    /// It stands in for a missing prediction, no prediction exceeds it, and corrections go to it.
    #[default]
    Bound,
    /// The same, but a prediction may exceed it.
    FallbackOnly,
    /// Nothing: estimation-less prediction (R-T8).
    Ignored,
}

/// A [`RuntimeModel`] behind the four events.
#[derive(Clone, Debug)]
pub struct FromHistory<M> {
    model: M,
    correction: Correction,
    limit_use: LimitUse,
    fallback: Fallback,
    /// The longest limit of any job so far; limits are known at submission.
    longest_limit: Option<Seconds>,
    /// The jobs to tell, when propagation is on.
    active: Option<ActiveJobs>,
}

impl<M: RuntimeModel> FromHistory<M> {
    /// Wraps `model`, without propagation.
    pub fn new(model: M, correction: Correction, limit_use: LimitUse) -> Self {
        Self { model, correction, limit_use, fallback: Fallback::default(), longest_limit: None, active: None }
    }

    /// Revises the same user's other jobs whenever one ends or outlives its plan.
    #[must_use]
    pub fn propagating(mut self) -> Self {
        self.active = Some(ActiveJobs::default());
        self
    }

    /// "For ever" where nothing at all is known: the first jobs of a log without limits.
    fn plan(&self, job: &Submission) -> Seconds {
        let prediction = self.model.predict(job);
        let planned = match self.limit_use {
            LimitUse::Bound => self.fallback.plan(prediction, job.limit),
            LimitUse::FallbackOnly if prediction.is_none() => self.fallback.plan(None, job.limit),
            LimitUse::FallbackOnly | LimitUse::Ignored => self.fallback.plan(prediction, None),
        };
        planned.unwrap_or(Seconds::MAX)
    }

    fn propagate(&mut self, cause: &Submission, now: Time, revisions: &mut Revisions) {
        let Some(mut active) = self.active.take() else { return };
        active.revise(cause, now, |like| self.plan(like), revisions);
        self.active = Some(active);
    }
}

impl<M: RuntimeModel> RuntimePredictor for FromHistory<M> {
    fn on_arrival(&mut self, job: &Submission, now: Time, _revisions: &mut Revisions) -> Seconds {
        self.longest_limit = self.longest_limit.max(job.limit);
        self.model.arrived(job, now);
        let planned = self.plan(job);
        if let Some(active) = &mut self.active {
            active.arrived(job, planned);
        }
        planned
    }

    fn on_start(&mut self, job: &Submission, now: Time, _revisions: &mut Revisions) {
        if let Some(active) = &mut self.active {
            active.started(job, now);
        }
        self.model.began(job, now);
        if self.model.counts_running() {
            let planned = self.plan(job);
            self.model.started(job, planned);
        }
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        self.model.ended(job, outcome);
        self.fallback.learn(outcome.run());
        if let Some(active) = &mut self.active {
            active.ended(job);
        }
        self.propagate(job, outcome.ended, revisions);
    }

    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        let limit = job.limit.filter(|_| self.limit_use != LimitUse::Ignored);
        let own = self.model.plan_anew(job, miss, now).filter(|planned| *planned > miss.age);
        let below_limit = limit.filter(|limit| *limit > miss.age && self.limit_use == LimitUse::Bound);
        let own = own.map(|planned| planned.min(below_limit.unwrap_or(Seconds::MAX)));
        let correction = self.correction.knowing(self.longest_limit);
        let planned = own.unwrap_or_else(|| correction.correct(miss, limit));
        if self.model.counts_running() {
            self.model.outlived(job, planned);
        }
        self.propagate(job, now, revisions);
        planned
    }
}
