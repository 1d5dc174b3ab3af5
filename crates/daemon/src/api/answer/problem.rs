//! How the interface says no: an HTTP status, and JSON with a word for programs and two sentences for people.
//!
//! Not for: that there is no estimate. That is an answer, not a problem.

use std::time::Duration;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::notices::ShelfError;
use crate::what_if::NotBegun;
use queuecast_api::problem::{ErrorAnswer, ProblemAnswer, Refusal};

/// By then the queue of most clusters has been read and forecast once.
const READY_SOON_SECONDS: u64 = 10;

/// A problem on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub status: StatusCode,
    code: &'static str,
    message: String,
    what_to_do: String,
    retry_after_seconds: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>, what_to_do: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), what_to_do: what_to_do.into(), retry_after_seconds: None }
    }

    /// The words are the same whether the job does not exist or is somebody else's.
    pub fn no_such_job(asked: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no_such_job",
            format!("no job {asked} waits or runs, as far as you may see"),
            "look at `squeue`; a job is known here within a minute of its submission and until its end",
        )
    }

    pub fn not_a_job_id() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "not_a_job_id",
            "this is not the number of a job",
            "write it as Slurm does: 123, 123_4 for a task of an array, 123+0 for a part of a heterogeneous job",
        )
    }

    pub fn jobs_are_private() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "jobs_are_private",
            "users are shown their own jobs, and nobody knows who you are",
            "ask over the unix socket on a login node, or send a token of Slurm's (`scontrol token`) where this daemon takes them",
        )
    }

    /// Whoever says who they are, and cannot be believed, is not taken for nobody.
    pub fn not_believed(why: &str) -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "not_believed",
            format!("who you are could not be made sure of: {why}"),
            "get a new token with `scontrol token`, or ask whoever runs the proxy in front",
        )
    }

    /// Asked for by a name that is not ours: a page of somebody else's may have led here.
    pub fn wrong_host() -> Self {
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            "this daemon is not known by the name in the header `host`",
            "ask by address, or have your administrator name it (`qcast serve --host-name`)",
        )
    }

    pub fn too_many_requests(wait: Duration) -> Self {
        let seconds = wait.as_millis().div_ceil(1_000).max(1);
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        Self {
            retry_after_seconds: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                "you have asked more often than two times a second for a while",
                format!("wait for {seconds} s; /v1/queue tells of all your jobs at once"),
            )
        }
    }

    /// Questions that futures are played for have a budget of their own.
    pub fn over_budget(wait: Duration) -> Self {
        let seconds = wait.as_secs().max(1);
        Self {
            retry_after_seconds: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "over_budget",
                "your questions have taken more of the daemon's time than one person is given in a row",
                format!("wait for {seconds} s; what is said of jobs that wait costs nothing: see /v1/queue"),
            )
        }
    }

    pub fn too_many_waiting() -> Self {
        Self {
            retry_after_seconds: Some(READY_SOON_SECONDS),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_waiting",
                "so many of your questions wait already that no more are taken",
                "wait for an answer before you ask the next",
            )
        }
    }

    pub fn bad_request(message: impl Into<String>, what_to_do: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message, what_to_do)
    }

    pub fn no_such_size() -> Self {
        Self::bad_request("there is no such size of jobs", "use one of `sizes` in the answer without it")
    }

    pub fn for_operators() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "for_operators",
            "this is told to those who run the cluster",
            "ask as an operator or administrator of Slurm's, or as root; /v1/health is for everybody",
        )
    }

    pub fn no_such_what_if() -> Self {
        Self::bad_request(
            "there is no such policy, predictor or limit, or too many weeks are asked for",
            "use one of `policies` and `predictors` that a GET of this route tells, 1 to 12 weeks, and a limit of at least a second",
        )
    }

    pub fn what_if_not_begun(why: &NotBegun) -> Self {
        match why {
            NotBegun::NoStore => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "no_history",
                "this daemon has no history to replay",
                "run `qcast serve` with a store",
            ),
            NotBegun::Busy => Self::new(
                StatusCode::CONFLICT,
                "busy",
                "another replay runs, and one runs at a time",
                "look how far it is with a GET of this route, and ask again when it is done",
            ),
            NotBegun::NoThread => Self::failed(),
        }
    }

    pub fn not_json() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "the body is not declared as JSON",
            "send the header `content-type: application/json`",
        )
    }

    pub fn too_large(most_bytes: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("the body is larger than {most_bytes} bytes"),
            "ask about one job at a time",
        )
    }

    pub fn unknown_route() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "unknown_route",
            "there is nothing here",
            "see /openapi.json for what there is",
        )
    }

    pub fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "this cannot be asked with this method",
            "see /openapi.json, and the header `allow` of this answer",
        )
    }

    pub fn too_late(seconds: f64) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too_late",
            format!("there was no answer within {seconds} s"),
            "ask again in a moment",
        )
    }

    pub fn not_ready() -> Self {
        Self {
            retry_after_seconds: Some(READY_SOON_SECONDS),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "not_ready",
                "not ready yet: the daemon has just begun and has not read and forecast the queue",
                format!("ask again in {READY_SOON_SECONDS} s; /v1/health says what is missing"),
            )
        }
    }

    /// Asked what only a job that waits can be asked.
    pub fn has_ended(asked: &str, state: &str) -> Self {
        Self::new(
            StatusCode::GONE,
            "finished",
            format!("job {asked} has ended ({state}): nothing holds it and nothing can be changed"),
            "`qcast when` says when and how it ended",
        )
    }

    /// Whoever may see another's job is still not told of it.
    pub fn not_your_job(asked: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_your_job",
            format!("job {asked} is somebody else's, and only its user is told of it"),
            "let its user ask for it, or look at it with `qcast when`",
        )
    }

    pub fn has_started(asked: &str) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "has_started",
            format!("job {asked} runs already: there is nothing left to be told"),
            "`qcast when` says when it will end",
        )
    }

    /// The administrator does not let the daemon do that for users, or what is asked for cannot be.
    pub fn notice_refused(why: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "notice_refused",
            why,
            "ask your administrator for it, or send from your own terminal with `qcast notify --here`",
        )
    }

    pub fn no_such_notice() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no_such_notice",
            "there is no such notice, as far as you may see",
            "`qcast notify --list` shows yours; one is over when its job has started or is gone",
        )
    }

    pub fn failed() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "failed",
            "the forecast failed, which is a mistake in queuecast",
            "tell your administrator what you asked; the daemon's log says more",
        )
    }
}

/// A notice that is not taken.
impl From<ShelfError> for Problem {
    fn from(error: ShelfError) -> Self {
        match error {
            ShelfError::NotOffered => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "no_notices",
                "nobody keeps notices here: no daemon is asked, or its folder for them cannot be used",
                "send from your own terminal with `qcast notify --here`",
            ),
            ShelfError::TooManyOfOne(notices) => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_notices",
                format!("you have {notices} notices, and more are not taken"),
                "cancel some: `qcast notify --list`, `qcast notify JOB --cancel`",
            ),
            ShelfError::Full => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "notices_full",
                "the daemon has as many notices as it takes",
                "send from your own terminal with `qcast notify --here`",
            ),
            ShelfError::NotKept(error) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "not_kept",
                format!("the notice could not be kept: {error}"),
                "tell your administrator; send from your own terminal with `qcast notify --here`",
            ),
        }
    }
}

/// A question that its own check refuses.
impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::bad_request(refusal.message, refusal.what_to_do)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, code, message, what_to_do, retry_after_seconds } = self;
        let error = ErrorAnswer { code: code.to_owned(), message, what_to_do };
        let mut response = (status, Json(ProblemAnswer { error })).into_response();
        let mut header = |name, value: String| {
            // A number and a fixed word are always values.
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        };
        if let Some(seconds) = retry_after_seconds {
            header(RETRY_AFTER, seconds.to_string());
        }
        if status == StatusCode::UNAUTHORIZED {
            header(WWW_AUTHENTICATE, "Bearer".to_owned());
        }
        response
    }
}
