//! Jobs for tests.

use queuecast_workload::{JobId, Request, Seconds, Submission, Time};

/// A job of nobody.
pub(crate) fn submission(job: u64, submitted: i64, processors: u32, limit: Option<i64>) -> Submission {
    Submission {
        job: JobId(job),
        submitted: Time(submitted),
        request: Request { processors },
        limit: limit.map(Seconds),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}
