//! What every request passes through: a limit on its time, and counting.
//!
//! Not for: limits on connections (`door`).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::problem::Problem;
use super::routes::Api;

/// Answers in time or says that it could not, and counts either.
pub(crate) async fn watch(State(api): State<Arc<Api>>, request: Request, next: Next) -> Response {
    let route = route(request.uri().path());
    let limit = if plays_futures(route) { api.settings().advice_limit } else { api.settings().request_limit };
    let response = match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_late(limit.as_secs_f64()).into_response(),
    };
    api.requests().count(route, response.status().as_u16());
    response
}

/// Whether futures are played for an answer, which takes a while in a long queue.
fn plays_futures(route: &str) -> bool {
    matches!(route, "/v1/jobs/{id}/limit" | "/v1/jobs/{id}/why")
}

/// A route by its pattern: what is asked must not become a label, or labels would never stop growing.
fn route(path: &str) -> &'static str {
    match path {
        "/v1/forecast" => "/v1/forecast",
        "/v1/limit" => "/v1/limit",
        "/v1/where" => "/v1/where",
        "/v1/size" => "/v1/size",
        "/v1/queue" => "/v1/queue",
        "/v1/score" => "/v1/score",
        "/v1/health" => "/v1/health",
        "/metrics" => "/metrics",
        "/openapi.json" => "/openapi.json",
        _ => match path.strip_prefix("/v1/jobs/").and_then(|job| job.split_once('/')) {
            Some((_, "forecast")) => "/v1/jobs/{id}/forecast",
            Some((_, "limit")) => "/v1/jobs/{id}/limit",
            Some((_, "why")) => "/v1/jobs/{id}/why",
            _ => "other",
        },
    }
}
