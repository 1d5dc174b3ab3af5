//! Jobs that do not exist: what would be said of one if it were submitted now.
//!
//! Such a forecast takes a core for a while, so only a few are made at once, on threads of their own; who comes when all are
//! taken waits, within the time of a request.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};

use super::Api;
use crate::api::LARGEST_BODY;
use crate::api::answer::forecast::ForecastAnswer;
use crate::api::answer::hypothetical::HypotheticalQuestion;
use crate::api::answer::problem::{Problem, ProblemAnswer};
use crate::api::view::View;

/// When a job would start and end if it were submitted now.
#[utoipa::path(
    post,
    path = "/v1/forecast",
    request_body = HypotheticalQuestion,
    responses(
        (status = 200, body = ForecastAnswer, description = "What is said of it, or why nothing is"),
        (status = 400, body = ProblemAnswer, description = "The job is not understood; an unknown field is named"),
        (status = 403, body = ProblemAnswer, description = "Jobs are private, and over TCP nobody is known"),
        (status = 413, body = ProblemAnswer, description = "The body is too large"),
        (status = 415, body = ProblemAnswer, description = "The body is not declared as JSON"),
        (status = 503, body = ProblemAnswer, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn hypothetical_forecast(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ForecastAnswer>, Problem> {
    let declared = headers.get(CONTENT_TYPE).and_then(|declared| declared.to_str().ok()).unwrap_or_default();
    if !declared.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(Problem::not_json());
    }
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(LARGEST_BODY),
        _ => Problem::bad_request(rejection.body_text(), "send the whole body"),
    })?;
    let advice = view.advice(HypotheticalQuestion::read(&body)?.checked()?)?;
    let place = api.advising().acquire_owned().await.map_err(|_| Problem::not_ready())?;
    let (advice, forecast) = tokio::task::spawn_blocking(move || {
        let forecast = advice.adviser.forecast(&advice.job);
        // The place is taken until the work is done, even if nobody waits for it any more.
        drop(place);
        (advice, forecast)
    })
    .await
    .map_err(|_| Problem::failed())?;
    Ok(Json(view.advised(&advice, &forecast)))
}
