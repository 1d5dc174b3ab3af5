//! What every request passes through: a limit on its time, counting, and headers that make browsers and caches keep their hands off
//! the answer.
//!
//! Not for: limits on connections (`listener`); who asks (`admit`).
//!
//! Source: the Fetch standard's `nosniff`; Content Security Policy level 3; RFC 9111, `no-store`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::problem::Problem;
use super::routes::Api;

/// Names are what users made them, so an answer is never taken for a page; and what one user was told is never told to another from
/// a cache.
const PROTECTIVE_HEADERS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (CACHE_CONTROL, "no-store"),
];

/// Answers in time or says that it could not, and counts either.
pub(crate) async fn limit_and_count(State(api): State<Arc<Api>>, request: Request, next: Next) -> Response {
    let route = route(request.uri().path());
    let limit = if plays_futures(route) { api.settings().advice_limit } else { api.settings().request_limit };
    let mut response = match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_late(limit.as_secs_f64()).into_response(),
    };
    for (name, value) in PROTECTIVE_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
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
