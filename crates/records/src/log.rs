//! A log of accounting: a file, a pipe or an export with what a resource manager wrote of its jobs, read from its beginning to its end.
//!
//! For: one interface ([`RecordLog`]) whoever wrote the log, so that whatever reads logs reads every manager's.
//!
//! Not for: asking a manager that runs ([`crate::source`]); finding out which manager wrote a file; opening files.

use std::fmt;
use std::io;

use crate::JobRecord;

/// What a part of a log turned out to be.
pub enum RecordEntry {
    /// One attempt at a job.
    Job(Box<JobRecord>),
    /// Something that cannot be read: `LINE:FIELD: reason`.
    Bad(Box<dyn fmt::Display>),
}

/// What was left out on purpose, as a sentence without its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: u64,
    /// Of what, and why.
    pub what: &'static str,
}

/// A log being read.
pub trait RecordLog: fmt::Debug + Send {
    /// The next attempt or bad part; `None` at the end. An error is the source's own.
    fn next_entry(&mut self) -> io::Result<Option<RecordEntry>>;

    /// What the log lacks if nothing in it is a job, behind the word "no".
    fn format(&self) -> &'static str;

    /// Where its jobs come from, for whoever writes them down in another format.
    fn note(&self) -> &'static str;

    /// What was left out on purpose so far; what does not occur may be there with 0.
    fn left_out(&self) -> Vec<LeftOut>;
}

/// Why a log is not read at all.
#[derive(Debug, thiserror::Error)]
pub enum LogOpenError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The log is not one, or lacks what a history needs: `LINE:FIELD: reason`.
    #[error("{message}")]
    NotUsable {
        /// The line and what is wrong with it.
        message: String,
        /// What the person can do.
        hint: Option<&'static str>,
    },
}
