//! What can be asked of resampling, what is refused, and what is told about the log.

use thiserror::Error;

use crate::Seconds;

/// More users at once, or more arrivals a week, are refused.
pub(super) const USERS_MAX: f64 = 1e6;

/// How much is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many jobs.
    Jobs(u64),
    /// All jobs of so many weeks.
    Weeks(u32),
}

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResampleBy {
    /// Users, each with all of their jobs as they were.
    #[default]
    Users,
    /// Users, and for each of their sessions another of theirs from the same day of the week.
    Sessions,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResampleOptions {
    /// How much.
    pub length: Length,
    /// The load to offer, as [`offered_load`](crate::describe::offered_load) defines it; the log's own if `None`.
    pub load: Option<f64>,
    /// What is drawn.
    pub by: ResampleBy,
    /// The time of day at the log's time zero: where days and weeks are cut.
    pub time_of_day_at_zero: Seconds,
}

impl ResampleOptions {
    /// By users, with the load of the log, whose time zero is midnight.
    pub fn new(length: Length) -> Self {
        Self { length, load: None, by: ResampleBy::default(), time_of_day_at_zero: Seconds::ZERO }
    }
}

/// Why a log cannot be resampled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ResampleError {
    /// The log is empty.
    #[error("no jobs to resample; the log needs at least one job that ran")]
    NoJobs,
    /// The machine is empty.
    #[error("the machine has 0 processors; at least 1 is needed")]
    NoProcessors,
    /// The load wanted is none.
    #[error("a load of {given} cannot be offered; expected a number above 0")]
    NoLoad {
        /// What was given.
        given: f64,
    },
    /// A load is wanted of jobs that do nothing.
    #[error("all run times are zero, so the load cannot be changed; remove the requested load")]
    NoWork,
    /// The load wanted takes too many users.
    #[error(
        "a load of {given} needs {factor:.0} times the log's users, more than {USERS_MAX:.0} at a time; \
         use a lower load"
    )]
    TooManyUsers {
        /// What was given.
        given: f64,
        /// How many times the log's own load that is.
        factor: f64,
    },
}

/// What a log was taken apart into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Population {
    /// Users active for twelve weeks or more.
    pub long_term_users: usize,
    /// The others; jobs without a user count as one each.
    pub temporary_users: usize,
    /// How many long-term users are present at a time.
    pub long_term_present: f64,
    /// How many temporary users arrive in a week.
    pub temporary_a_week: f64,
    /// The load of the log.
    pub log_load: f64,
}
