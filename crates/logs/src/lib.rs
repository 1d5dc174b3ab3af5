//! Logs: from a path to jobs that can be replayed.

pub mod dropped;
pub mod error;
mod formats;
pub mod jobs;
pub mod listener;
mod log;
pub mod trace;
pub mod whole;
