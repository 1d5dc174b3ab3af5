//! Jobs that exist: one by its number, or all that wait or run.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;

use super::Api;
use crate::api::answer::problem::Problem;
use crate::api::view::View;
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::problem::ProblemResponse;
use queuecast_api::queue::{QueueRequest, QueueResponse};
use queuecast_api::route;

/// Forecasts the start and end of a job; for an ended job, returns its actual start, end and outcome.
#[utoipa::path(
    get,
    path = route::JOB_FORECAST,
    params(("id" = String, Path, description = "Job ID as Slurm writes it: 123, 123_4, 123+0. The ID of a job array means its pending tasks.")),
    responses(
        (status = 200, body = ForecastResponse, description = "Forecast, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid job ID"),
        (status = 403, body = ProblemResponse, description = "The client is not identified"),
        (status = 404, body = ProblemResponse, description = "No such job is visible to the requesting user"),
        (status = 503, body = ProblemResponse, description = "Not ready yet")
    )
)]
pub(super) async fn job_forecast(
    State(api): State<Arc<Api>>,
    view: View,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<ForecastResponse>, Problem> {
    let Path(id) = id.map_err(|_| Problem::not_a_job_id())?;
    match view.job(&id) {
        Err(problem) if problem.status == StatusCode::NOT_FOUND => {
            let past = api.past(&view, &id).await?;
            past.map(Json).ok_or(problem)
        }
        said => said.map(Json),
    }
}

/// Lists pending or running jobs with their forecasts, in order of job ID.
#[utoipa::path(
    get,
    path = route::QUEUE,
    params(QueueRequest),
    responses(
        (status = 200, body = QueueResponse),
        (status = 400, body = ProblemResponse, description = "Invalid query parameter"),
        (status = 403, body = ProblemResponse, description = "The client is not identified"),
        (status = 503, body = ProblemResponse, description = "Not ready yet")
    )
)]
pub(super) async fn queue(
    view: View,
    question: Result<Query<QueueRequest>, QueryRejection>,
) -> Result<Json<QueueResponse>, Problem> {
    let Query(question) = question.map_err(|rejection| {
        Problem::bad_request(
            rejection.body_text(),
            "use `partition`, `user`, `me`, `state`, `limit` and `after`, each once",
        )
    })?;
    view.queue(&question).map(Json)
}
