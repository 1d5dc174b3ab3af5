//! Logs as every subcommand reads them: bad lines reported on the way, progress shown, unusable jobs counted.
//!
//! Not for: reading them, which a library does (`queuecast_logs`).

pub mod problems;
pub mod progress;
pub mod source;
mod terminal;

use queuecast_logs::Dropped;

use crate::output::grouped;

/// Why how many are not in the result, in words.
pub fn reasons(dropped: &Dropped) -> String {
    let words = dropped.reasons().map(|(reason, count)| format!("{} {reason}", grouped(count)));
    words.collect::<Vec<_>>().join(", ")
}
