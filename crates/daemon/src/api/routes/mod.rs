//! The routes, each with its part of the `OpenAPI` document.
//!
//! For: turning a request into a question to the asker's [`View`]; what is on the board cannot be reached otherwise.
//!
//! Not for: who may see what (`view`).

mod advice;
mod body;
mod changes;
mod forecast;
mod jobs;
mod notices;
mod page;
mod state;
mod what_if;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[cfg(test)]
pub(crate) use self::body::question;
pub(crate) use self::page::is_of_page;
pub(crate) use self::state::Api;
use super::answer::problem::Problem;
use super::view::View;
use super::{LARGEST_BODY, admit, metrics, middleware};
use queuecast_api::health::{HealthResponse, HealthStatus};
use queuecast_api::operations::OperationsResponse;
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;
use queuecast_api::score::ScoreResponse;
use queuecast_api::waits::{WaitsRequest, WaitsResponse};

#[derive(OpenApi)]
#[openapi(info(
    title = "Queuecast",
    description = "Forecasts of when the jobs of a Slurm cluster start and end, with ranges. Unknown values are null. Times are \
                   seconds since 1970 and RFC 3339 in UTC. Every response with status 400 or higher contains an `error`. Any route may \
                   return 401 for an invalid token or proxy header, 429 with `Retry-After` for too many requests, and over TCP 421 if \
                   the `Host` header is not a name of the daemon.",
    license(name = "MIT OR Apache-2.0")
))]
struct Document;

fn described() -> OpenApiRouter<Arc<Api>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(jobs::job_forecast))
        .routes(routes!(jobs::queue))
        .routes(routes!(forecast::hypothetical_forecast))
        .routes(routes!(forecast::forecast_table))
        .routes(routes!(advice::hypothetical_limit))
        .routes(routes!(advice::job_limit))
        .routes(routes!(advice::places))
        .routes(routes!(advice::widths))
        .routes(routes!(advice::job_why))
        .routes(routes!(notices::list, notices::ask))
        .routes(routes!(notices::cancel))
        .routes(routes!(changes::changes))
        .routes(routes!(waits))
        .routes(routes!(operations))
        .routes(routes!(what_if::look, what_if::begin))
        .routes(routes!(score))
        .routes(routes!(health))
        .routes(routes!(scrape))
        .routes(routes!(document))
}

/// The `OpenAPI` document.
pub fn openapi_json() -> String {
    let mut text = serde_json::to_string_pretty(described().get_openapi()).unwrap_or_default();
    text.push('\n');
    text
}

/// Everything that can be asked.
pub(crate) fn router(api: &Arc<Api>) -> Router {
    let (router, _) = described().split_for_parts();
    page::FILES
        .iter()
        .fold(router, |router, file| router.route(file.path, get(async |headers: HeaderMap| file.served(&headers))))
        .fallback(|| async { Problem::unknown_route() })
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(api), admit::admit))
        .layer(from_fn_with_state(Arc::clone(api), middleware::limit_and_count))
        .with_state(Arc::clone(api))
}

/// Reports the accuracy of past forecasts, compared with Slurm's own start estimates.
#[utoipa::path(get, path = route::SCORE, responses((status = 200, body = ScoreResponse)))]
async fn score(view: View) -> Json<ScoreResponse> {
    Json(view.score().clone())
}

/// Reports the waits of the last weeks, by hour and weekday at which the wait began.
#[utoipa::path(get, path = route::WAITS, params(WaitsRequest), responses(
    (status = 200, body = WaitsResponse),
    (status = 400, body = ProblemResponse, description = "Invalid query parameter, or unknown job size")
))]
async fn waits(
    view: View,
    question: Result<Query<WaitsRequest>, QueryRejection>,
) -> Result<Json<WaitsResponse>, Problem> {
    let wrong = |_| Problem::bad_request("invalid query parameters", "use `partition` and `size`");
    let Query(question) = question.map_err(wrong)?;
    view.waits(question).map(Json)
}

/// Reports the longest-waiting accounts and slow requests.
#[utoipa::path(get, path = route::OPERATIONS, responses(
    (status = 200, body = OperationsResponse),
    (status = 403, body = ProblemResponse, description = "The requesting user is not an operator")
))]
async fn operations(State(api): State<Arc<Api>>, view: View) -> Result<Json<OperationsResponse>, Problem> {
    let accounts = view.accounts()?;
    let (questions, slow_requests) = api.requests().told();
    Ok(Json(OperationsResponse { accounts, requests: questions, slow_requests }))
}

/// Reports whether the forecasts are reliable, and if not, why.
#[utoipa::path(get, path = route::HEALTH, responses(
    (status = 200, body = HealthResponse, description = "Status `ok` or `degraded`"),
    (status = 503, body = HealthResponse, description = "Status `stale`: there are no forecasts")
))]
async fn health(view: View) -> impl IntoResponse {
    let answer = view.health();
    let status = if answer.status == HealthStatus::Stale { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (status, Json(answer))
}

/// Returns metrics for Prometheus.
#[utoipa::path(get, path = route::METRICS, responses((status = 200, body = String, content_type = "application/openmetrics-text")))]
async fn scrape(State(api): State<Arc<Api>>, view: View) -> impl IntoResponse {
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::text(&view.figures(), api.requests(), &api.messages()))
}

/// Returns this document.
#[utoipa::path(get, path = route::DOCUMENT, responses((status = 200, content_type = "application/json", body = Object)))]
async fn document(State(api): State<Arc<Api>>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], api.document().to_owned())
}
