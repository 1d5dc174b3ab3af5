//! Logs: from a path to jobs that can be replayed.
//!
//! For: opening a log of any format that is read (Standard Workload Format, accounting of resource managers; plain, gzip or zstd; `-` for
//! standard input), and handing out its jobs with what was left out and which lines are bad. Whatever is known of formats is in one table
//! (`formats`), whatever is known of single logs in another ([`catalogue`]).
//!
//! Not for: the formats themselves (`queuecast-workload`, and a crate for each manager); progress, messages and exit codes, which are the
//! command's.
//!
//! ```
//! use queuecast_logs::{TraceSource, WholeTrace};
//! use std::io::Write;
//!
//! let mut file = tempfile::NamedTempFile::new()?;
//! writeln!(file, "1  0 0 3600 64 -1 -1 64 7200 -1 1 17 -1 -1 -1 -1 -1 -1")?; // number, submission, wait, run time, processors, ...
//! writeln!(file, "2 60 0 none 64 -1 -1 64 7200 -1 1 17 -1 -1 -1 -1 -1 -1")?;
//! writeln!(file, "3 90 0    0 64 -1 -1 64 7200 -1 0 18 -1 -1 -1 -1 -1 -1")?;
//!
//! let mut log = TraceSource::open(file.path())?;
//! assert_eq!(log.by_ref().filter_map(Result::ok).count(), 2);
//! assert!(log.first_bad_lines()[0].contains(":2:run_time: `none` is not a whole number"));
//!
//! let whole = WholeTrace::load(TraceSource::open(file.path())?)?;
//! assert_eq!((whole.jobs.len(), whole.dropped.total()), (1, 2)); // a bad line, and a job that never ran
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalogue;
mod dropped;
mod error;
mod formats;
mod jobs;
mod listener;
mod log;
mod trace;
mod whole;

pub use dropped::Dropped;
pub use error::LogError;
pub use jobs::{ParseTime, ReplayableJobs, StreamedJobs};
pub use listener::Listener;
pub use queuecast_slurm::text::UtcOffset;
pub use trace::{LoggedJob, MachineSize, SizeFrom, TraceSource};
pub use whole::WholeTrace;
