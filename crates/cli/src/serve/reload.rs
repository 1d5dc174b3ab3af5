//! What a running daemon is told when its configuration was changed: on a signal (HUP) everything is read again.
//!
//! For: who is believed and who sees what, how users may be told, how often Slurm is asked, how long things are kept, what is logged. All of it counts at once.
//!
//! Not for: where it listens, where it keeps things and how Slurm is asked. That needs a restart, and is said.

use std::sync::{Mutex, PoisonError};

use queuecast_daemon::{ReadAgain, Reloaded};

use super::ServeArgs;
use super::log::Level;
use crate::config::layers::{Configuration, Setting};
use crate::failure::Failure;

/// What counts without a restart.
const AT_ONCE: [&str; 19] = [
    "admin-uid",
    "others-jobs",
    "jwt-key",
    "proxy-header",
    "trusted-proxy-uid",
    "proxy-secret-file",
    "host-name",
    "queue-interval",
    "nodes-interval",
    "accounting-interval",
    "keep-days",
    "store-limit",
    "notification-host",
    "notification-mail",
    "notification-mail-from",
    "notification-mail-server",
    "notification-mail-server-file",
    "notification-command",
    "log-level",
];

/// Reads everything again whenever it is called, and says what is not as it was.
pub fn reading_again(arguments: ServeArgs, begun_with: Configuration, level: Level) -> ReadAgain {
    // What needs a restart is said again each time, until there was one.
    let counts = Mutex::new(begun_with.settings);
    Box::new(move || {
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        read_again(&arguments, &mut counts, &level).map_err(|failure| failure.told())
    })
}

fn read_again(arguments: &ServeArgs, counts: &mut [Setting], level: &Level) -> Result<Reloaded, Failure> {
    let configuration = arguments.configuration()?;
    let options = configuration.options()?;
    let settings = options.settings()?;
    // It is gone only with the daemon.
    let _ = level.modify(|level| *level = options.log.level());
    let (mut changed, mut needs_restart) = (Vec::new(), Vec::new());
    for (before, now) in counts.iter_mut().zip(configuration.settings) {
        if before.values == now.values {
            continue;
        }
        if AT_ONCE.contains(&now.key.as_str()) {
            changed.push(now.key.clone());
            *before = now;
        } else {
            needs_restart.push(now.key);
        }
    }
    Ok(Reloaded { settings, changed, needs_restart })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys::Keys;

    #[test]
    fn what_counts_at_once_are_options_that_there_are() {
        let keys = Keys::of_serve();
        for key in AT_ONCE {
            assert!(keys.find(key).is_some(), "{key}");
        }
    }
}
