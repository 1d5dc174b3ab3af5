//! What is said of a record that cannot be read: `FILE:LINE:COLUMN: reason`.
//!
//! Not for: finding out what is wrong (`read`, `cut`, `value`).

use std::fmt;
use std::io;

use super::read::RECORD_BYTES_MAX;

/// How much of an offending text a message shows.
const EXCERPT_BYTES_MAX: usize = 40;

/// A record that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The number of its first line in the file, from 1.
    pub line: u64,
    /// The column at fault, where it is one.
    pub column: Option<String>,
    /// What is wrong.
    pub reason: Reason,
    /// The beginning of the offending text, escaped to printable ASCII.
    pub excerpt: String,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It ends before its last column.
    TooFewColumns {
        /// How many it has.
        found: usize,
        /// How many the header names.
        expected: usize,
    },
    /// It has more delimiters than columns, and no way to cut it makes sense.
    DoesNotFit {
        /// How many pieces it has.
        found: usize,
        /// How many columns the header names.
        expected: usize,
    },
    /// It has more delimiters than columns, and several ways to cut it make sense.
    Ambiguous,
    /// Not what the column holds.
    NotA(&'static str),
    /// A local time, without a word on which zone it is in.
    LocalTime,
    /// No time of submission, without which a job cannot be told from another.
    NoSubmitTime,
    /// Longer than [`RECORD_BYTES_MAX`].
    TooLong,
}

impl BadRecord {
    #[cold]
    #[expect(clippy::unnecessary_box_returns, reason = "it is handed on in a box, so that a good record costs little")]
    pub(super) fn new(line: u64, column: Option<&str>, reason: Reason, shown: &[u8]) -> Box<Self> {
        let excerpt = match shown.get(..EXCERPT_BYTES_MAX) {
            Some(beginning) if shown.len() > EXCERPT_BYTES_MAX => format!("{}...", beginning.escape_ascii()),
            _ => shown.escape_ascii().to_string(),
        };
        Box::new(Self { line, column: column.map(str::to_owned), reason, excerpt })
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "{}:{column}: ", self.line)?,
            None => write!(f, "{}: ", self.line)?,
        }
        let excerpt = &self.excerpt;
        match self.reason {
            Reason::TooFewColumns { found, expected } => {
                write!(f, "the record has {found} columns instead of {expected}: `{excerpt}`")
            }
            Reason::DoesNotFit { found, expected } => write!(
                f,
                "the record has {found} columns instead of {expected}, even if delimiters in names and comments are \
                 ignored: `{excerpt}`"
            ),
            Reason::Ambiguous => write!(
                f,
                "delimiters in a name or comment make this record readable in several ways: `{excerpt}`; export with \
                 --delimiter=$'\\x1f'"
            ),
            Reason::NotA(what) => write!(f, "`{excerpt}` is not {what}"),
            Reason::LocalTime => write!(
                f,
                "`{excerpt}` is a local time; export with SLURM_TIME_FORMAT=%s, or give the time zone with \
                 --utc-offset"
            ),
            Reason::NoSubmitTime => write!(f, "`{excerpt}`: the job has no time of submission"),
            Reason::TooLong => write!(f, "record longer than {RECORD_BYTES_MAX} bytes, beginning with `{excerpt}`"),
        }
    }
}

/// Why a file cannot be read as an export of sacct at all.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is not a list of columns.
    #[error("1: the first line does not name sacct's columns; export with `sacct -P` and without `--noheader`")]
    NotAHeader,
    /// Columns a job cannot be read without.
    #[error("1: the export lacks {0}; add it to sacct's --format")]
    Missing(String),
    /// The same column twice.
    #[error("1:{0}: this column is there twice; take one out of sacct's --format")]
    Twice(String),
}
