//! A daemon at a socket or an address, asked over HTTP with a deadline.
//!
//! Source: reqwest's blocking client over a unix socket, as `queuecast-slurm` talks to slurmrestd.

use std::error::Error;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use reqwest::blocking::{Client, ClientBuilder, Response};

use super::{AskError, LARGEST_ANSWER, Reply, Transport};

/// A daemon that listens.
pub(super) struct Http {
    client: Client,
    base: String,
    place: String,
    deadline: Duration,
    token: Option<String>,
}

impl Http {
    pub fn at_socket(path: &Path, deadline: Duration) -> Result<Self, AskError> {
        let client = builder(deadline).unix_socket(path).build()?;
        let (base, place) = ("http://localhost".to_owned(), path.display().to_string());
        Ok(Self { client, base, place, deadline, token: None })
    }

    pub fn at_url(url: &str, deadline: Duration, token: Option<String>) -> Result<Self, AskError> {
        if !url.starts_with("http://") {
            return Err(AskError::NotAnAddress { url: url.to_owned() });
        }
        let client = builder(deadline).build()?;
        Ok(Self { client, base: url.trim_end_matches('/').to_owned(), place: url.to_owned(), deadline, token })
    }

    fn text(&self, response: Response) -> Result<String, AskError> {
        let mut bytes = Vec::new();
        match response.take(LARGEST_ANSWER + 1).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 > LARGEST_ANSWER => Err(self.not_a_daemon("its answer has no end")),
            Ok(_) => String::from_utf8(bytes).map_err(|_| self.not_a_daemon("its answer is not text")),
            Err(error) => Err(AskError::BrokeOff { place: self.place.clone(), why: error.to_string() }),
        }
    }

    /// The cause is the last of the chain, not the error's own words.
    fn not_answered(&self, error: &reqwest::Error) -> AskError {
        let place = self.place.clone();
        if error.is_timeout() {
            return AskError::TooLate { place, deadline: self.deadline };
        }
        let causes = std::iter::successors(error.source(), |&cause| cause.source());
        let Some(cause) = causes.last() else { return self.not_a_daemon(&error.to_string()) };
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        AskError::Nobody { place, why: cause.to_string(), is_forbidden: kind == Some(io::ErrorKind::PermissionDenied) }
    }

    fn not_a_daemon(&self, why: &str) -> AskError {
        AskError::NotADaemon { place: self.place.clone(), why: why.to_owned() }
    }
}

impl Transport for Http {
    fn place(&self) -> &str {
        &self.place
    }

    fn exchange(&self, path: &str, question: Option<Vec<u8>>) -> Result<Reply, AskError> {
        let address = format!("{}{path}", self.base);
        let mut request = match question {
            None => self.client.get(address),
            Some(body) => self.client.post(address).header("content-type", "application/json").body(body),
        };
        if let Some(token) = &self.token {
            request = request.header("x-slurm-user-token", token);
        }
        let response = request.send().map_err(|error| self.not_answered(&error))?;
        Ok(Reply { status: response.status().as_u16(), text: self.text(response)? })
    }
}

fn builder(deadline: Duration) -> ClientBuilder {
    Client::builder().timeout(deadline).no_proxy()
}
