//! How the interface says no: an HTTP status, and JSON with a word for programs and two sentences for people.
//!
//! Not for: that there is no estimate. That is an answer, not a problem.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is sent with every status from 400 on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemAnswer {
    /// What is wrong.
    pub error: ErrorAnswer,
}

/// What is wrong and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorAnswer {
    /// One word for programs.
    #[schema(example = "no_such_job")]
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What the asker can do.
    pub what_to_do: String,
}

/// A problem on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub status: StatusCode,
    code: &'static str,
    message: String,
    what_to_do: String,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>, what_to_do: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), what_to_do: what_to_do.into() }
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
            "this cluster shows users only their own jobs (PrivateData), and over TCP nobody knows who you are",
            "ask over the unix socket on a login node",
        )
    }

    pub fn bad_request(message: impl Into<String>, what_to_do: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message, what_to_do)
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
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_ready",
            "jobs that do not exist yet cannot be forecast yet: the daemon has just begun",
            "ask again in a minute; /v1/health says what is missing",
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

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, code, message, what_to_do } = self;
        let error = ErrorAnswer { code: code.to_owned(), message, what_to_do };
        (status, Json(ProblemAnswer { error })).into_response()
    }
}
