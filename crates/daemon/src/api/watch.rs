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
    let limit = api.settings().request_limit;
    let response = match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_late(limit.as_secs_f64()).into_response(),
    };
    api.requests().count(route, response.status().as_u16());
    response
}

/// A route by its pattern: what is asked must not become a label, or labels would never stop growing.
fn route(path: &str) -> &'static str {
    match path {
        "/v1/forecast" => "/v1/forecast",
        "/v1/queue" => "/v1/queue",
        "/v1/score" => "/v1/score",
        "/v1/health" => "/v1/health",
        "/metrics" => "/metrics",
        "/openapi.json" => "/openapi.json",
        _ if path.starts_with("/v1/jobs/") && path.ends_with("/forecast") => "/v1/jobs/{id}/forecast",
        _ => "other",
    }
}
