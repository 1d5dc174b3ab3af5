//! Jobs that exist: one by its number, or all that wait or run.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;

use super::Api;
use crate::api::answer::problem::Problem;
use crate::api::view::View;
use queuecast_api::forecast::ForecastAnswer;
use queuecast_api::problem::ProblemAnswer;
use queuecast_api::queue::{QueueAnswer, QueueQuestion};
use queuecast_api::route;

/// When a job starts and ends; of one that has ended, when and how it did.
#[utoipa::path(
    get,
    path = route::JOB_FORECAST,
    params(("id" = String, Path, description = "As Slurm writes it: 123, 123_4, 123+0. An array's number means what of it waits.")),
    responses(
        (status = 200, body = ForecastAnswer, description = "What is said of it, or why nothing is"),
        (status = 400, body = ProblemAnswer, description = "Not the number of a job"),
        (status = 403, body = ProblemAnswer, description = "Nobody knows who asks"),
        (status = 404, body = ProblemAnswer, description = "No such job, as far as the asker may see"),
        (status = 503, body = ProblemAnswer, description = "Not ready yet")
    )
)]
pub(super) async fn job_forecast(
    State(api): State<Arc<Api>>,
    view: View,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<ForecastAnswer>, Problem> {
    let Path(id) = id.map_err(|_| Problem::not_a_job_id())?;
    match view.job(&id) {
        Err(problem) if problem.status == StatusCode::NOT_FOUND => {
            let past = api.past(&view, &id).await?;
            past.map(Json).ok_or(problem)
        }
        said => said.map(Json),
    }
}

/// The jobs that wait, or run, with their forecasts, in order of their numbers.
#[utoipa::path(
    get,
    path = route::QUEUE,
    params(QueueQuestion),
    responses(
        (status = 200, body = QueueAnswer),
        (status = 400, body = ProblemAnswer, description = "A parameter is not understood"),
        (status = 403, body = ProblemAnswer, description = "Nobody knows who asks"),
        (status = 503, body = ProblemAnswer, description = "Not ready yet")
    )
)]
pub(super) async fn queue(
    view: View,
    question: Result<Query<QueueQuestion>, QueryRejection>,
) -> Result<Json<QueueAnswer>, Problem> {
    let Query(question) = question.map_err(|rejection| {
        Problem::bad_request(
            rejection.body_text(),
            "use `partition`, `user`, `me`, `state`, `limit` and `after`, each once",
        )
    })?;
    view.queue(&question).map(Json)
}
