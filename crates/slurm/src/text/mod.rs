//! `sacct -P`: a header line that names the columns, then one record a job.
//!
//! For: streaming an export of any length, whatever columns it has and in whatever order, without ever taking one
//! column for another.
//!
//! Not for: sacct's padded default output, whose columns are cut; `squeue -o` and `scontrol show job` (their JSON is
//! read, see [`crate::json`]).
//!
//! Source: `sacct -P` of Slurm 22.05.8 and 26.05.3. Nothing in it is quoted or escaped: names, comments and command
//! lines may hold the delimiter and line breaks. How far that can be undone:
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

mod bad_record;
mod column;
mod columns;
mod cut;
mod header;
mod lines;
mod read;
mod value;

pub use bad_record::{BadRecord, HeaderError, Reason};
pub use column::Column;
pub use columns::NAME_BYTES_MAX;
pub use header::{Header, is_header};
pub use read::{Entry, RECORD_BYTES_MAX, SacctReader};
pub use value::UtcOffset;
