//! Logs as every subcommand reads them: bad lines reported on the way, progress shown, unusable jobs counted.

pub mod jobs;
pub mod overrun;
pub mod problems;
pub mod progress;
pub mod source;
pub mod whole;
