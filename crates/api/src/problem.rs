//! How a daemon says no: JSON with a word for programs and two sentences for people, beside an HTTP status.
//!
//! Not for: that there is no estimate. That is an answer, not a problem.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Body of every response with status 400 or higher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProblemResponse {
    /// The error.
    pub error: ErrorResponse,
}

/// An error and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorResponse {
    /// Code for programs.
    #[schema(example = "no_such_job")]
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// Hint for the client.
    pub hint: String,
}

/// Why a question is none, before anybody is asked it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What the asker can do.
    pub hint: String,
}
