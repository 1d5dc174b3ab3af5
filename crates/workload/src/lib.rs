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

pub mod clean;
pub mod describe;
pub mod files;
pub mod generate;
mod job;
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
