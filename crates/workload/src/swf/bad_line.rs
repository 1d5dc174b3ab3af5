//! What is said of a line that is neither a job nor a comment.
//!
//! For: messages as editors and compilers have them, `FILE:LINE:FIELD: reason`, which a person can act on.
//!
//! Not for: finding out what is wrong (`number`, `read`).

use std::fmt;

use super::record::Field;

/// Longer lines are reported and skipped: no log has them, and memory must stay bounded on any input.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// A line that is neither a job nor a comment, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number in the file, from 1.
    pub line: u64,
    /// The field at fault, where it is one field.
    pub field: Option<Field>,
    /// What is wrong.
    pub reason: Reason,
    /// The beginning of the offending text, escaped to printable ASCII.
    pub excerpt: String,
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The line ends before this field.
    MissingField {
        /// How many fields it has.
        found: usize,
    },
    /// The line goes on after the last field.
    ExtraField {
        /// How many fields it has.
        found: usize,
    },
    /// Not digits with an optional sign.
    NotAnInteger,
    /// Not a finite decimal number.
    NotANumber,
    /// Beyond 10^12 in magnitude.
    TooLarge,
    /// Longer than [`LINE_BYTES_MAX`].
    LineTooLong,
}

impl BadLine {
    /// The message for people, `FILE:LINE:FIELD: reason`, as editors and compilers have it.
    pub fn in_source<'a>(&'a self, source: &'a str) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| write!(f, "{source}:{self}"))
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.line)?;
        match (self.field, self.reason) {
            (Some(field), _) => write!(f, "{field}: ")?,
            (None, Reason::ExtraField { .. }) => write!(f, "{}: ", Field::ALL.len() + 1)?,
            (None, _) => write!(f, " ")?,
        }
        let excerpt = &self.excerpt;
        match self.reason {
            Reason::MissingField { found } => write!(f, "missing: the line has {found} fields instead of 18"),
            Reason::ExtraField { found } => {
                write!(f, "extra field `{excerpt}`: the line has {found} fields instead of 18")
            }
            Reason::NotAnInteger => write!(f, "`{excerpt}` is not a whole number"),
            Reason::NotANumber => write!(f, "`{excerpt}` is not a number"),
            Reason::TooLarge => write!(f, "`{excerpt}` is out of range (at most 10^12 in magnitude)"),
            Reason::LineTooLong => {
                write!(
                    f,
                    "line longer than {LINE_BYTES_MAX} bytes, beginning with `{excerpt}`; check that the file is in SWF"
                )
            }
        }
    }
}
