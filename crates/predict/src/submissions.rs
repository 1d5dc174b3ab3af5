//! Submissions for unit tests.

use queuecast_workload::{Seconds, Submission, Time, UserId};

/// A job of this user: one processor, a limit of a thousand seconds, nothing else known.
pub fn job_of(user: u32) -> Submission {
    Submission { limit: Some(Seconds(1_000)), user: Some(UserId(user)), ..Submission::new(Time(0), 1) }
}
