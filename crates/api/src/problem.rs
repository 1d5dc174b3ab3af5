//! How a daemon says no: JSON with a word for programs and two sentences for people, beside an HTTP status.
//!
//! Not for: that there is no estimate. That is an answer, not a problem.

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

/// Why a question is none, before anybody is asked it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What the asker can do.
    pub what_to_do: String,
}
