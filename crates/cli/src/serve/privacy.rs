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
    /// User ID of an administrator, who sees all jobs; repeatable.
    ///
    /// Root, the daemon's user, and the operators and administrators of Slurm always see all jobs.
    #[arg(long = "admin-uid", value_name = "UID")]
    admin_uids: Vec<u32>,
    /// Visibility of other users' jobs.
    #[arg(long, value_enum, default_value_t)]
    others_jobs: OthersJobsChoice,
    /// File with the key for Slurm tokens, as configured by `AuthAltParameters=jwt_key=...`.
    ///
    /// A client that sends a valid token (`scontrol token`) is authenticated as its user.
    /// The file must not be readable by users other than its owner and group.
    #[arg(long, value_name = "FILE")]
    jwt_key: Option<PathBuf>,
    /// Header in which a trusted reverse proxy sends the user name, such as X-Forwarded-User.
    ///
    /// The proxy must remove this header from incoming requests.
    /// Without this option, no proxy is trusted.
    #[arg(long, value_name = "NAME", value_parser = header)]
    proxy_header: Option<HeaderName>,
    /// User ID of a trusted proxy that connects to the Unix socket; repeatable.
    #[arg(long = "trusted-proxy-uid", value_name = "UID")]
    trusted_proxy_uids: Vec<u32>,
    /// File with a secret that identifies a trusted proxy over TCP; readable only by the daemon.
    ///
    /// The proxy sends the secret in the header `X-Queuecast-Proxy-Secret` of every request.
    #[arg(long, value_name = "FILE")]
    proxy_secret_file: Option<PathBuf>,
}

/// As it is written on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OthersJobsChoice {
    /// Users see only their own jobs.
    #[default]
    Hidden,
    /// Users see other jobs if Slurm shows them, that is if `PrivateData` does not list `jobs`.
    AsSlurm,
}

impl PrivacyArgs {
    /// What the daemon is told; the rest is as usual.
    pub fn settings(&self) -> Result<ApiSettings, Failure> {
        if self.proxy_header.is_none() && !(self.trusted_proxy_uids.is_empty() && self.proxy_secret_file.is_none()) {
            return Err(Failure::usage("--trusted-proxy-uid and --proxy-secret-file require --proxy-header"));
        }
        if self.proxy_header.is_some() && self.trusted_proxy_uids.is_empty() && self.proxy_secret_file.is_none() {
            return Err(Failure::usage(
                "--proxy-header requires --trusted-proxy-uid or --proxy-secret-file, to identify the proxy",
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
        HeaderName::try_from(text).map_err(|_| "expected the name of a header, such as X-Forwarded-User".to_owned())?;
    match name.as_str() {
        "authorization"
        | "x-slurm-user-token"
        | "x-queuecast-proxy-secret"
        | "host"
        | "cookie"
        | "content-type"
        | "content-length" => {
            Err(format!("the header {name} has another meaning; use a separate header, such as X-Forwarded-User"))
        }
        _ => Ok(name),
    }
}
