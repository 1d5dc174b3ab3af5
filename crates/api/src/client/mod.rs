//! A daemon, asked: over its socket or at an address, with a deadline. Whoever else gives the same answers to the same questions can
//! be asked in the same way ([`Transport`]).
//!
//! Not for: what is made of the answers.

mod error;
mod http;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::error::AskError;
use self::http::Http;
use crate::health::HealthResponse;
use crate::problem::ProblemResponse;
use crate::route;

/// Who waits longer has forgotten what for.
pub const DEADLINE: Duration = Duration::from_secs(2);
/// Where futures are played for an answer, a long queue takes the daemon a while.
pub const PATIENT_DEADLINE: Duration = Duration::from_secs(25);
/// Where `qcast serve` puts it unless told otherwise.
pub const USUAL_SOCKET: &str = "/run/queuecast/api.sock";
/// An answer has at most so many bytes: a page of a thousand jobs has less than three million.
pub const LARGEST_ANSWER: u64 = 16 << 20;

/// How questions reach whoever answers.
pub trait Transport: Send + Sync {
    /// What it is called in messages.
    fn place(&self) -> &str;

    /// Asks for this path; with a question, which is JSON.
    fn exchange(&self, path: &str, question: Option<Vec<u8>>) -> Result<Reply, AskError>;
}

/// What came back.
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub text: String,
}

/// Somebody who answers as the daemon does.
pub struct Client {
    transport: Box<dyn Transport>,
}

impl Client {
    /// The daemon at this socket, of which nothing is asked yet.
    pub fn at_socket(path: &Path, deadline: Duration) -> Result<Self, AskError> {
        Http::at_socket(path, deadline).map(Self::over)
    }

    /// The daemon at an address such as `https://login1:8642` or `http://127.0.0.1:8642`, of which nothing is asked yet. Slurm's
    /// token, where there is one, says who asks; it is sent over TLS or to this machine, and never elsewhere. Whose certificates
    /// count is in the file of authorities, or else on the machine.
    pub fn at_url(
        url: &str,
        deadline: Duration,
        token: Option<String>,
        authorities: Option<&Path>,
    ) -> Result<Self, AskError> {
        Http::at_url(url, deadline, token, authorities).map(Self::over)
    }

    /// Whoever is reached this way.
    pub fn over(transport: impl Transport + 'static) -> Self {
        Self { transport: Box::new(transport) }
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Result<Answer, AskError> {
        self.taken(self.transport.exchange(path, None)?)
    }

    /// Asks for something that may not be there.
    pub fn find(&self, path: &str) -> Result<Option<Answer>, AskError> {
        match self.get(path) {
            Err(AskError::Refused { status: 404, code, .. }) if code == "no_such_job" => Ok(None),
            found => found.map(Some),
        }
    }

    /// Asks how the daemon is. That it is not well is an answer, whatever its status.
    pub fn health(&self) -> Result<HealthResponse, AskError> {
        let reply = self.transport.exchange(route::HEALTH, None)?;
        match serde_json::from_str(&reply.text) {
            Ok(health) => Ok(health),
            Err(_) => self.taken(reply)?.read(),
        }
    }

    /// Asks with a question.
    pub fn post(&self, path: &str, question: &impl Serialize) -> Result<Answer, AskError> {
        let body = serde_json::to_vec(question).map_err(AskError::Question)?;
        self.taken(self.transport.exchange(path, Some(body))?)
    }

    fn taken(&self, Reply { status, text }: Reply) -> Result<Answer, AskError> {
        let place = self.transport.place().to_owned();
        if (200..300).contains(&status) {
            return Ok(Answer { text, place });
        }
        Err(match serde_json::from_str::<ProblemResponse>(&text) {
            Ok(ProblemResponse { error }) => {
                AskError::Refused { status, code: error.code, message: error.message, hint: error.hint }
            }
            Err(_) if matches!(status, 401 | 407) => AskError::InFront { place, status },
            Err(_) => AskError::NotADaemon { place, why: format!("the server returned HTTP {status}") },
        })
    }
}

/// What was answered.
pub struct Answer {
    /// As it came.
    pub text: String,
    place: String,
}

impl Answer {
    /// Read as what it should be.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, AskError> {
        serde_json::from_str(&self.text)
            .map_err(|error| AskError::NotUnderstood { place: self.place.clone(), why: error.to_string() })
    }
}
