//! A daemon at a socket or an address, asked over HTTP with a deadline.
//!
//! Not for: to whom a token may be sent, and whose certificates count (`queuecast-wire`).
//!
//! Source: reqwest's blocking client over a unix socket, as `queuecast-slurm` talks to slurmrestd.

use std::error::Error;
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use queuecast_wire::{Address, client};
use reqwest::blocking::{Client, RequestBuilder, Response};

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
        let client = client::plain().timeout(deadline).unix_socket(path).build()?;
        let (base, place) = ("http://localhost".to_owned(), path.display().to_string());
        Ok(Self { client, base, place, deadline, token: None })
    }

    pub fn at_url(
        url: &str,
        deadline: Duration,
        token: Option<String>,
        authorities: Option<&Path>,
    ) -> Result<Self, AskError> {
        let address = if token.is_some() { Address::for_a_secret(url)? } else { Address::parse(url)? };
        let client = client::at(&address, authorities)?.timeout(deadline).build()?;
        Ok(Self { client, base: address.base().to_owned(), place: url.to_owned(), deadline, token })
    }

    fn request(&self, path: &str, question: Option<Vec<u8>>) -> RequestBuilder {
        let address = format!("{}{path}", self.base);
        let request = match question {
            None => self.client.get(address),
            Some(body) => self.client.post(address).header("content-type", "application/json").body(body),
        };
        match &self.token {
            Some(token) => request.header("x-slurm-user-token", token),
            None => request,
        }
    }

    fn text(&self, response: Response) -> Result<String, AskError> {
        let mut bytes = Vec::new();
        match response.take(LARGEST_ANSWER + 1).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 > LARGEST_ANSWER => Err(self.not_a_daemon("the response is too long")),
            Ok(_) => String::from_utf8(bytes).map_err(|_| self.not_a_daemon("the response is not text")),
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
        let Some(last) = causes.last() else { return self.not_a_daemon(&error.to_string()) };
        let is_forbidden = cause(error) == Some(io::ErrorKind::PermissionDenied);
        AskError::Nobody { place, why: last.to_string(), is_forbidden }
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
        let begun = Instant::now();
        loop {
            let sent = self.request(path, question.clone()).send();
            let error = match sent {
                Ok(response) => return Ok(Reply { status: response.status().as_u16(), text: self.text(response)? }),
                Err(error) => error,
            };
            // A socket whose queue of askers is full says so at once, and has a place again in a moment.
            let is_full = cause(&error).is_some_and(|kind| kind == io::ErrorKind::WouldBlock);
            if !is_full {
                return Err(self.not_answered(&error));
            }
            if begun.elapsed() + PAUSE >= self.deadline {
                return Err(AskError::TooLate { place: self.place.clone(), deadline: self.deadline });
            }
            thread::sleep(PAUSE);
        }
    }
}

/// After so long it is tried again whether there is a place.
const PAUSE: Duration = Duration::from_millis(50);

/// What the system says, which is the last of the chain.
fn cause(error: &reqwest::Error) -> Option<io::ErrorKind> {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.last().and_then(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind)
}
