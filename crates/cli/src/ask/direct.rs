//! Whether Slurm itself is asked, where no daemon is.
//!
//! For: people on clusters whose administrators run none: they are answered all the same, more slowly, and told so.
//!
//! Not for: how Slurm is asked and what is made of it, which is the daemon's own (`queuecast_daemon::direct`).

use std::io::ErrorKind;
use std::os::unix::net::UnixStream;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use queuecast_api::Client;
use queuecast_daemon::direct::Direct;

use super::inert::inert;
use crate::failure::{Cause, Failure, say};

/// When Slurm itself is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Directly {
    /// Whether or not a daemon is there.
    Always,
    /// Where no daemon listens and none is named.
    Auto,
    /// Not even then.
    Never,
}

impl Directly {
    /// What was said on the command line, or else in the environment.
    pub fn or_of_environment(said: Option<Self>) -> Result<Self, Failure> {
        Self::chosen(said, std::env::var("QCAST_DIRECT").ok().as_deref())
    }

    fn chosen(said: Option<Self>, variable: Option<&str>) -> Result<Self, Failure> {
        match (said, variable) {
            (Some(said), _) => Ok(said),
            (None, None | Some("")) => Ok(Self::Auto),
            (None, Some(word)) => Self::from_str(word, false).map_err(|_| {
                Failure::usage(format_args!("QCAST_DIRECT is {}", inert(word))).with_hint("always, auto or never")
            }),
        }
    }
}

/// Whether there is no daemon at this place: no socket, or one that a daemon has left behind. A daemon whom one may not ask, or who
/// is too busy, is one all the same.
pub fn nobody_listens(socket: &Path) -> bool {
    let refused = UnixStream::connect(socket).map_err(|error| error.kind());
    matches!(refused, Err(ErrorKind::NotFound | ErrorKind::ConnectionRefused | ErrorKind::NotADirectory))
}

/// Asks Slurm, and says so.
pub fn look() -> Result<Client, Failure> {
    let direct = Direct::look().context("no daemon here").map_err(|error| {
        Failure::new(Cause::Input, error).with_hint("ask your administrator for a daemon (`qcast serve`)")
    })?;
    let history = match direct.jobs_of_history() {
        1 => "1 job".to_owned(),
        jobs => format!("{jobs} jobs"),
    };
    say(format_args!("no daemon here: asked Slurm directly; {history} of history; slower, and nobody keeps score"));
    Ok(direct.into_client())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn the_command_line_counts_more_than_the_environment() {
        let chosen = |said, variable| Directly::chosen(said, variable).ok();
        assert_eq!(chosen(None, None), Some(Directly::Auto));
        assert_eq!(chosen(None, Some("")), Some(Directly::Auto));
        assert_eq!(chosen(None, Some("never")), Some(Directly::Never));
        assert_eq!(chosen(Some(Directly::Always), Some("never")), Some(Directly::Always));
        assert_eq!(chosen(None, Some("sometimes")), None);
    }

    #[test]
    fn a_socket_that_was_left_behind_is_nobody_and_one_that_listens_is_somebody() {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("api.sock");
        assert!(nobody_listens(&socket));
        let listener = UnixListener::bind(&socket).expect("a fresh place");
        assert!(!nobody_listens(&socket));
        drop(listener);
        assert!(socket.exists() && nobody_listens(&socket));
    }
}
