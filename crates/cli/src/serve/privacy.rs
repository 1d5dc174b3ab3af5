//! The options of `qcast serve` that say who is believed and who sees what.
//!
//! Not for: the rule itself (`queuecast_daemon::api`); `docs/privacy.md` has it.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use queuecast_daemon::api::{ApiSettings, HeaderName, OthersJobs, TokenKey};

use crate::failure::{Cause, Failure};

/// Who is believed, and who sees what.
#[derive(Debug, Args)]
pub struct PrivacyArgs {
    /// A user, by number, who sees everything, beside root, the daemon's own user and Slurm's operators and administrators; repeat it
    /// for several.
    #[arg(long = "admin-uid", value_name = "UID")]
    admin_uids: Vec<u32>,
    /// Whether users are shown the jobs of others.
    #[arg(long, value_enum, default_value_t)]
    others_jobs: OthersJobsChoice,
    /// The key that slurmctld signs tokens with (`AuthAltParameters=jwt_key=...`), readable by the daemon and not by everybody. Whoever
    /// sends a token of Slurm's (`scontrol token`) is its user.
    #[arg(long, value_name = "FILE")]
    jwt_key: Option<PathBuf>,
    /// The address of a reverse proxy that says who asks; repeat it for several. Every user of the machine that has this address can do
    /// the same: where users log in, let the proxy come to the unix socket (--trusted-proxy-uid).
    #[arg(long = "trusted-proxy", value_name = "IP", requires = "listen")]
    trusted_proxies: Vec<IpAddr>,
    /// The user, by number, as whom a reverse proxy that says who asks comes to the unix socket; repeat it for several.
    #[arg(long = "trusted-proxy-uid", value_name = "UID")]
    trusted_proxy_uids: Vec<u32>,
    /// In which header it says so. The proxy must take this header out of what it is sent.
    #[arg(long, value_name = "NAME", default_value = "X-Remote-User", value_parser = header)]
    proxy_header: HeaderName,
}

/// As it is written on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OthersJobsChoice {
    /// Never.
    #[default]
    Hidden,
    /// Where Slurm shows them too: without `jobs` in `PrivateData`.
    AsSlurm,
}

impl PrivacyArgs {
    /// What the daemon is told; the rest is as usual.
    pub fn settings(&self) -> Result<ApiSettings, Failure> {
        let usual = ApiSettings::default();
        let trusts_nobody = self.trusted_proxies.is_empty() && self.trusted_proxy_uids.is_empty();
        if trusts_nobody && self.proxy_header != usual.proxy_header {
            return Err(Failure::usage("--proxy-header, and no --trusted-proxy or --trusted-proxy-uid who sends it"));
        }
        let key = self.jwt_key.as_ref().map(|path| TokenKey::read(path)).transpose();
        Ok(ApiSettings {
            administrators: self.admin_uids.clone(),
            others_jobs: match self.others_jobs {
                OthersJobsChoice::Hidden => OthersJobs::Hidden,
                OthersJobsChoice::AsSlurm => OthersJobs::AsSlurm,
            },
            token_key: key.map_err(|error| Failure::new(Cause::Input, error))?,
            trusted_proxies: self.trusted_proxies.iter().map(IpAddr::to_canonical).collect(),
            trusted_proxy_users: self.trusted_proxy_uids.clone(),
            proxy_header: self.proxy_header.clone(),
            ..usual
        })
    }
}

/// Names that mean something else already say nothing of who asks.
fn header(text: &str) -> Result<HeaderName, String> {
    let name = HeaderName::try_from(text).map_err(|_| "not the name of a header, such as X-Remote-User".to_owned())?;
    match name.as_str() {
        "authorization" | "x-slurm-user-token" | "host" | "cookie" | "content-type" | "content-length" => {
            Err(format!("{name} means something else; let the proxy use a header of its own"))
        }
        _ => Ok(name),
    }
}
