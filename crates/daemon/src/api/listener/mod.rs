//! Where askers come in: a unix socket, or a TCP port, with TLS if other machines reach it.
//!
//! For: letting in at most so many at once, at most so many of one user, and none that keep us waiting.
//!
//! Not for: what they ask.

mod connection;
mod quota;
mod socket_file;
mod tls;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{self, IncomingStream};
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::Semaphore;

pub(crate) use self::connection::Connection;
use self::quota::ConnectionQuota;
use self::socket_file::SocketFile;
pub use self::tls::{Tls, TlsError};
use super::identity::Peer;
use super::{ApiError, ApiSettings};

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listen {
    /// On a unix socket: the kernel says who asks.
    Unix(PathBuf),
    /// On a TCP port: who asks must say so.
    Tcp(SocketAddr),
}

/// How long we wait after a connection could not be accepted: out of file handles, and a moment helps.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// An open listener. A socket's file is gone when it is dropped.
pub struct Listener {
    socket: Socket,
    free_connections: Arc<Semaphore>,
    quota: ConnectionQuota,
    patience: Duration,
    own_user_id: u32,
    /// Who may have all connections: root, ourselves, and proxies, behind which there are many.
    exempt: Vec<u32>,
}

enum Socket {
    /// Its file is ours to remove, unless systemd has made it.
    Unix(UnixListener, Option<SocketFile>),
    Tcp(TcpListener, Option<Tls>),
}

impl Listener {
    /// Opens it.
    pub async fn open(listen: &Listen, settings: &ApiSettings) -> Result<Self, ApiError> {
        let socket = match listen {
            Listen::Unix(path) => {
                let (listener, file) = socket_file::bind(path, settings.socket_mode).await?;
                Socket::Unix(listener, Some(file))
            }
            Listen::Tcp(address) => {
                refuse_in_clear(*address, settings)?;
                let bound = TcpListener::bind(address).await;
                let bound = bound.map_err(|error| ApiError::NotBound { place: address.to_string(), error })?;
                Socket::Tcp(bound, settings.tls.clone())
            }
        };
        Self::on(socket, settings)
    }

    /// A unix socket that is open already.
    pub fn on_unix(socket: std::os::unix::net::UnixListener, settings: &ApiSettings) -> Result<Self, ApiError> {
        let opened = socket.set_nonblocking(true).and_then(|()| UnixListener::from_std(socket));
        let opened =
            opened.map_err(|error| ApiError::NotBound { place: "the unix socket from systemd".to_owned(), error })?;
        Self::on(Socket::Unix(opened, None), settings)
    }

    /// A TCP port that is open already.
    pub fn on_tcp(socket: std::net::TcpListener, settings: &ApiSettings) -> Result<Self, ApiError> {
        let failed = |error| ApiError::NotBound { place: "the TCP socket from systemd".to_owned(), error };
        refuse_in_clear(socket.local_addr().map_err(failed)?, settings)?;
        let opened = socket.set_nonblocking(true).and_then(|()| TcpListener::from_std(socket)).map_err(failed)?;
        Self::on(Socket::Tcp(opened, settings.tls.clone()), settings)
    }

    fn on(socket: Socket, settings: &ApiSettings) -> Result<Self, ApiError> {
        let own_user_id =
            own_user_id().map_err(|error| ApiError::NotBound { place: "a socket pair".to_owned(), error })?;
        Ok(Self {
            socket,
            free_connections: Arc::new(Semaphore::new(settings.connections)),
            quota: ConnectionQuota::new(settings.connections, settings.connections_per_user),
            patience: settings.patience,
            own_user_id,
            exempt: [&[0, own_user_id], settings.trusted_proxy_users.as_slice()].concat(),
        })
    }

    /// The TCP address, with the port that was given for port 0.
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.socket {
            Socket::Unix(..) => None,
            Socket::Tcp(listener, _) => listener.local_addr().ok(),
        }
    }

    /// Where it listens, in words.
    pub(crate) fn place(&self) -> String {
        match &self.socket {
            Socket::Unix(_, Some(file)) => file.path().display().to_string(),
            Socket::Unix(listener, None) => {
                let path = listener.local_addr().ok().and_then(|address| address.as_pathname().map(ToOwned::to_owned));
                format!("{} (from systemd)", path.unwrap_or_default().display())
            }
            Socket::Tcp(_, tls) => {
                let address = self.address().map(|address| address.to_string()).unwrap_or_default();
                if tls.is_some() { format!("{address} (TLS)") } else { address }
            }
        }
    }

    /// As whom the daemon runs.
    pub(crate) fn own_user_id(&self) -> u32 {
        self.own_user_id
    }
}

/// Over a port that other machines reach somebody could read along.
fn refuse_in_clear(address: SocketAddr, settings: &ApiSettings) -> Result<(), ApiError> {
    let is_safe = address.ip().to_canonical().is_loopback() || settings.tls.is_some() || settings.tls_by_proxy;
    if is_safe { Ok(()) } else { Err(ApiError::InClear { address }) }
}

/// What the kernel says of us to a peer; we are our own.
fn own_user_id() -> std::io::Result<u32> {
    let (one, _other) = UnixStream::pair()?;
    Ok(one.peer_cred()?.uid())
}

impl serve::Listener for Listener {
    type Io = Connection;
    type Addr = Peer;

    async fn accept(&mut self) -> (Connection, Peer) {
        loop {
            // The place first: who finds none waits in the kernel's queue and costs nothing.
            let Ok(place) = Arc::clone(&self.free_connections).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            let accepted = match &self.socket {
                Socket::Unix(listener, _) => listener.accept().await.map(|(stream, _)| {
                    let peer = stream.peer_cred().map_or(Peer::Unknown, |peer| Peer::Local(peer.uid()));
                    (connection::Stream::Unix(stream), peer)
                }),
                Socket::Tcp(listener, tls) => listener.accept().await.map(|(stream, address)| {
                    // Without it small answers wait for more to send; with it refused they only wait.
                    let _ = stream.set_nodelay(true);
                    let stream = match tls {
                        Some(tls) => connection::Stream::Tls(tls.greet(stream)),
                        None => connection::Stream::Tcp(stream),
                    };
                    (stream, Peer::Address(address.ip()))
                }),
            };
            let Ok((stream, peer)) = accepted else {
                tokio::time::sleep(AFTER_FAILURE).await;
                continue;
            };
            let is_exempt = matches!(peer, Peer::Local(user) if self.exempt.contains(&user));
            let share = if is_exempt { None } else { self.quota.take(peer) };
            if share.is_none() && !is_exempt {
                continue;
            }
            return (Connection::new(stream, self.patience, (place, share)), peer);
        }
    }

    fn local_addr(&self) -> std::io::Result<Peer> {
        Ok(Peer::Local(self.own_user_id))
    }
}

impl Connected<IncomingStream<'_, Listener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Listener>) -> Self {
        *stream.remote_addr()
    }
}
