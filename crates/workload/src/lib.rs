//! What a job, a machine and a trace are.
//!
//! For: the nouns every other crate speaks in ([`Submission`], [`Outcome`], [`Machine`], [`Time`]), and the
//! reading, writing, cleaning and describing of workload logs.
//!
//! Not for: guessing a run time (`queuecast-predict`), deciding who starts (`queuecast-schedule`) or turning
//! time forward (`queuecast-simulate`).
//!
//! The line that holds the product together runs through this crate: what is known when a job is submitted and
//! what is known only later are different types, so that a predictor cannot read the future by accident.
//!
//! ```
//! use queuecast_workload::swf::{Line, SwfReader};
//! use queuecast_workload::{Seconds, Time, UserId};
//!
//! // A log: number, submission, wait, run time, processors, ..., limit, ..., user; -1 is not known.
//! let log = "; MaxProcs: 128
//!     1  0   0 3600 64 -1 -1 64 7200 -1 1 17 -1 -1 -1 -1 -1 -1
//!     2 60 300  600 32 -1 -1 32  900 -1 1 18 -1 -1 -1 -1 -1 -1";
//! let reader = SwfReader::new(log.as_bytes())?;
//! let mut jobs = Vec::new();
//! for line in reader {
//!     if let Line::Job(record) = line? {
//!         jobs.extend(record.to_traced());
//!     }
//! }
//! let second = &jobs[1];
//! assert_eq!(second.submission.submitted, Time(60)); // known when it arrives ...
//! assert_eq!(second.submission.user, Some(UserId(18)));
//! assert_eq!(second.recorded.run, Seconds(600)); // ... and what only the log knows
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod clean;
pub mod describe;
pub mod files;
pub mod generate;
mod job;
pub mod lines;
pub mod log_uniform;
mod machine;
pub mod mouldable;
pub mod order;
pub mod session;
pub mod swf;
mod time;
mod unknown_name;

pub use job::{
    GroupId, JobId, Outcome, PartitionId, ProgramId, QueueId, Recorded, Status, Submission, TracedJob, UserId,
};
pub use machine::{Machine, Request};
pub use time::{Seconds, Time};
pub use unknown_name::UnknownName;
