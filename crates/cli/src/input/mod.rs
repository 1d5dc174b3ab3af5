//! Logs as every subcommand reads them: bad lines reported on the way, progress shown, unusable jobs counted.

pub mod dropped;
pub mod error;
mod formats;
pub mod jobs;
mod listener;
mod log;
pub mod problems;
pub mod progress;
pub mod source;
mod terminal;
mod trace;
pub mod whole;

use self::dropped::Dropped;
use crate::output::grouped;

/// Why how many are not in the result, in words.
pub fn reasons(dropped: &Dropped) -> String {
    let words = dropped.reasons().map(|(reason, count)| format!("{} {reason}", grouped(count)));
    words.collect::<Vec<_>>().join(", ")
}
