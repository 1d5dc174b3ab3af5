//! The options of `qcast serve` that say who is believed and who sees what.
//!
//! Not for: the rule itself (`queuecast_daemon::api`); `docs/operations/privacy.md` has it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use queuecast_daemon::api::{ApiSettings, HeaderName, OthersJobs, ProxySecret, TokenKey};

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
    /// In which header a reverse proxy says who asks, such as X-Forwarded-User. The proxy must take this header out of what it is sent.
    /// Without it no proxy's word counts.
    #[arg(long, value_name = "NAME", value_parser = header)]
    proxy_header: Option<HeaderName>,
    /// The user, by number, as whom such a proxy comes to the unix socket; repeat it for several.
    #[arg(long = "trusted-proxy-uid", value_name = "UID")]
    trusted_proxy_uids: Vec<u32>,
    /// The file with a secret, readable by the daemon only, that such a proxy sends in `X-Queuecast-Proxy-Secret` with every request:
    /// over TCP that is how it is known.
    #[arg(long, value_name = "FILE")]
    proxy_secret_file: Option<PathBuf>,
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
        if self.proxy_header.is_none() && !(self.trusted_proxy_uids.is_empty() && self.proxy_secret_file.is_none()) {
            return Err(Failure::usage("--trusted-proxy-uid or --proxy-secret-file, and no --proxy-header"));
        }
        if self.proxy_header.is_some() && self.trusted_proxy_uids.is_empty() && self.proxy_secret_file.is_none() {
            return Err(Failure::usage(
                "--proxy-header, and no --trusted-proxy-uid or --proxy-secret-file by which who sends it is known",
            ));
        }
        let secret = self.proxy_secret_file.as_ref().map(|path| ProxySecret::read(path)).transpose();
        let key = self.jwt_key.as_ref().map(|path| TokenKey::read(path)).transpose();
        Ok(ApiSettings {
            administrators: self.admin_uids.clone(),
            others_jobs: match self.others_jobs {
                OthersJobsChoice::Hidden => OthersJobs::Hidden,
                OthersJobsChoice::AsSlurm => OthersJobs::AsSlurm,
            },
            token_key: key.map_err(|error| Failure::new(Cause::Input, error))?,
            proxy_header: self.proxy_header.clone(),
            trusted_proxy_users: self.trusted_proxy_uids.clone(),
            proxy_secret: secret.map_err(|error| Failure::new(Cause::Input, error))?,
            ..ApiSettings::default()
        })
    }
}

/// Names that mean something else already say nothing of who asks.
fn header(text: &str) -> Result<HeaderName, String> {
    let name =
        HeaderName::try_from(text).map_err(|_| "not the name of a header, such as X-Forwarded-User".to_owned())?;
    match name.as_str() {
        "authorization"
        | "x-slurm-user-token"
        | "x-queuecast-proxy-secret"
        | "host"
        | "cookie"
        | "content-type"
        | "content-length" => Err(format!("{name} means something else; let the proxy use a header of its own")),
        _ => Ok(name),
    }
}
