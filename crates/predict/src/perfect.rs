//! The oracle: every run time known at submission (R-T1). A bound to measure against, never a product.
//!
//! The simulator has no door through which the future could reach a predictor, so the oracle listens at the
//! only place where run times pass: the trace on its way in.

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

/// The jobs of a trace on their way in, overheard by a [`Perfect`] predictor or by nobody.
#[derive(Clone, Debug)]
pub struct Foresight<I> {
    jobs: I,
    foreseen: Option<RunTimes>,
}

impl<I> Foresight<I> {
    /// The jobs, overheard by nobody.
    pub fn none(jobs: I) -> Self {
        Self { jobs, foreseen: None }
    }

    /// The jobs as they came.
    pub fn get_ref(&self) -> &I {
        &self.jobs
    }
}

/// The oracle and the trace it listens to. The jobs must carry the handles the events will carry.
pub fn perfect<I: Iterator<Item = TracedJob>>(jobs: I) -> (Perfect, Foresight<I>) {
    let foreseen = RunTimes::default();
    (Perfect { foreseen: Rc::clone(&foreseen) }, Foresight { jobs, foreseen: Some(foreseen) })
}

impl<I: Iterator<Item = TracedJob>> Iterator for Foresight<I> {
    type Item = TracedJob;

    fn next(&mut self) -> Option<TracedJob> {
        let job = self.jobs.next()?;
        if let Some(foreseen) = &self.foreseen {
            foreseen.borrow_mut().insert(job.submission.job, job.recorded.run);
        }
        Some(job)
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
