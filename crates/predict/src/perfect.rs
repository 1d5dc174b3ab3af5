//! The oracle: every run time known at submission (R-T1). A bound to measure against, never a product.
//!
//! The events have no door through which the future could reach a predictor, so the oracle comes with an ear of its
//! own, a [`Foresight`], which whoever replays a trace has to be given on purpose.

use std::cell::RefCell;
use std::rc::Rc;

use queuecast_workload::{JobId, Seconds, Submission, TracedJob};
use rustc_hash::FxHashMap;

use crate::RuntimeModel;

type RunTimes = Rc<RefCell<FxHashMap<JobId, Seconds>>>;

/// Predicts the run time the job will really have.
#[derive(Clone, Debug)]
pub struct Perfect {
    foreseen: RunTimes,
}

/// The oracle's ear: it is told of every job of a trace before the job arrives.
#[derive(Clone, Debug)]
pub struct Foresight {
    foreseen: RunTimes,
}

impl Perfect {
    /// The oracle and its ear.
    pub fn new() -> (Self, Foresight) {
        let foreseen = RunTimes::default();
        (Self { foreseen: Rc::clone(&foreseen) }, Foresight { foreseen })
    }
}

impl Foresight {
    /// Foresees a job's run time. The job must carry the handle its events will carry.
    pub fn hear(&self, job: &TracedJob) {
        self.foreseen.borrow_mut().insert(job.submission.job, job.recorded.run);
    }
}

impl RuntimeModel for Perfect {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.foreseen.borrow().get(&job.job).copied()
    }

    fn learn(&mut self, job: &Submission, _run: Seconds) {
        self.foreseen.borrow_mut().remove(&job.job);
    }
}
