//! Logs as every subcommand reads them: bad lines reported on the way, progress shown, unusable jobs counted, and a log
//! of which none is left refused.
//!
//! Not for: reading them, which a library does (`queuecast_logs`).

pub mod machines;
pub mod problems;
pub mod progress;
pub mod source;
mod terminal;

use queuecast_logs::Dropped;

use crate::failure::{Cause, Failure};
use crate::output::grouped;

/// Why how many are not in the result, in words.
pub fn reasons(dropped: &Dropped) -> String {
    let words = dropped.reasons().map(|(reason, count)| format!("{} {reason}", grouped(count)));
    words.collect::<Vec<_>>().join(", ")
}

/// What is said of a log of which no job is left, whatever left them out, with what the person can do.
pub fn nothing_left(log: &str, reasons: &str, hint: impl Into<String>) -> Failure {
    let error = anyhow::anyhow!("{log}: no usable jobs: {reasons}");
    Failure::new(Cause::Input, error).with_hint(hint)
}

/// The same where jobs were left out for these reasons.
pub fn all_dropped(log: &str, dropped: &Dropped) -> Failure {
    let most = dropped.reasons().max_by_key(|(_, count)| *count).map(|(reason, _)| reason);
    let words = if most.is_some() { reasons(dropped) } else { dropped.to_string() };
    nothing_left(log, &words, way_out(most))
}

/// What helps against the reason that most jobs were left out for.
fn way_out(reason: Option<&str>) -> &'static str {
    match reason {
        Some(Dropped::NO_LIMIT) => {
            "add time limits with `qcast generate estimates`, or choose a --predictor that needs no limits, such as \
             recent:n=2,stat=mean"
        }
        Some(Dropped::OVER_WIDE) => "set the number of processors with --processors",
        Some(Dropped::BAD_LINE) => "show all bad lines with --problems all",
        _ => "`qcast trace info` shows which fields the log contains",
    }
}
