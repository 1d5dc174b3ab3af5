//! The body of a question: declared as JSON, not too large, one object, and nothing in it that is not understood.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::api::LARGEST_BODY;
use crate::api::answer::problem::Problem;

/// Reads a question.
pub(super) fn read<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<T, Problem> {
    let declared = headers.get(CONTENT_TYPE).and_then(|declared| declared.to_str().ok()).unwrap_or_default();
    if !declared.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(Problem::not_json());
    }
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(LARGEST_BODY),
        _ => Problem::bad_request(rejection.body_text(), "send the complete request body"),
    })?;
    question(&body)
}

/// A question from its bytes.
pub(crate) fn question<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let refused = |why: &dyn std::fmt::Display| {
        Problem::bad_request(
            format!("cannot read the job: {why}"),
            "send one JSON object with the fields listed in /openapi.json",
        )
    };
    // A list would be taken for the fields in their order.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(refused(&"the body is not a JSON object"));
    }
    serde_json::from_slice(body).map_err(|error| refused(&error))
}
