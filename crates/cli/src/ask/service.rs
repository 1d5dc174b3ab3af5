//! Whom people ask: the daemon that is named or usual, or where there is none, what stands in for it in this process (`direct`).
//!
//! Not for: asking (`queuecast_api`), and what is made of the answer. Connect only when the question is understood: without a daemon
//! Slurm is asked at once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use queuecast_api::{AskError, Client, DEADLINE, PATIENT_DEADLINE, USUAL_SOCKET};

use super::direct::{self, Directly};
use super::inert::inert;
use crate::failure::{Cause, Failure};

/// Where the daemon is.
#[derive(Clone, Debug, Args)]
pub struct ServiceArgs {
    /// Socket of the daemon [default: `QCAST_SOCKET`, or /run/queuecast/api.sock].
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    socket: Option<PathBuf>,
    /// URL of the daemon, instead of its socket, such as `https://login1:8642`.
    ///
    /// The Slurm token in `SLURM_JWT`, if set, is sent to identify you.
    /// The token is sent only over https, or over http to this machine.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Trust only the certificate authorities in this PEM file [default: `QCAST_CA_FILE`, or the system's authorities].
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Query Slurm directly instead of a daemon: always, never or auto [default: `QCAST_DIRECT`, or auto].
    ///
    /// With auto, qcast queries Slurm unless a daemon is named or listens on the default socket.
    #[arg(long, value_name = "WHEN", value_enum, hide_possible_values = true)]
    direct: Option<Directly>,
    /// In which variable the token is that is sent. A token is for one cluster: another could use it there.
    #[arg(skip = TOKEN.to_owned())]
    token_variable: String,
}

/// The token for the daemon that is named by itself.
const TOKEN: &str = "SLURM_JWT";

impl ServiceArgs {
    /// At a place that is written down for a cluster: an address, or else the path of a socket. What else is said of a daemon counts
    /// for this one too, but the token is the cluster's own.
    pub fn at(&self, cluster: &str, place: &str) -> Self {
        let is_address = place.contains("://");
        Self {
            socket: (!is_address).then(|| PathBuf::from(place)),
            url: is_address.then(|| place.to_owned()),
            ca_file: self.ca_file.clone(),
            direct: None,
            token_variable: token_variable(cluster),
        }
    }

    /// The daemon at this place, of which nothing is asked yet; where there is none, Slurm itself.
    pub fn connect(&self) -> Result<Client, Failure> {
        self.connect_within(DEADLINE)
    }

    /// The same for questions for which futures are played.
    pub fn connect_patiently(&self) -> Result<Client, Failure> {
        self.connect_within(PATIENT_DEADLINE)
    }

    /// The daemon at this place and nobody else, for what only one who stays can tell. Nothing is asked yet.
    pub fn connect_to_daemon(&self) -> Result<Client, Failure> {
        if Directly::or_of_environment(self.direct)? == Directly::Always {
            return Err(Failure::usage("this command needs a daemon and cannot run with --direct always")
                .with_hint("remove --direct, and unset QCAST_DIRECT"));
        }
        self.listening(DEADLINE)
    }

    fn connect_within(&self, deadline: Duration) -> Result<Client, Failure> {
        if self.is_direct()? { direct::look() } else { self.listening(deadline) }
    }

    fn listening(&self, deadline: Duration) -> Result<Client, Failure> {
        if let Some(url) = &self.url {
            let token = std::env::var(&self.token_variable).ok().filter(|token| !token.is_empty());
            let variable = || std::env::var_os("QCAST_CA_FILE").filter(|path| !path.is_empty()).map(PathBuf::from);
            let authorities = self.ca_file.clone().or_else(variable);
            return Ok(Client::at_url(url, deadline, token, authorities.as_deref())?);
        }
        let socket = self.named_socket().unwrap_or_else(|| PathBuf::from(USUAL_SOCKET));
        Ok(Client::at_socket(&socket, deadline)?)
    }

    /// The socket that is named, if one is.
    fn named_socket(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os("QCAST_SOCKET").filter(|path| !path.is_empty()).map(PathBuf::from);
        self.socket.clone().or_else(variable)
    }

    /// Whether Slurm itself is to be asked.
    fn is_direct(&self) -> Result<bool, Failure> {
        let is_named = self.url.is_some() || self.named_socket().is_some();
        match Directly::or_of_environment(self.direct)? {
            Directly::Always if self.url.is_some() || self.socket.is_some() => {
                Err(Failure::usage("--direct always conflicts with --socket and --url")
                    .with_hint("remove --direct, or remove --socket and --url"))
            }
            Directly::Always => Ok(true),
            Directly::Auto => Ok(!is_named && direct::nobody_listens(Path::new(USUAL_SOCKET))),
            Directly::Never => Ok(false),
        }
    }
}

/// In which variable a cluster's token is: `SLURM_JWT_BETA` for beta.
pub fn token_variable(cluster: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    format!("{TOKEN}_{}", cluster.chars().map(letter).collect::<String>())
}

/// In words for a terminal, and with what `qcast` calls the things to look at.
impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        let cause = match &error {
            AskError::Refused { status: 503, code, .. } if code == "not_ready" => Cause::NotReady,
            error if error.is_of_question() => Cause::Usage,
            _ => Cause::Input,
        };
        let hint = match &error {
            AskError::NotADaemon { .. } => Some("check --socket, QCAST_SOCKET and --url".to_owned()),
            AskError::NotUnderstood { .. } => Some(
                "the daemon may have another version; `qcast --version` prints the version of this client".to_owned(),
            ),
            other => other.hint().map(inert),
        };
        let failure = Self::new(cause, anyhow!("{}", inert(&format!("{:#}", anyhow!(error)))));
        match hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}
