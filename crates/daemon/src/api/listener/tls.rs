//! TLS on a TCP port: a certificate and its key from files, read again when they change.
//!
//! For: being reached from other machines without anybody reading along, and new certificates without a restart. The handshake is part
//! of the first read: it counts against the asker's patience, and nobody else waits for it.
//!
//! Not for: certificates of those who ask; tokens and proxies say who they are.
//!
//! Source: rustls with ring, TLS 1.2 and 1.3 (RFC 8446, RFC 9325); PEM by rustls's own reader (RFC 7468).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use queuecast_wire::{SecretError, SecretReaders, secret};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

use crate::api::reread::Reread;

/// A certificate and its key, as their files have them now. The key is shown to nobody.
#[derive(Clone)]
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    configured: Arc<Reread<ServerConfig>>,
}

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate cannot be read.
    #[error("cannot read the certificate {}: {why}; use a PEM file with the certificate and its chain", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The key cannot be read, or others could.
    #[error(transparent)]
    KeyFile(#[from] SecretError),
    /// The file holds no key.
    #[error("{} contains no usable private key in PEM format: {why}", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The two do not belong together.
    #[error("the certificate {} and the key {} do not match: {why}", certificate.display(), key.display())]
    NotAPair {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// Why.
        why: String,
    },
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tls({})", self.certificate.display())
    }
}

impl PartialEq for Tls {
    fn eq(&self, other: &Self) -> bool {
        (&self.certificate, &self.key) == (&other.certificate, &other.key)
    }
}

impl Eq for Tls {}

impl Tls {
    /// Reads both, and from then on whenever one of the files changes. The key must not be open to others; its group may read it, as
    /// where certificates are renewed by somebody else.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let (certificate, key) = (certificate.to_owned(), key.to_owned());
        let files = (certificate.clone(), key.clone());
        let read = move || configured(&files.0, &files.1);
        let configured = Arc::new(Reread::new(vec![certificate.clone(), key.clone()], read)?);
        Ok(Self { certificate, key, configured })
    }

    pub(super) fn greet(&self, stream: TcpStream) -> Encrypted {
        let acceptor = TlsAcceptor::from(self.configured.current());
        Encrypted::Greeting(Box::new(acceptor.accept(stream)))
    }
}

fn configured(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let not_read = |why: String| TlsError::Certificate { path: certificate.to_owned(), why };
    let pem = std::fs::read(certificate).map_err(|error| not_read(error.to_string()))?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let chain = chain.map_err(|error| not_read(error.to_string()))?;
    if chain.is_empty() {
        return Err(not_read("the file contains no certificate".to_owned()));
    }
    let pem = secret::read(key, "the TLS key", SecretReaders::Group)?;
    let private = PrivateKeyDer::from_pem_slice(&pem)
        .map_err(|error| TlsError::Key { path: key.to_owned(), why: error.to_string() })?;
    let not_a_pair = |error: rustls::Error| TlsError::NotAPair {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        why: error.to_string(),
    };
    let mut configured = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(not_a_pair)?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(not_a_pair)?;
    configured.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(configured)
}

/// A connection over which nothing can be read on the way.
pub(super) enum Encrypted {
    /// The two have not agreed on keys yet.
    Greeting(Box<Accept<TcpStream>>),
    /// They have.
    Open(Box<TlsStream<TcpStream>>),
    /// They will not.
    Failed,
}

impl Encrypted {
    /// The stream, once there is one.
    fn poll_open(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Pin<&mut TlsStream<TcpStream>>>> {
        if let Self::Greeting(accept) = self {
            *self = match ready!(Pin::new(&mut **accept).poll(context)) {
                Ok(stream) => Self::Open(Box::new(stream)),
                Err(error) => {
                    *self = Self::Failed;
                    return Poll::Ready(Err(error));
                }
            };
        }
        Poll::Ready(match self {
            Self::Open(stream) => Ok(Pin::new(&mut **stream)),
            Self::Greeting(_) | Self::Failed => Err(io::ErrorKind::NotConnected.into()),
        })
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_open(context))?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_open(context))?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_open(context))?.poll_write_vectored(context, slices)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Open(stream) => Pin::new(&mut **stream).poll_flush(context),
            Self::Greeting(_) | Self::Failed => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Open(stream) => Pin::new(&mut **stream).poll_shutdown(context),
            Self::Greeting(_) | Self::Failed => Poll::Ready(Ok(())),
        }
    }
}
