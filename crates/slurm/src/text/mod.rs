//! Text: what Slurm's commands print for people and scripts.
//!
//! For: streaming an export of accounting (`sacct -P`, [`SacctReader`]) of any length, whatever columns it has and in
//! whatever order, without ever taking one column for another; the queue where there is no JSON ([`squeue()`]); and
//! what is short and was never anything but text: [`partitions`], [`reservations`], [`nodes`], [`configuration`]
//! (scontrol), [`qos`], [`users`] and [`associations`] (sacctmgr), [`shares`] (sshare), [`diagnostics`] (sdiag).
//!
//! Not for: sacct's padded default output, whose columns are cut; `scontrol show job`, in which a name can pretend to
//! be any field (the queue is asked of squeue).
//!
//! Source: `sacct -P` of Slurm 22.05.8 and 26.05.3; of the others each module says which. Nothing in `sacct -P` is
//! quoted or escaped: names, comments and command lines may hold the delimiter and line breaks. How far that can be
//! undone:
//!
//! * A line starts a record if its first columns, up to the first free text, are what the header says they are (a job
//!   number first). Any other line continues the record before it. Exports should have `JobIDRaw` first; without a job
//!   number in the first column every line stands for itself.
//! * A record with more delimiters than columns has them in its free texts. All ways to cut it are tried; the numbers,
//!   times and states between the texts leave one, as a rule. If they leave several, the record is refused, not
//!   guessed.
//! * Where texts stand side by side (`AdminComment|Comment|SubmitLine`) the cut between them is not known; the last
//!   takes the rest. No number depends on it. [`SacctReader::uncertain_texts`] counts such records.
//! * What cannot be told: text that looks like a whole record on a line of its own; and, between a text and the next
//!   number, words from one another (an export should have `UID` right behind `User`). JSON has no such limits.
//! * If the last column is a text, lines that start no record are taken for more of it, the remains of a damaged one
//!   too. Exports should end in a column such as `ExitCode`.
//!
//! With `--delimiter=$'\x1f'` only line breaks are left to undo, which is why it is what the documentation recommends.

mod accounting_list;
mod association;
mod bad_record;
mod column;
mod configuration;
mod cut;
mod header;
mod job_record;
mod listing;
mod log;
mod one_line;
mod printed;
mod read;
mod sacctmgr;
mod scontrol;
mod sdiag;
mod squeue;
mod squeue_layout;
mod value;

pub use association::{association_format, associations, share_format, shares};
pub use bad_record::{BadRecord, HeaderError, Reason};
pub use column::Column;
pub use configuration::configuration;
pub use header::{Header, is_header};
pub use job_record::NAME_BYTES_MAX;
pub use listing::{LineProblem, Listing};
pub use log::SacctLog;
pub use printed::PrintedError;
pub use read::{Entry, RECORD_BYTES_MAX, SacctReader};
pub use sacctmgr::{USER_FORMAT, qos, qos_format, users};
pub use scontrol::{nodes, partitions, reservations};
pub use sdiag::diagnostics;
pub use squeue::{Mark, squeue};
pub use squeue_layout::{JobLayoutLine, lay_out, layout_format, layouts};
pub use value::UtcOffset;
