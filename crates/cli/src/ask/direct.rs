//! Whether Slurm itself is asked, where no daemon is.
//!
//! For: people on clusters whose administrators run none: they are answered all the same, more slowly, and told so.
//!
//! Not for: how Slurm is asked and what is made of it, which is the daemon's own (`queuecast_daemon::direct`).

use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use queuecast_api::Client;
use queuecast_daemon::direct::Direct;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

use super::inert::inert;
use crate::failure::{Cause, Failure, say};
use crate::options::signals::end_programs_with_us;

/// When Slurm itself is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Directly {
    /// Always query Slurm.
    Always,
    /// Query Slurm unless a daemon is named or listens on the default socket.
    Auto,
    /// Never query Slurm.
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
                Failure::usage(format_args!("invalid value for QCAST_DIRECT: {}", inert(word)))
                    .with_hint("use always, auto or never")
            }),
        }
    }
}

/// Whether there is no daemon at this place: no socket, or one that a daemon has left behind. A daemon whom one may not ask, or who
/// is too busy, is one all the same. Nobody is waited for: one whose queue of askers is full would have us wait until it has a place.
pub fn nobody_listens(path: &Path) -> bool {
    let refused = SocketAddrUnix::new(path).and_then(|address| {
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, NOT_WAITING, None)?;
        connect(socket, &address)
    });
    matches!(refused, Err(Errno::NOENT | Errno::CONNREFUSED | Errno::NOTDIR))
}

const NOT_WAITING: SocketFlags = SocketFlags::NONBLOCK.union(SocketFlags::CLOEXEC);

/// Asks Slurm, and says so.
pub fn look() -> Result<Client, Failure> {
    end_programs_with_us();
    let direct = Direct::look().context("no daemon in use, and the direct query to Slurm failed").map_err(|error| {
        Failure::new(Cause::Input, error).with_hint("ask your administrator to run the daemon (`qcast serve`)")
    })?;
    let history = match direct.jobs_of_history() {
        1 => "1 job".to_owned(),
        jobs => format!("{jobs} jobs"),
    };
    say(format_args!(
        "note: queried Slurm directly, without a daemon: {history} of history; slower, and forecasts are not scored"
    ));
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
    fn a_daemon_with_no_place_left_for_askers_is_somebody_and_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("api.sock");
        let address = SocketAddrUnix::new(&path).expect("a short path");
        let listener = socket_with(AddressFamily::UNIX, SocketType::STREAM, NOT_WAITING, None).expect("a socket");
        rustix::net::bind(&listener, &address).expect("a fresh place");
        rustix::net::listen(&listener, 0).expect("it listens");
        let mut waiting = Vec::new();
        loop {
            let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, NOT_WAITING, None).expect("a socket");
            match connect(&socket, &address) {
                Ok(()) => waiting.push(socket),
                Err(error) => break assert_eq!(error, Errno::AGAIN),
            }
        }
        let begun = std::time::Instant::now();
        assert!(!nobody_listens(&path));
        assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
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
