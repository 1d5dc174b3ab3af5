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
    /// Answer on this TCP address too, such as 127.0.0.1:8642. Who asks there is told of jobs only if a token or a proxy says who
    /// they are. An address that other machines reach needs a certificate.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The certificate for --listen, with those that signed it, in PEM. It is read again when it changes.
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<PathBuf>,
    /// The certificate's key, in PEM, readable by the daemon and not by everybody. It is read again when it changes.
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Let --listen be an address that other machines reach without a certificate, because a proxy in front of it speaks TLS. What
    /// goes over the wire between the two can be read there.
    #[arg(long)]
    tls_by_proxy: bool,
    /// A name by which --listen is asked, such as queue.example.org; repeat it for several. Asked by any other name it does not answer,
    /// but by localhost and by its address it does.
    #[arg(long = "host-name", value_name = "NAME")]
    host_names: Vec<String>,
}

impl ListeningArgs {
    /// What the daemon is told, beside what it is told otherwise.
    pub fn settings(&self, others: ApiSettings) -> Result<ApiSettings, Failure> {
        // In files and on the command line alike: what one says the other may complete, so clap does not see it.
        if self.listen.is_none() && (self.tls_certificate.is_some() || self.tls_by_proxy || !self.host_names.is_empty())
        {
            return Err(Failure::usage("--tls-certificate, --tls-by-proxy or --host-name, and no --listen"));
        }
        if self.tls_certificate.is_some() != self.tls_key.is_some() {
            return Err(Failure::usage("--tls-certificate and --tls-key are given together"));
        }
        if self.tls_by_proxy && self.tls_certificate.is_some() {
            return Err(Failure::usage("--tls-by-proxy and --tls-certificate: one of them speaks TLS"));
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
