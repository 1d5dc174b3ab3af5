//! Logs as every subcommand reads them: bad lines reported on the way, progress shown, unusable jobs counted.

pub mod dropped;
pub mod jobs;
pub mod log;
pub mod problems;
pub mod progress;
pub mod source;
pub mod whole;
