//! What a daemon says of itself: a line of time, level and fields on standard error for whatever an administrator should know.
//!
//! Not for: what was asked and answered; figures of that are in `/metrics`.

use std::io;

use tracing::level_filters::LevelFilter;

use crate::ask::inert::inert;
use crate::failure::Failure;

/// From the level in `QCAST_LOG` on, or else `info`; times are in UTC.
pub fn begin() -> Result<(), Failure> {
    let level = level(std::env::var("QCAST_LOG").ok().as_deref())?;
    let log = tracing_subscriber::fmt().with_max_level(level).with_target(false).with_ansi(false);
    // The library would say on standard error that a line could not be written there, and panic when that fails: a full disk under the log must not
    // end the daemon.
    log.with_writer(io::stderr).log_internal_errors(false).init();
    Ok(())
}

fn level(variable: Option<&str>) -> Result<LevelFilter, Failure> {
    match variable {
        None | Some("") => Ok(LevelFilter::INFO),
        Some(word) => word.parse().map_err(|_| {
            Failure::usage(format_args!("QCAST_LOG is {}", inert(word)))
                .with_hint("off, error, warn, info, debug or trace")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_word_and_anything_else_is_refused() {
        assert_eq!(level(None).ok(), Some(LevelFilter::INFO));
        assert_eq!(level(Some("warn")).ok(), Some(LevelFilter::WARN));
        assert_eq!(level(Some("off")).ok(), Some(LevelFilter::OFF));
        assert!(level(Some("loud")).is_err());
    }
}
