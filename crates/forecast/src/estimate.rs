//! What is said of one job: when it starts and ends and how long it runs, as ranges; or why nothing is said.
//!
//! For: the values in which live forecasts leave this crate, whoever made them.
//!
//! Not for: waits of logs that are over ([`crate::WaitForecast`]); how a range is told (`queuecast-api`).

use queuecast_workload::{Seconds, Time};

use crate::score::SHARES;

/// What is said of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobForecast {
    /// A range.
    Estimate(Estimate),
    /// Nothing, and why.
    NoForecast(NoForecast),
}

/// When a job starts and ends, and how long it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// When it starts; of a running job, when it did.
    pub start: TimeRange,
    /// How long it runs, from its start.
    pub run: SpanRange,
    /// When it ends; of the rest of an array, when the task ends that starts first.
    pub completion: TimeRange,
    /// Of the rest of an array, when the task starts and ends that is last, where that was played.
    pub last_task: Option<Box<LastTask>>,
}

/// The last of an array's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastTask {
    /// When it starts.
    pub start: TimeRange,
    /// When the last of all ends.
    pub completion: TimeRange,
}

/// Times by how likely it is that it comes at or before them; never decreasing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// At [`SHARES`].
    pub times: [Time; SHARES.len()],
}

/// Spans by how likely it is that it is at most as long; never decreasing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanRange {
    /// At [`SHARES`].
    pub spans: [Seconds; SHARES.len()],
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoForecast {
    /// One word for programs, such as `held`, `dependency`, `stale`, `beyond_horizon`.
    pub code: &'static str,
    /// A sentence for people, with what they can do.
    pub why: String,
}
