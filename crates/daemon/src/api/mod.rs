//! The interface: HTTP with JSON on a unix socket, or on a TCP port, with TLS if other machines reach it.
//!
//! For: `qcast when`, portals, workflows and Prometheus. Everything is answered from the [`Board`]: however many ask, Slurm
//! is asked nothing. `docs/reference/api.md` describes it for those who use it.
//!
//! Not for: passwords. Who wants to be reached from elsewhere gives out Slurm's tokens, or puts a reverse proxy in front.
//!
//! A request passes through `listener` (how many at once, how slowly), `middleware` (how long it may take), `admit` (whether we are meant, who asks, how often),
//! `routes` and the asker's `view`, and leaves as one of `queuecast-api`'s answers.

mod admit;
pub mod answer;
pub(crate) mod asker;
mod audit;
mod awaited;
mod desk;
mod host;
mod identity;
mod in_process;
mod limiter;
mod listener;
mod live;
mod metrics;
mod middleware;
mod past;
mod permissions;
#[cfg(test)]
mod privacy_matrix;
mod reread;
mod routes;
mod silent;
#[cfg(test)]
pub(crate) mod test_board;
mod threads;
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
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use self::identity::Peer;
pub use self::identity::{KeyFileError, ProxySecret, ProxySecretError, TokenKey};
pub(crate) use self::in_process::InProcess;
pub use self::listener::{Listen, Listener, Tls, TlsError};
pub use self::live::LiveSettings;
pub use self::past::Past;
pub use self::permissions::OthersJobs;
use self::routes::Api;
pub use self::routes::openapi_json;
pub(crate) use self::silent::Silent;
use crate::board::Board;
use crate::clock::Clock;
use crate::notices::{NoticeSettings, Sender};

/// Bodies are at most so long.
pub const LARGEST_BODY: usize = 64 * 1024;

/// How long those who are being answered have left when the daemon stops.
const GRACE: Duration = Duration::from_secs(1);

/// How the interface behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiSettings {
    /// Permissions of the socket's file. Everybody on the machine may ask unless said otherwise.
    pub socket_mode: u32,
    /// With what TLS is spoken on a TCP port. Without it only this machine may reach the port.
    pub tls: Option<Tls>,
    /// Whether a port without TLS may be open to other machines, because a proxy in front of it speaks TLS.
    pub tls_by_proxy: bool,
    /// Names by which askers over TCP mean this daemon, beside this machine's own numbers.
    pub host_names: Vec<String>,
    /// The address that is listened on, which is known once it is.
    pub own_address: Option<IpAddr>,
    /// Users who see everything, beside root, the daemon's own and Slurm's operators and administrators.
    pub administrators: Vec<u32>,
    /// Whether users are shown the jobs of others.
    pub others_jobs: OthersJobs,
    /// With what Slurm signs tokens. Without it no token counts.
    pub token_key: Option<TokenKey>,
    /// In which header a proxy says who asks. Without it no proxy's word counts.
    pub proxy_header: Option<HeaderName>,
    /// Users, by number, as whom such proxies come to the unix socket.
    pub trusted_proxy_users: Vec<u32>,
    /// What such proxies send along, over TCP, so that they are known.
    pub proxy_secret: Option<ProxySecret>,
    /// Nothing is said of starts that may be further away.
    pub horizon: Seconds,
    /// Connections at once.
    pub connections: usize,
    /// Of these, a single user's, or a single address's, at most.
    pub connections_per_user: usize,
    /// Requests of one user at once.
    pub requests_at_once: u32,
    /// And after those, so many a second.
    pub requests_per_second: u32,
    /// How long a request may take us.
    pub request_limit: Duration,
    /// How long a request may take us for which several sets of futures are played, or a table.
    pub advice_limit: Duration,
    /// How long a client may take to ask, or to take an answer.
    pub patience: Duration,
    /// Hypothetical jobs that are forecast at once, and as many tables of them.
    pub advisers: usize,
    /// Questions that are answered at once for which several sets of futures are played: what would help, limits, places, sizes.
    pub advisers_playing_again: usize,
    /// Where jobs that have ended are looked up.
    pub past: Past,
    /// The store whose history an operator may have replayed.
    pub history: Option<PathBuf>,
    /// How users may be told of their jobs.
    pub notices: NoticeSettings,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            socket_mode: 0o666,
            tls: None,
            tls_by_proxy: false,
            host_names: Vec::new(),
            own_address: None,
            administrators: Vec::new(),
            others_jobs: OthersJobs::default(),
            token_key: None,
            proxy_header: None,
            trusted_proxy_users: Vec::new(),
            proxy_secret: None,
            horizon: Seconds(30 * 86_400),
            // Each page that is looked at holds one.
            connections: 2_000,
            connections_per_user: 250,
            requests_at_once: 30,
            requests_per_second: 2,
            request_limit: Duration::from_secs(2),
            advice_limit: Duration::from_secs(20),
            patience: Duration::from_secs(30),
            advisers: 2,
            advisers_playing_again: 2,
            history: None,
            past: Past::default(),
            notices: NoticeSettings::default(),
        }
    }
}

/// Why the interface cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Others could reach it, and read along.
    #[error(
        "{address} is reachable from other machines, and without TLS, tokens and responses could be intercepted; set a certificate \
         (--tls-certificate, --tls-key), listen on 127.0.0.1, or set --tls-by-proxy if a proxy in front of the daemon does TLS"
    )]
    InClear {
        /// Where it should have listened.
        address: SocketAddr,
    },
    /// Something else is there.
    #[error("{} exists and is not a socket; choose another path, or remove the file", path.display())]
    NotASocket {
        /// Where the socket should be.
        path: PathBuf,
    },
    /// Somebody listens there.
    #[error("another process is listening on {}; stop that daemon first, or choose another path", path.display())]
    InUse {
        /// Where the socket should be.
        path: PathBuf,
    },
    /// There is no place for the socket.
    #[error("cannot use the socket directory {}: {error}; create the directory, writable by the daemon only", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others could put their own socket there.
    #[error("other users may replace files in {}; use a directory that only the daemon may write to", folder.display())]
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
    #[error("the HTTP API stopped: {0}")]
    Stopped(#[from] io::Error),
}

/// Answers on open listeners until `shutdown`. If one of them stops by itself, all do.
pub async fn serve(
    listeners: Vec<Listener>,
    board: Board,
    clock: Clock,
    settings: impl Into<LiveSettings>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ApiError> {
    let settings = settings.into();
    let own_address = listeners.iter().find_map(Listener::address).map(|address| address.ip());
    settings.put(ApiSettings { own_address, ..(*settings.now()).clone() });
    let own_user_id = listeners.first().map_or(0, Listener::own_user_id);
    let api = Arc::new(Api::new(board, clock, settings, own_user_id));
    let telling = tokio::spawn(Arc::clone(&api).send_for_ever());
    let (stop, stopped) = watch::channel(false);
    let mut answering: JoinSet<_> = listeners
        .into_iter()
        .map(|listener| {
            let mut stopped = stopped.clone();
            let told_to_stop = async move {
                // Whoever could tell is gone: that is the end too.
                let _ = stopped.wait_for(|is_over| *is_over).await;
            };
            answer_all(listener, Arc::clone(&api), told_to_stop)
        })
        .collect();
    tokio::spawn(async move {
        shutdown.await;
        stop.send_replace(true);
    });
    let ended = loop {
        match answering.join_next().await {
            Some(Ok(Ok(()))) => {}
            Some(Ok(Err(error))) => break Err(error),
            Some(Err(broken)) => break Err(ApiError::Stopped(io::Error::other(broken))),
            None => break Ok(()),
        }
    };
    telling.abort();
    ended
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
