//! Who is told what became of each job.

use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::PredictionAccuracy;

/// A job that ended in the simulation.
#[derive(Clone, Copy, Debug)]
pub struct FinishedJob<'a> {
    /// The number the log gives it.
    pub number: i64,
    /// What was known at submission.
    pub submission: &'a Submission,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether it overtook a job before it in the queue.
    pub backfilled: bool,
    /// The start it was promised when it first held a reservation, if it ever did.
    pub promised: Option<Time>,
    /// How good its predictions were.
    pub accuracy: PredictionAccuracy,
}

impl FinishedJob<'_> {
    /// Time in the queue (R-MET-1).
    pub fn wait(&self) -> Seconds {
        self.outcome.started - self.submission.submitted
    }
}

/// Told of every job as it ends, in order of ends, and of starts where it cares.
pub trait Observer {
    /// A job ended.
    fn finished(&mut self, job: &FinishedJob<'_>);

    /// A job started.
    fn started(&mut self, _job: &Submission, _now: Time) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    #[inline]
    fn finished(&mut self, job: &FinishedJob<'_>) {
        (**self).finished(job);
    }
    fn started(&mut self, job: &Submission, now: Time) {
        (**self).started(job, now);
    }
}

/// Both are told.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0.finished(job);
        self.1.finished(job);
    }
    fn started(&mut self, job: &Submission, now: Time) {
        self.0.started(job, now);
        self.1.started(job, now);
    }
}

impl<O: Observer> Observer for Option<O> {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        if let Some(observer) = self {
            observer.finished(job);
        }
    }
    fn started(&mut self, job: &Submission, now: Time) {
        if let Some(observer) = self {
            observer.started(job, now);
        }
    }
}

/// Nobody is told.
impl Observer for () {
    fn finished(&mut self, _job: &FinishedJob<'_>) {}
}
