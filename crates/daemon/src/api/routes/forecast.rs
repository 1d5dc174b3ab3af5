//! Jobs that do not exist: what would be said of one if it were submitted now.
//!
//! Such a forecast takes a core for a while, so only a few are made at once, on threads of their own; who comes when all are
//! taken waits, within the time of a request.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;

use super::Api;
use super::body::read;
use crate::api::answer::problem::Problem;
use crate::api::answer::{hypothetical, table};
use crate::api::view::View;
use queuecast_api::forecast::ForecastAnswer;
use queuecast_api::hypothetical::HypotheticalQuestion;
use queuecast_api::problem::ProblemAnswer;
use queuecast_api::route;
use queuecast_api::table::{TableAnswer, TableQuestion};

/// Forecasts the start and end of a job that would be submitted now.
#[utoipa::path(
    post,
    path = route::FORECAST,
    request_body = HypotheticalQuestion,
    responses(
        (status = 200, body = ForecastAnswer, description = "Forecast, or the reason for having none"),
        (status = 400, body = ProblemAnswer, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemAnswer, description = "The client is not identified"),
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
    let advice = view.advice(hypothetical::checked(read(&headers, body)?)?)?;
    let (advice, forecast) = api.advise(&view, advice, |advice| advice.adviser.forecast(&advice.job)).await?;
    Ok(Json(view.advised(&advice, &forecast)))
}

/// Forecasts the start and end of a job that would be submitted now, for several sizes, time limits, GPU counts and partitions.
#[utoipa::path(
    post,
    path = route::FORECAST_TABLE,
    request_body = TableQuestion,
    responses(
        (status = 200, body = TableAnswer, description = "Forecasts, or the reason for having none"),
        (status = 400, body = ProblemAnswer, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemAnswer, description = "The client is not identified"),
        (status = 413, body = ProblemAnswer, description = "The body is too large"),
        (status = 415, body = ProblemAnswer, description = "The body is not declared as JSON"),
        (status = 503, body = ProblemAnswer, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn forecast_table(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<TableAnswer>, Problem> {
    let (job, question) = table::checked(read(&headers, body)?)?;
    let advice = view.advice(job)?;
    let (advice, found) =
        api.look_on(&view, advice, move |advice| advice.adviser.table(&advice.job, &question)).await?;
    Ok(Json(view.table(&advice, found)))
}
