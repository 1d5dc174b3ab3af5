//! Where askers come in: a unix socket, or a TCP port of this machine.
//!
//! For: letting in at most so many at once, at most so many of one user, and none that keep us waiting.
//!
//! Not for: what they ask.

mod guests;
mod socket_file;
mod visitor;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::Semaphore;

use self::guests::Guests;
use self::socket_file::SocketFile;
pub(crate) use self::visitor::Visitor;
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

/// An open door. A socket's file is gone when it is dropped.
pub struct Door {
    entrance: Entrance,
    places: Arc<Semaphore>,
    guests: Guests,
    patience: Duration,
    own_user_id: u32,
    /// Who may have all connections: root, ourselves, and proxies, behind which there are many.
    exempt: Vec<u32>,
}

enum Entrance {
    Unix(UnixListener, SocketFile),
    Tcp(TcpListener),
}

impl Door {
    /// Opens it.
    pub async fn open(listen: &Listen, settings: &ApiSettings) -> Result<Self, ApiError> {
        let entrance = match listen {
            Listen::Unix(path) => {
                let (listener, file) = socket_file::bind(path, settings.socket_mode).await?;
                Entrance::Unix(listener, file)
            }
            Listen::Tcp(address) if !address.ip().is_loopback() && !settings.listen_anywhere => {
                return Err(ApiError::NotLoopback { address: *address });
            }
            Listen::Tcp(address) => {
                let bound = TcpListener::bind(address).await;
                Entrance::Tcp(bound.map_err(|error| ApiError::NotBound { place: address.to_string(), error })?)
            }
        };
        let own_user_id =
            own_user_id().map_err(|error| ApiError::NotBound { place: "a socket pair".to_owned(), error })?;
        Ok(Self {
            entrance,
            places: Arc::new(Semaphore::new(settings.connections)),
            guests: Guests::new(settings.connections_per_user),
            patience: settings.patience,
            own_user_id,
            exempt: [&[0, own_user_id], settings.trusted_proxy_users.as_slice()].concat(),
        })
    }

    /// The TCP address, with the port that was given for port 0.
    pub fn address(&self) -> Option<SocketAddr> {
        match &self.entrance {
            Entrance::Unix(..) => None,
            Entrance::Tcp(listener) => listener.local_addr().ok(),
        }
    }

    /// The socket's path.
    pub fn path(&self) -> Option<&Path> {
        match &self.entrance {
            Entrance::Unix(_, file) => Some(file.path()),
            Entrance::Tcp(_) => None,
        }
    }

    /// As whom the daemon runs.
    pub(crate) fn own_user_id(&self) -> u32 {
        self.own_user_id
    }
}

/// What the kernel says of us to a peer; we are our own.
fn own_user_id() -> std::io::Result<u32> {
    let (one, _other) = UnixStream::pair()?;
    Ok(one.peer_cred()?.uid())
}

impl Listener for Door {
    type Io = Visitor;
    type Addr = Peer;

    async fn accept(&mut self) -> (Visitor, Peer) {
        loop {
            // The place first: who finds none waits in the kernel's queue and costs nothing.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            let accepted = match &self.entrance {
                Entrance::Unix(listener, _) => listener.accept().await.map(|(stream, _)| {
                    let peer = stream.peer_cred().map_or(Peer::Unknown, |peer| Peer::Local(peer.uid()));
                    (visitor::Stream::Unix(stream), peer)
                }),
                Entrance::Tcp(listener) => listener.accept().await.map(|(stream, address)| {
                    // Without it small answers wait for more to send; with it refused they only wait.
                    let _ = stream.set_nodelay(true);
                    (visitor::Stream::Tcp(stream), Peer::Address(address.ip()))
                }),
            };
            let Ok((stream, peer)) = accepted else {
                tokio::time::sleep(AFTER_FAILURE).await;
                continue;
            };
            let guest = match peer {
                Peer::Local(user) if !self.exempt.contains(&user) => match self.guests.enter(user) {
                    Some(guest) => Some(guest),
                    None => continue,
                },
                _ => None,
            };
            return (Visitor::new(stream, self.patience, (place, guest)), peer);
        }
    }

    fn local_addr(&self) -> std::io::Result<Peer> {
        Ok(Peer::Local(self.own_user_id))
    }
}

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        *stream.remote_addr()
    }
}
