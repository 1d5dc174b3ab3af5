//! What a command listed: records, and the lines that could not be read.
//!
//! Not for: `sacct -P` ([`super::SacctReader`]), which streams.

use std::fmt;

use queuecast_records::source::MOST_PROBLEMS;

/// Records, and what could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// The records that could.
    pub records: Vec<T>,
    /// What is wrong with the others, of the first thousand.
    pub problems: Vec<LineProblem>,
    /// How many others there are.
    pub bad_records: u64,
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// The line it begins on, from 1.
    pub line: u64,
    /// Which column or name, where it is one.
    pub name: String,
    /// What is wrong, with the beginning of the text at fault.
    pub reason: String,
}

impl<T> Listing<T> {
    pub(super) fn empty() -> Self {
        Self { records: Vec::new(), problems: Vec::new(), bad_records: 0 }
    }

    /// Keeps a record, or what is wrong with it.
    pub(super) fn take(&mut self, line: u64, read: Result<T, Wrong>) {
        match read {
            Ok(record) => self.records.push(record),
            Err(Wrong { name, reason }) => {
                self.bad_records += 1;
                if self.problems.len() < MOST_PROBLEMS {
                    self.problems.push(LineProblem { line, name: name.to_owned(), reason });
                }
            }
        }
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.name, self.reason)
    }
}

/// What is wrong with a record, before its line is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub name: &'static str,
    pub reason: String,
}

impl Wrong {
    /// A value with another form than its name promises.
    pub fn not(name: &'static str, value: &str, expected: &str) -> Self {
        Self { name, reason: format!("`{}` is not {expected}", shown(value)) }
    }

    /// A name that a record cannot do without.
    pub fn missing(name: &'static str, record: &str) -> Self {
        Self { name, reason: format!("missing in `{}`", shown(record)) }
    }
}

/// The beginning of a text, escaped.
pub(super) fn shown(text: &str) -> String {
    let beginning = &text[..text.floor_char_boundary(40)];
    let dots = if beginning.len() < text.len() { "..." } else { "" };
    format!("{}{dots}", beginning.escape_default())
}
