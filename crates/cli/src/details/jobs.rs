//! The columns that replays of logs have in common: what was asked, what was predicted, what became of it.

use queuecast_evaluate::bounded_slowdown;
use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::{Seconds, Status};

use super::{Column, Details, Kind, Value};

/// The columns of a job that ended.
pub const JOB_COLUMNS: [Column; 15] = [
    ("job", Kind::Integer),
    ("user", Kind::Integer),
    ("submitted", Kind::Integer),
    ("processors", Kind::Integer),
    ("limit_seconds", Kind::Integer),
    ("predicted_seconds", Kind::Integer),
    ("corrections", Kind::Integer),
    ("averaged_prediction_seconds", Kind::Number),
    ("started", Kind::Integer),
    ("wait_seconds", Kind::Integer),
    ("run_seconds", Kind::Integer),
    ("status", Kind::Text),
    ("backfilled", Kind::Truth),
    ("promised", Kind::Integer),
    ("bounded_slowdown", Kind::Number),
];

/// Writes a row for every job that ends: what all rows of this replay begin with, and then [`JOB_COLUMNS`].
pub struct JobRows<'a> {
    details: &'a mut Details,
    leading: Vec<Value<'a>>,
    slowdown_threshold: Seconds,
}

impl<'a> JobRows<'a> {
    /// Rows of one replay.
    pub fn new(details: &'a mut Details, leading: Vec<Value<'a>>, slowdown_threshold: Seconds) -> Self {
        Self { details, leading, slowdown_threshold }
    }
}

impl Observer for JobRows<'_> {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let mut row = self.leading.clone();
        row.extend(job_values(job, self.slowdown_threshold));
        self.details.add(&row);
    }
}

/// A job's values, in the order of [`JOB_COLUMNS`].
fn job_values(job: &FinishedJob<'_>, slowdown_threshold: Seconds) -> [Value<'static>; JOB_COLUMNS.len()] {
    let (wait, run) = (job.wait(), job.outcome.run());
    let first = job.accuracy.first;
    [
        job.number.into(),
        job.submission.user.map(|user| user.0).into(),
        job.submission.submitted.0.into(),
        job.submission.request.processors.into(),
        job.submission.limit.map(|limit| limit.0).into(),
        first.0.into(),
        job.accuracy.misses.into(),
        job.accuracy.over_stay.map_or(first.as_f64(), |stay| stay.averaged_prediction).into(),
        job.outcome.started.0.into(),
        wait.0.into(),
        run.0.into(),
        status(job.outcome.status).into(),
        job.backfilled.into(),
        job.promised.map(|promised| promised.0).into(),
        bounded_slowdown(wait, run, slowdown_threshold).into(),
    ]
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Failed => "failed",
        Status::Completed => "completed",
        Status::Partial => "partial",
        Status::Cancelled => "cancelled",
        Status::Unknown => "unknown",
    }
}
