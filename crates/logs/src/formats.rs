//! The formats of accounting that are read, and how each is known: by its first line, since names lie.
//!
//! For: the one place where a resource manager is added. Its crate reads it; here it is a line of [`FORMATS`].
//!
//! Not for: Standard Workload Format, which is whatever is nothing else; JSON.

use std::io::{Chain, Cursor};

use queuecast_openpbs::{AccountingLog, is_accounting};
use queuecast_records::log::{LogOpenError, RecordLog};
use queuecast_slurm::text::{SacctLog, UtcOffset, is_header};
use queuecast_workload::files::Input;

/// The first line put back in front of the rest.
pub(crate) type Whole = Chain<Cursor<Vec<u8>>, Input>;

type Opened = Result<Box<dyn RecordLog>, LogOpenError>;

/// A format of accounting.
pub(crate) struct Format {
    /// Whether a log that begins with this line is of it.
    pub begins_with: fn(&[u8]) -> bool,
    /// Opens the log. Local times are this far ahead of UTC, where the person has said so.
    pub open: fn(Whole, Option<UtcOffset>) -> Opened,
}

/// All of them. No line begins logs of two.
pub(crate) const FORMATS: &[Format] = &[
    Format { begins_with: is_header, open: |whole, offset| Ok(Box::new(SacctLog::open(whole, offset)?)) },
    Format {
        begins_with: is_accounting,
        open: |whole, offset| Ok(Box::new(AccountingLog::new(whole, offset.map(UtcOffset::seconds)))),
    },
];
