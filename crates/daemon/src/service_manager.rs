//! What systemd tells a daemon and is told by it: ready, reading its configuration again, stopping, still alive; and sockets that it holds open.
//!
//! For: `Type=notify`, `WatchdogSec=` and `queuecast.socket`. Where there is no systemd nothing happens.
//!
//! Not for: any other reason to end or to wait.
//!
//! Source: `sd_notify(3)`, `sd_listen_fds(3)`, systemd.service(5).

use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::Duration;

use listenfd::ListenFd;
use sd_notify::NotifyState;
use tracing::{error, warn};

use crate::watch::Pulse;

/// For so long a step of the watching may last before we stop saying that we are alive. The longest that is no fault is a slow accounting database with a full
/// disk behind it; each question has ten seconds.
const STUCK: Duration = Duration::from_mins(10);

/// What systemd was told.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// Questions are answered.
    Ready,
    /// The configuration is read again; ready follows.
    Reloading,
    /// No more questions are taken.
    Stopping,
}

/// Tells it. That nobody takes it is no reason to stop answering.
pub fn tell(state: State) {
    let told = match state {
        State::Ready => sd_notify::notify(&[NotifyState::Ready]),
        State::Reloading => {
            NotifyState::monotonic_usec_now().and_then(|now| sd_notify::notify(&[NotifyState::Reloading, now]))
        }
        State::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
    };
    if let Err(error) = told {
        warn!(%error, ?state, "cannot notify systemd of the daemon state");
    }
}

/// Says that we are alive for as long as we are: this runs where questions are answered, and asks whether the watching goes on.
pub async fn stay_alive(pulse: Arc<Pulse>) {
    let Some(patience) = sd_notify::watchdog_enabled() else { return };
    let mut is_stuck = false;
    loop {
        if pulse.busy_for().is_none_or(|busy| busy < STUCK) {
            is_stuck = false;
            // A datagram; if this one is lost the next is not.
            let _ = sd_notify::notify(&[NotifyState::Watchdog]);
        } else if !std::mem::replace(&mut is_stuck, true) {
            error!(minutes = STUCK.as_secs() / 60, "polling loop stalled; systemd watchdog will restart the daemon");
        }
        tokio::time::sleep(patience / 3).await;
    }
}

/// Sockets that systemd has opened for us.
#[derive(Debug, Default)]
pub struct Inherited {
    /// A unix socket.
    pub unix: Option<UnixListener>,
    /// A TCP port.
    pub tcp: Option<TcpListener>,
}

impl Inherited {
    /// Takes them; each can be taken once.
    pub fn take() -> Self {
        let mut sockets = ListenFd::from_env();
        let mut inherited = Self::default();
        for index in 0..sockets.len() {
            if let Ok(Some(socket)) = sockets.take_unix_listener(index) {
                inherited.unix = Some(socket);
            } else if let Ok(Some(socket)) = sockets.take_tcp_listener(index) {
                inherited.tcp = Some(socket);
            } else {
                warn!(index, "ignoring a socket from systemd that is not a unix stream or TCP socket");
            }
        }
        inherited
    }
}
