//! The interface: HTTP with JSON on a unix socket, or on a TCP port of this machine.
//!
//! For: `qcast when`, portals, workflows and Prometheus. Everything is answered from the [`Board`]: however many ask, Slurm
//! is asked nothing. `docs/api.md` describes it for those who use it.
//!
//! Not for: TLS and passwords. Who wants to be reached from elsewhere puts a reverse proxy in front, or gives out Slurm's tokens.
//!
//! A request passes through `listener` (how many at once, how slowly), `middleware` (how long it may take), `admit` (who asks, how often),
//! `routes` and the asker's `view`, and leaves as one of `queuecast-api`'s answers.

mod admit;
pub mod answer;
pub(crate) mod asker;
mod awaited;
mod desk;
mod identity;
mod in_process;
mod limiter;
mod listener;
mod metrics;
mod middleware;
mod past;
mod permissions;
#[cfg(test)]
mod privacy_matrix;
mod routes;
mod silent;
#[cfg(test)]
pub(crate) mod test_board;
mod view;

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
pub use axum::http::HeaderName;
use axum::serve::{self, IncomingStream};
use queuecast_workload::Seconds;
use tokio::sync::oneshot;

use self::identity::Peer;
pub use self::identity::{KeyFileError, TokenKey};
pub(crate) use self::in_process::InProcess;
pub use self::listener::{Listen, Listener};
pub use self::past::Past;
pub use self::permissions::OthersJobs;
use self::routes::Api;
pub use self::routes::openapi_json;
pub(crate) use self::silent::Silent;
use crate::board::Board;
use crate::clock::Clock;

/// Bodies are at most so long.
pub const LARGEST_BODY: usize = 64 * 1024;

/// How long those who are being answered have left when the daemon stops.
const GRACE: Duration = Duration::from_secs(1);

/// How the interface behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiSettings {
    /// Permissions of the socket's file. Everybody on the machine may ask unless said otherwise.
    pub socket_mode: u32,
    /// Whether a TCP port may be open to other machines.
    pub listen_anywhere: bool,
    /// Users who see everything, beside root, the daemon's own and Slurm's operators and administrators.
    pub administrators: Vec<u32>,
    /// Whether users are shown the jobs of others.
    pub others_jobs: OthersJobs,
    /// With what Slurm signs tokens. Without it no token counts.
    pub token_key: Option<TokenKey>,
    /// Addresses of proxies whose word counts on who asks.
    pub trusted_proxies: Vec<IpAddr>,
    /// Users, by number, as whom such proxies come to the unix socket.
    pub trusted_proxy_users: Vec<u32>,
    /// In which header they say it.
    pub proxy_header: HeaderName,
    /// Nothing is said of starts that may be further away.
    pub horizon: Seconds,
    /// Connections at once.
    pub connections: usize,
    /// Of these, a single user's at most.
    pub connections_per_user: usize,
    /// Requests of one user at once.
    pub requests_at_once: u32,
    /// And after those, so many a second.
    pub requests_per_second: u32,
    /// How long a request may take us.
    pub request_limit: Duration,
    /// How long a request may take us for which futures are played again.
    pub advice_limit: Duration,
    /// How long a client may take to ask, or to take an answer.
    pub patience: Duration,
    /// Hypothetical jobs that are forecast at once.
    pub advisers: usize,
    /// Waiting jobs whose futures are played again at once.
    pub advisers_playing_again: usize,
    /// Where jobs that have ended are looked up.
    pub past: Past,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            socket_mode: 0o666,
            listen_anywhere: false,
            administrators: Vec::new(),
            others_jobs: OthersJobs::default(),
            token_key: None,
            trusted_proxies: Vec::new(),
            trusted_proxy_users: Vec::new(),
            proxy_header: HeaderName::from_static("x-remote-user"),
            horizon: Seconds(30 * 86_400),
            connections: 1_000,
            connections_per_user: 250,
            requests_at_once: 30,
            requests_per_second: 2,
            request_limit: Duration::from_secs(2),
            advice_limit: Duration::from_secs(20),
            patience: Duration::from_secs(30),
            advisers: 2,
            advisers_playing_again: 2,
            past: Past::default(),
        }
    }
}

/// Why the interface cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Others could reach it.
    #[error(
        "{address} can be reached from other machines, without a password; listen on 127.0.0.1 behind a reverse proxy, or say --listen-anywhere"
    )]
    NotLoopback {
        /// Where it should have listened.
        address: SocketAddr,
    },
    /// Something else is there.
    #[error("{} exists and is not a socket; name another path, or remove it yourself", path.display())]
    NotASocket {
        /// Where the socket should be.
        path: PathBuf,
    },
    /// Somebody listens there.
    #[error("somebody listens on {}; stop that daemon first, or name another path", path.display())]
    InUse {
        /// Where the socket should be.
        path: PathBuf,
    },
    /// There is no place for the socket.
    #[error("the socket's folder {} cannot be used: {error}; make it, writable by the daemon only", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others could put their own socket there.
    #[error("everybody may replace files in {}; use a folder that only the daemon may write to", folder.display())]
    UnsafeFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The system does not let us.
    #[error("cannot listen on {place}: {error}")]
    NotBound {
        /// Where.
        place: String,
        /// Why.
        error: io::Error,
    },
    /// It stopped by itself.
    #[error("the interface stopped: {0}")]
    Stopped(#[from] io::Error),
}

/// Answers on an open listener until `shutdown`.
pub async fn serve(
    listener: Listener,
    board: Board,
    clock: Clock,
    settings: ApiSettings,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ApiError> {
    let own_user_id = listener.own_user_id();
    answer_all(listener, Arc::new(Api::new(board, clock, settings, own_user_id)), shutdown).await
}

async fn answer_all<L>(
    listener: L,
    api: Arc<Api>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ApiError>
where
    L: serve::Listener<Addr = Peer>,
    for<'a> Peer: Connected<IncomingStream<'a, L>>,
{
    let (stopping, stopped) = oneshot::channel::<()>();
    let signal = async move {
        shutdown.await;
        // Nobody listens for it only if serving has ended already.
        let _ = stopping.send(());
    };
    let service = routes::router(&api).into_make_service_with_connect_info::<Peer>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(signal);
    let grace = async move {
        match stopped.await {
            Ok(()) => tokio::time::sleep(GRACE).await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        served = async { serving.await } => Ok(served?),
        () = grace => Ok(()),
    }
}
