//! What is said of a line that cannot be read: `LINE:FIELD: reason`.
//!
//! Not for: finding out what is wrong (`line`, `attributes`, `value`).

use std::fmt;

use crate::open_jobs::OPEN_JOBS_MAX;
use crate::read::LINE_BYTES_MAX;

/// How much of an offending text a message shows.
const EXCERPT_BYTES_MAX: usize = 40;

/// A line that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number in the log, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a line, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field at fault, where it is one.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub reason: Reason,
    /// The beginning of the offending text, escaped to printable ASCII.
    pub excerpt: String,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not begin as a record does.
    NotARecord,
    /// Not what the field holds.
    NotA(&'static str),
    /// The record cannot do without the field.
    Missing,
    /// What stands between two spaces is no key with a value.
    NotAnAttribute,
    /// A value begins with a quote, which nothing ends.
    OpenQuote,
    /// The log ends in the middle of the line.
    CutShort,
    /// Longer than [`LINE_BYTES_MAX`].
    TooLong,
    /// More jobs wait and run than are remembered.
    TooManyJobs,
}

impl Problem {
    #[cold]
    pub(crate) fn new(field: Option<&'static str>, reason: Reason, shown: &[u8]) -> Self {
        let excerpt = match shown.get(..EXCERPT_BYTES_MAX) {
            Some(beginning) if shown.len() > EXCERPT_BYTES_MAX => format!("{}...", beginning.escape_ascii()),
            _ => shown.escape_ascii().to_string(),
        };
        Self { field, reason, excerpt }
    }

    pub(crate) fn missing(field: &'static str) -> Self {
        Self::new(Some(field), Reason::Missing, b"")
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { field, reason, excerpt } = &self.problem;
        match field {
            Some(field) => write!(f, "{}:{field}: ", self.line)?,
            None => write!(f, "{}: ", self.line)?,
        }
        match reason {
            Reason::NotARecord => write!(f, "expected MM/DD/YYYY HH:MM:SS;TYPE;JOB;..., got `{excerpt}`"),
            Reason::NotA(what) => write!(f, "`{excerpt}` is not {what}"),
            Reason::Missing => f.write_str("missing in the record"),
            Reason::NotAnAttribute => write!(f, "expected key=value, got `{excerpt}`"),
            Reason::OpenQuote => write!(f, "the quote is not closed: `{excerpt}`"),
            Reason::CutShort => write!(f, "the log ends within the line: `{excerpt}`"),
            Reason::TooLong => write!(f, "line longer than {LINE_BYTES_MAX} bytes, beginning with `{excerpt}`"),
            Reason::TooManyJobs => {
                write!(f, "more than {OPEN_JOBS_MAX} jobs are pending or running; this job is left out: `{excerpt}`")
            }
        }
    }
}
