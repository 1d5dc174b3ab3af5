//! The daemon, asked: over its socket or at an address, with a deadline, and in words for a person when nobody answers. Where there is
//! none, what stands in for it in this process (`direct`) is asked in the same way.
//!
//! Not for: what is asked and what is made of the answer. Make one only when the question is understood: without a daemon Slurm is
//! asked at once.
//!
//! Source: reqwest's blocking client over a unix socket, as `queuecast-slurm` talks to slurmrestd.

use std::error::Error;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use queuecast_api::health::HealthAnswer;
use queuecast_api::problem::ProblemAnswer;
use queuecast_daemon::direct::Direct;
use reqwest::StatusCode;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::direct::{self, Directly};
use super::inert::inert;
use crate::failure::{Cause, Failure};

/// Who waits longer has forgotten what for.
const DEADLINE: Duration = Duration::from_secs(2);
/// Where futures are played for an answer, a long queue takes the daemon a while.
const PATIENT_DEADLINE: Duration = Duration::from_secs(25);
/// Without a daemon forecasts are made while the asker waits.
const DIRECT_DEADLINE: Duration = Duration::from_mins(1);
/// Where `qcast serve` puts it unless told otherwise.
const USUAL_SOCKET: &str = "/run/queuecast/api.sock";
/// A page of a thousand jobs has less than three million bytes.
const LARGEST_ANSWER: u64 = 16 << 20;

/// Where the daemon is.
#[derive(Clone, Debug, Args)]
pub struct ServiceArgs {
    /// The daemon's socket [default: `QCAST_SOCKET`, or /run/queuecast/api.sock].
    #[arg(long, value_name = "PATH", conflicts_with = "url")]
    socket: Option<PathBuf>,
    /// The daemon's address instead of its socket, such as `http://127.0.0.1:8642`. Slurm's token in `SLURM_JWT`, if there is one, is
    /// sent along: over TCP it says who asks.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Whether to ask Slurm itself instead: always, never, or only where no daemon listens and none is named (auto)
    /// [default: `QCAST_DIRECT`, or auto].
    #[arg(long, value_name = "WHEN", value_enum, hide_possible_values = true)]
    direct: Option<Directly>,
}

impl ServiceArgs {
    /// At a place that is written down: an address, or else the path of a socket.
    pub fn at(place: &str) -> Self {
        if place.contains("://") {
            Self { socket: None, url: Some(place.to_owned()), direct: None }
        } else {
            Self { socket: Some(PathBuf::from(place)), url: None, direct: None }
        }
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
                Err(Failure::usage("--direct always asks no daemon, and one is named")
                    .with_hint("leave --socket and --url out, or --direct"))
            }
            Directly::Always => Ok(true),
            Directly::Auto => Ok(!is_named && direct::nobody_listens(Path::new(USUAL_SOCKET))),
            Directly::Never => Ok(false),
        }
    }
}

/// The daemon, or what stands in for it.
pub struct Service {
    client: Client,
    base: String,
    /// What it is called in messages.
    place: String,
    deadline: Duration,
    /// Slurm's token, where it says who asks.
    token: Option<String>,
    /// Held while it is asked.
    _direct: Option<Direct>,
}

impl Service {
    /// The daemon at this place, of which nothing is asked yet; where there is none, Slurm itself.
    pub fn at(arguments: &ServiceArgs) -> Result<Self, Failure> {
        Self::within(arguments, DEADLINE)
    }

    /// The same for questions for which futures are played.
    pub fn patient(arguments: &ServiceArgs) -> Result<Self, Failure> {
        Self::within(arguments, PATIENT_DEADLINE)
    }

    /// The daemon at this place and nobody else, for what only one who stays can tell. Nothing is asked yet.
    pub fn of_daemon(arguments: &ServiceArgs) -> Result<Self, Failure> {
        if Directly::or_of_environment(arguments.direct)? == Directly::Always {
            return Err(Failure::usage("only a daemon can tell that: nobody else was there when jobs started")
                .with_hint("leave --direct and QCAST_DIRECT out"));
        }
        Self::listening(arguments, DEADLINE)
    }

    fn within(arguments: &ServiceArgs, deadline: Duration) -> Result<Self, Failure> {
        if !arguments.is_direct()? {
            return Self::listening(arguments, deadline);
        }
        let direct = direct::look()?;
        let client = Client::builder().timeout(DIRECT_DEADLINE).no_proxy().unix_socket(direct.socket()).build();
        let client = client.map_err(|error| Failure::new(Cause::Input, error))?;
        let (base, place) = ("http://localhost".to_owned(), "this process".to_owned());
        Ok(Self { client, base, place, deadline: DIRECT_DEADLINE, token: None, _direct: Some(direct) })
    }

    fn listening(arguments: &ServiceArgs, deadline: Duration) -> Result<Self, Failure> {
        let builder = Client::builder().timeout(deadline).no_proxy();
        let (builder, base, place) = match &arguments.url {
            None => {
                let socket = arguments.named_socket().unwrap_or_else(|| PathBuf::from(USUAL_SOCKET));
                let place = socket.display().to_string();
                (builder.unix_socket(socket), "http://localhost".to_owned(), place)
            }
            Some(url) if url.starts_with("http://") => (builder, url.trim_end_matches('/').to_owned(), url.clone()),
            Some(url) => {
                let failure = Failure::usage(format_args!("{}: not an address that begins with http://", inert(url)));
                return Err(failure.with_hint("ask over the daemon's socket, or over http on this machine"));
            }
        };
        let client = builder.build().map_err(|error| Failure::new(Cause::Input, error))?;
        let token = std::env::var("SLURM_JWT").ok().filter(|token| !token.is_empty() && arguments.url.is_some());
        Ok(Self { client, base, place: inert(&place), deadline, token, _direct: None })
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.send(self.client.get(format!("{}{path}", self.base)))
    }

    /// Asks for something that may not be there.
    pub fn find(&self, path: &str) -> Result<Option<Answer>, Failure> {
        let (status, text) = self.exchange(self.client.get(format!("{}{path}", self.base)))?;
        let problem = serde_json::from_str::<ProblemAnswer>(&text);
        if status == StatusCode::NOT_FOUND && problem.is_ok_and(|problem| problem.error.code == "no_such_job") {
            return Ok(None);
        }
        self.taken(status, text).map(Some)
    }

    /// Asks how the daemon is. That it is not well is an answer, whatever its status.
    pub fn health(&self) -> Result<HealthAnswer, Failure> {
        let (status, text) = self.exchange(self.client.get(format!("{}/v1/health", self.base)))?;
        match serde_json::from_str(&text) {
            Ok(health) => Ok(health),
            Err(_) => self.taken(status, text)?.read(),
        }
    }

    /// Asks with a question.
    pub fn post(&self, path: &str, question: &impl Serialize) -> Result<Answer, Failure> {
        let body = serde_json::to_vec(question).map_err(|error| Failure::new(Cause::Usage, error))?;
        let request = self.client.post(format!("{}{path}", self.base)).body(body);
        self.send(request.header("content-type", "application/json"))
    }

    fn send(&self, request: RequestBuilder) -> Result<Answer, Failure> {
        let (status, text) = self.exchange(request)?;
        self.taken(status, text)
    }

    fn exchange(&self, request: RequestBuilder) -> Result<(StatusCode, String), Failure> {
        let request = match &self.token {
            Some(token) => request.header("x-slurm-user-token", token),
            None => request,
        };
        let response = request.send().map_err(|error| self.not_answered(&error))?;
        let status = response.status();
        Ok((status, self.text(response)?))
    }

    fn taken(&self, status: StatusCode, text: String) -> Result<Answer, Failure> {
        if status.is_success() {
            return Ok(Answer { text, place: self.place.clone() });
        }
        let cause = if status.as_u16() == 400 { Cause::Usage } else { Cause::Input };
        Err(match serde_json::from_str::<ProblemAnswer>(&text) {
            Ok(ProblemAnswer { error }) => {
                Failure::new(cause, anyhow!("{}", inert(&error.message))).with_hint(inert(&error.what_to_do))
            }
            Err(_) => self.not_the_daemon(&format!("it answered with status {status}")),
        })
    }

    fn text(&self, response: Response) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        match response.take(LARGEST_ANSWER + 1).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 > LARGEST_ANSWER => Err(self.not_the_daemon("its answer has no end")),
            Ok(_) => String::from_utf8(bytes).map_err(|_| self.not_the_daemon("its answer is not text")),
            Err(error) => Err(Failure::new(Cause::Input, anyhow!("the answer of {} broke off: {error}", self.place))
                .with_hint("ask again in a moment")),
        }
    }

    /// The cause is the last of the chain, not the error's own words.
    fn not_answered(&self, error: &reqwest::Error) -> Failure {
        if error.is_timeout() {
            let told = anyhow!("the daemon at {} did not answer within {} s", self.place, self.deadline.as_secs());
            return Failure::new(Cause::Input, told).with_hint("ask again in a moment, or tell your administrator");
        }
        let causes = std::iter::successors(error.source(), |&cause| cause.source());
        let Some(cause) = causes.last() else { return self.not_the_daemon(&error.to_string()) };
        let failure = Failure::new(Cause::Input, anyhow!("no daemon at {}: {}", self.place, inert(&cause.to_string())));
        match cause.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(io::ErrorKind::PermissionDenied) => {
                failure.with_hint("you may not use this socket; ask your administrator")
            }
            _ => failure.with_hint("ask your administrator, or start one with `qcast serve`"),
        }
    }

    fn not_the_daemon(&self, why: &str) -> Failure {
        let told = anyhow!("whoever listens at {} is not a queuecast daemon: {}", self.place, inert(why));
        Failure::new(Cause::Input, told).with_hint("look at --socket, QCAST_SOCKET and --url")
    }
}

/// What the daemon answered.
pub struct Answer {
    /// As it came.
    pub text: String,
    place: String,
}

impl Answer {
    /// Read as what it should be.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(&self.text).map_err(|error| {
            let told = anyhow!("the answer of {} is not understood: {}", self.place, inert(&error.to_string()));
            Failure::new(Cause::Input, told)
                .with_hint("the daemon may be of another version; `qcast --version` tells yours")
        })
    }
}
