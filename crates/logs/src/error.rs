//! Why a log is not read to its end.
//!
//! Not for: bad lines, which stop nothing ([`crate::trace::TraceSource`] counts them).

use std::io;

use queuecast_workload::order::{OrderError, TooLate};
use thiserror::Error;

use crate::dropped::Dropped;

/// What ended the reading of a log.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read; the message names it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The log is not one, or lacks what a history needs.
    #[error("{message}")]
    NotUsable {
        /// File, line and reason.
        message: String,
        /// What the person can do.
        hint: Option<&'static str>,
    },
    /// All of its lines are bad: it is something else, and is not taken for an empty log.
    #[error("{name}: found no {format}")]
    NotALog {
        /// The file's name.
        name: String,
        /// What it does not have.
        format: &'static str,
    },
    /// It is too far out of order to be read in parts.
    #[error(transparent)]
    TooLate(TooLate),
    /// Every job of it was left out, or there was none: what follows would be figures of nothing.
    #[error("{name}: no usable jobs: {dropped}")]
    NothingLeft {
        /// The file's name.
        name: String,
        /// Why.
        dropped: Dropped,
    },
    /// It cannot be held whole.
    #[error("{name} has more than two million jobs, the maximum for this command")]
    TooManyJobs {
        /// The file's name.
        name: String,
    },
}

impl From<OrderError<LogError>> for LogError {
    fn from(error: OrderError<LogError>) -> Self {
        match error {
            OrderError::Source(error) => error,
            OrderError::TooLate(late) => Self::TooLate(late),
        }
    }
}
