//! slurmrestd: over its socket, as whoever asks, or over TCP with a token of Slurm's own (JWT).
//!
//! Source: slurmrestd(8) and slurmrestd of 22.05 (v0.0.38) in our lab; the paths are the same up to 26.05 (v0.0.45). It
//! answers what it refuses with HTTP 200 and `errors`, or with plain text: both are looked at.
//!
//! Not for: to whom a token may be sent (`queuecast-wire`).
//!
//! The client is blocking; in an asynchronous program it belongs on a thread for such work.

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use queuecast_wire::{Address, AddressError, client};
use reqwest::blocking::{Client, ClientBuilder, RequestBuilder};

use super::Commands;
use super::commands::reading;
use super::numbers::number;
use crate::json::{Document, DocumentError};
use queuecast_records::source::{AnswerLimits, Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};

/// Who does not answer, in messages.
const NAME: &str = "slurmrestd";

/// Versions of its interface that can be read, the newest first.
const VERSIONS: [&str; 7] = ["v0.0.45", "v0.0.44", "v0.0.43", "v0.0.42", "v0.0.41", "v0.0.40", "v0.0.38"];

/// A token of Slurm's, and whose it is. It is shown to nobody.
#[derive(Clone)]
pub struct Token {
    /// Whose.
    pub user: String,
    /// What `scontrol token` gave.
    pub secret: String,
}

/// Asks slurmrestd.
pub struct Rest {
    client: Client,
    base: String,
    token: Option<Token>,
    version: &'static str,
    limits: AnswerLimits,
}

impl Rest {
    /// On its socket, as the user who runs this.
    pub fn on_socket(socket: &Path, limits: AnswerLimits) -> Result<Self, SourceError> {
        Self::connect(client::plain().unix_socket(socket), "http://localhost".to_owned(), None, limits)
    }

    /// At an address such as `https://slurm.example.org:6820`, or `localhost:6820` on this machine, with a token, which is sent over
    /// TLS or to this machine and never elsewhere. Whose certificates count is in the file of authorities, or else on the machine.
    pub fn at(
        address: &str,
        token: Token,
        authorities: Option<&Path>,
        limits: AnswerLimits,
    ) -> Result<Self, SourceError> {
        let refused = |said: String| SourceError::Refused { program: NAME.to_owned(), said };
        let address = Self::address(address).map_err(|error| refused(error.to_string()))?;
        let client = client::at(&address, authorities).map_err(|error| refused(error.to_string()))?;
        Self::connect(client, address.base().to_owned(), Some(token), limits)
    }

    /// Where it is asked; one without `https://` is on this machine.
    pub fn address(text: &str) -> Result<Address, AddressError> {
        let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        Address::for_a_secret(&text)
    }

    /// Finds the newest version that both sides know.
    fn connect(
        client: ClientBuilder,
        base: String,
        token: Option<Token>,
        limits: AnswerLimits,
    ) -> Result<Self, SourceError> {
        let client = client.timeout(limits.patience).build().map_err(|error| refused(&error))?;
        let mut rest = Self { client, base, token, version: VERSIONS[0], limits };
        let mut last = None;
        for version in VERSIONS {
            rest.version = version;
            match rest.document("slurm", "ping", &[]) {
                Ok(_) => return Ok(rest),
                // It knows other versions.
                Err(error @ SourceError::Refused { .. }) => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| SourceError::Refused { program: NAME.to_owned(), said: "no version".to_owned() }))
    }

    /// Which version of the interface is spoken.
    pub fn version(&self) -> &'static str {
        self.version
    }

    fn document(&self, part: &str, path: &str, query: &[(&str, String)]) -> Result<Document, SourceError> {
        let query: Vec<String> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let url = format!("{}/{part}/{}/{path}{query}", self.base, self.version);
        let response = self.with_token(self.client.get(url)).send().map_err(|error| self.failed(&error))?;
        let status = response.status();
        let mut said = Vec::new();
        let read = response.take(self.limits.bytes + 1).read_to_end(&mut said);
        read.map_err(|error| SourceError::NotRun { program: NAME.to_owned(), error })?;
        if said.len() as u64 > self.limits.bytes {
            return Err(SourceError::TooMuch { program: NAME.to_owned(), bytes: self.limits.bytes });
        }
        let beginning: String =
            String::from_utf8_lossy(&said[..said.len().min(4 * COMPLAINT)]).chars().take(COMPLAINT).collect();
        let document = Document::read(said);
        let complaint = document.as_ref().ok().and_then(|document| document.errors().into_iter().next());
        if !status.is_success() || complaint.is_some() {
            let text = complaint.unwrap_or(beginning);
            let said = format!("{path}: {status}: {}", text.trim());
            return Err(SourceError::Refused { program: NAME.to_owned(), said });
        }
        document.map_err(not_a_document)
    }

    fn with_token(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.token {
            Some(token) => request.header("X-SLURM-USER-NAME", &token.user).header("X-SLURM-USER-TOKEN", &token.secret),
            None => request,
        }
    }

    fn failed(&self, error: &reqwest::Error) -> SourceError {
        if error.is_timeout() {
            SourceError::TooLate { program: NAME.to_owned(), patience: self.limits.patience }
        } else {
            unreachable(error)
        }
    }
}

/// What it says where there is no job.
const NOTHING_FOUND: &str = "Nothing found";

/// So many characters of a plain refusal are told.
const COMPLAINT: usize = 200;

fn refused(error: &reqwest::Error) -> SourceError {
    SourceError::Refused { program: NAME.to_owned(), said: error.to_string() }
}

/// The cause is the last of the chain, not the error's own words.
fn unreachable(error: &reqwest::Error) -> SourceError {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    let said = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
    SourceError::Unreachable { program: NAME.to_owned(), said }
}

fn not_a_document(error: DocumentError) -> SourceError {
    SourceError::NotUnderstood { program: NAME.to_owned(), error: error.into() }
}

impl Source for Rest {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        let document = self.document("slurm", "jobs", &[])?;
        document.jobs().map(reading).map_err(not_a_document)
    }

    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        let query = [("start_time", format!("uts{}", period.from.0)), ("end_time", format!("uts{}", period.to.0))];
        let document = match self.document("slurmdb", "jobs", &query) {
            // A period in which nothing happened is an error to it (22.05).
            Err(SourceError::Refused { said, .. }) if said.contains(NOTHING_FOUND) => {
                return Ok(Reading::of(Vec::new()));
            }
            answered => answered?,
        };
        document.jobs().map(reading).map_err(not_a_document)
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        let document = self.document("slurm", "nodes", &[])?;
        document.nodes().map(reading).map_err(not_a_document)
    }

    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        let document = self.document("slurm", "partitions", &[])?;
        document.partitions().map(reading).map_err(not_a_document)
    }

    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        let document = self.document("slurm", "reservations", &[])?;
        document.reservations().map(reading).map_err(not_a_document)
    }

    /// No version of its interface up to v0.0.45 has a path for it: `/slurmdb/.../config` is accounting's own. The command is asked.
    fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        Commands::on_path(self.limits).configuration()
    }

    fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        let document = self.document("slurmdb", "qos", &[])?;
        document.qos().map(reading).map_err(not_a_document)
    }

    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        let document = self.document("slurmdb", "associations", &[])?;
        document.associations().map(reading).map_err(not_a_document)
    }

    /// 22.05 has no path for it: the command is asked.
    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        if self.version == "v0.0.38" {
            return Commands::on_path(self.limits).shares();
        }
        let document = self.document("slurm", "shares", &[])?;
        document.shares().map(reading).map_err(not_a_document)
    }

    fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        // The oldest version always tells who coordinates what; later ones if asked to.
        let query = if self.version == "v0.0.38" { Vec::new() } else { vec![("with_coords", "true".to_owned())] };
        let document = self.document("slurmdb", "users", &query)?;
        let mut users = document.users().map(reading).map_err(not_a_document)?;
        number(&mut users.records, || Command::new("sh"), self.limits);
        Ok(users)
    }

    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        self.document("slurm", "diag", &[])?.diagnostics().map_err(not_a_document)
    }
}
