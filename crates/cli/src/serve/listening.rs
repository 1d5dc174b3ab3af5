//! The options of `qcast serve` that say where it answers over TCP, and how nobody reads along.
//!
//! Not for: who is believed there (`privacy`).

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use queuecast_daemon::api::{ApiSettings, Tls};

use crate::failure::{Cause, Failure};

/// Where it answers over TCP.
#[derive(Debug, Args)]
pub struct ListeningArgs {
    /// TCP address of the HTTP API, in addition to the socket, such as 127.0.0.1:8642.
    ///
    /// Clients see jobs only if a Slurm token or a trusted proxy identifies them.
    /// An address that other machines can reach needs a TLS certificate.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// PEM file with the TLS certificate chain for --listen; the daemon reloads the file when it changes.
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<PathBuf>,
    /// PEM file with the private key of the certificate; the daemon reloads the file when it changes.
    ///
    /// The file must not be readable by users other than its owner and group.
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Allow --listen on a public address without a certificate, because a proxy terminates TLS.
    ///
    /// The traffic between the proxy and the daemon is not encrypted.
    #[arg(long)]
    tls_by_proxy: bool,
    /// Host name of the HTTP API, such as queue.example.org; repeatable.
    ///
    /// Requests for other host names are rejected, except for localhost and the address itself.
    #[arg(long = "host-name", value_name = "NAME")]
    host_names: Vec<String>,
}

impl ListeningArgs {
    /// What the daemon is told, beside what it is told otherwise.
    pub fn settings(&self, others: ApiSettings) -> Result<ApiSettings, Failure> {
        // In files and on the command line alike: what one says the other may complete, so clap does not see it.
        if self.listen.is_none() && (self.tls_certificate.is_some() || self.tls_by_proxy || !self.host_names.is_empty())
        {
            return Err(Failure::usage("--tls-certificate, --tls-by-proxy and --host-name require --listen"));
        }
        if self.tls_certificate.is_some() != self.tls_key.is_some() {
            return Err(Failure::usage("--tls-certificate and --tls-key require each other"));
        }
        if self.tls_by_proxy && self.tls_certificate.is_some() {
            return Err(Failure::usage("--tls-by-proxy conflicts with --tls-certificate"));
        }
        let files = self.tls_certificate.as_ref().zip(self.tls_key.as_ref());
        let tls = files.map(|(certificate, key)| Tls::read(certificate, key)).transpose();
        Ok(ApiSettings {
            tls: tls.map_err(|error| Failure::new(Cause::Input, error))?,
            tls_by_proxy: self.tls_by_proxy,
            host_names: self.host_names.clone(),
            ..others
        })
    }
}
