//! Submissions for unit tests.

use queuecast_workload::{JobId, Request, Seconds, Submission, Time, UserId};

/// A job of this user: one processor, a limit of a thousand seconds, nothing else known.
pub fn job_of(user: u32) -> Submission {
    Submission {
        job: JobId(0),
        submitted: Time(0),
        request: Request { processors: 1 },
        limit: Some(Seconds(1_000)),
        user: Some(UserId(user)),
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}
