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
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::hypothetical::HypotheticalRequest;
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;
use queuecast_api::table::{TableRequest, TableResponse};

/// Forecasts the start and end of a job that would be submitted now.
#[utoipa::path(
    post,
    path = route::FORECAST,
    request_body = HypotheticalRequest,
    responses(
        (status = 200, body = ForecastResponse, description = "Forecast, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemResponse, description = "The client is not identified"),
        (status = 413, body = ProblemResponse, description = "The body is too large"),
        (status = 415, body = ProblemResponse, description = "The body is not declared as JSON"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn hypothetical_forecast(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ForecastResponse>, Problem> {
    let advice = view.advice(hypothetical::checked(read(&headers, body)?)?)?;
    let (advice, forecast) = api.advise(&view, advice, |advice| advice.adviser.forecast(&advice.job)).await?;
    Ok(Json(view.advised(&advice, &forecast)))
}

/// Forecasts the start and end of a job that would be submitted now, for several sizes, time limits, GPU counts and partitions.
#[utoipa::path(
    post,
    path = route::FORECAST_TABLE,
    request_body = TableRequest,
    responses(
        (status = 200, body = TableResponse, description = "Forecasts, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemResponse, description = "The client is not identified"),
        (status = 413, body = ProblemResponse, description = "The body is too large"),
        (status = 415, body = ProblemResponse, description = "The body is not declared as JSON"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn forecast_table(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<TableResponse>, Problem> {
    let (job, question) = table::checked(read(&headers, body)?)?;
    let advice = view.advice(job)?;
    let (advice, found) =
        api.look_on(&view, advice, move |advice| advice.adviser.table(&advice.job, &question)).await?;
    Ok(Json(view.table(&advice, found)))
}
