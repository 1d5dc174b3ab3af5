//! HTTP clients that keep secrets: no proxy of the environment, no redirection, and TLS as the address says.
//!
//! For: whatever sends a token. A header that is not `Authorization` would follow a redirection to any host.
//!
//! Not for: deadlines and sizes, which are the asker's.
//!
//! Source: rustls with ring, TLS 1.2 and 1.3; certificates are checked against the machine's own authorities, or against those in a
//! file alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use reqwest::Certificate;
use reqwest::blocking::{Client, ClientBuilder};
use reqwest::redirect::Policy;

use crate::Address;

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The authorities cannot be read.
    #[error("the certificates in {} cannot be read: {error}; name a PEM file of the authority", path.display())]
    NotRead {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There are none in the file.
    #[error("{} holds no certificate; name a PEM file of the authority", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
}

/// A client for an address. It believes the certificates of the machine's authorities, or of those in this file and nobody else's.
pub fn at(address: &Address, authorities: Option<&Path>) -> Result<ClientBuilder, ClientError> {
    if !address.is_encrypted() {
        return Ok(plain());
    }
    let builder = bare().https_only(true);
    let Some(path) = authorities else { return Ok(builder) };
    let pem = fs::read(path).map_err(|error| ClientError::NotRead { path: path.to_owned(), error })?;
    match Certificate::from_pem_bundle(&pem) {
        Ok(certificates) if !certificates.is_empty() => Ok(builder.tls_certs_only(certificates)),
        _ => Err(ClientError::NoCertificate { path: path.to_owned() }),
    }
}

/// Without TLS: over a unix socket, or on this machine. The machine's authorities are not read, so that one without any can ask too.
pub fn plain() -> ClientBuilder {
    bare().tls_certs_only([])
}

/// For what holds no token: over the proxies that the environment names.
pub fn with_proxies(is_encrypted: bool) -> ClientBuilder {
    if is_encrypted { bare_with_proxies() } else { bare_with_proxies().tls_certs_only([]) }
}

fn bare() -> ClientBuilder {
    bare_with_proxies().no_proxy()
}

fn bare_with_proxies() -> ClientBuilder {
    // That somebody was faster is no failure: it is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none())
}
