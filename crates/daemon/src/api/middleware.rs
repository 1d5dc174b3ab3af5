//! What every request passes through: a limit on its time, counting, a line in the log, and headers that make browsers and caches keep their hands off
//! the answer.
//!
//! Not for: limits on connections (`listener`); who asks (`admit`).
//!
//! Source: the Fetch standard's `nosniff`; Content Security Policy level 3; RFC 9111, `no-store`.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use queuecast_api::route;

use super::answer::problem::Problem;
use super::audit::{Asked, WhoAsked};
use super::routes::Api;

/// Names are what users made them, so an answer is never taken for a page; and what one user was told is never told to another from
/// a cache.
const PROTECTIVE_HEADERS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (CACHE_CONTROL, "no-store"),
];

/// Answers in time or says that it could not, and counts either.
pub(crate) async fn limit_and_count(State(api): State<Arc<Api>>, mut request: Request, next: Next) -> Response {
    let who = request.extensions_mut().get_or_insert_default::<WhoAsked>().clone();
    // A route by its pattern: what is asked must not become a label, or labels would never stop growing.
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map_or("other", MatchedPath::as_str);
    let (method, begun) = (request.method().clone(), Instant::now());
    let limit = if plays_futures(route) { api.settings().advice_limit } else { api.settings().request_limit };
    let mut response = match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_late(limit.as_secs_f64()).into_response(),
    };
    for (name, value) in PROTECTIVE_HEADERS {
        // The page has a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    let status = response.status().as_u16();
    let now = Instant::now();
    let took = now.saturating_duration_since(begun);
    api.requests().count(route, status, took, api.now());
    api.audit().write(&Asked { who: who.who(), method: method.as_str(), route, status, took }, now);
    response
}

/// Whether several sets of futures are played for an answer, or many jobs look on at one, which takes a while in a long queue.
fn plays_futures(route: &str) -> bool {
    use route::{FORECAST_TABLE, JOB_LIMIT, JOB_WHY, LIMIT, SIZE, WHERE};
    matches!(route, JOB_LIMIT | JOB_WHY | FORECAST_TABLE | LIMIT | WHERE | SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiSettings;
    use crate::api::identity::Peer;
    use crate::api::routes::router;
    use crate::api::test_board::{NOW, job, published};
    use crate::board::Board;
    use crate::clock::Clock;
    use axum::body::{Body, to_bytes};
    use axum::extract::ConnectInfo;
    use tower::ServiceExt;

    #[tokio::test]
    async fn what_is_asked_is_counted_by_its_route_and_never_becomes_a_label() {
        let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
        let api = Api::new(Board::new(published(vec![job(7)])), clock, ApiSettings::default(), 990);
        let router = router(&Arc::new(api));
        let ask = async |method: &str, path: &str| {
            let request = Request::builder().method(method).uri(path).extension(ConnectInfo(Peer::Local(990)));
            let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            String::from_utf8(to_bytes(response.into_body(), 1 << 20).await.unwrap().into()).unwrap()
        };
        let asked = [
            ("GET", "/v1/jobs/7/forecast", r#",route="/v1/jobs/{id}/forecast",status="200"}"#),
            ("GET", "/v1/jobs/secret/why", r#",route="/v1/jobs/{id}/why",status="400"}"#),
            ("GET", "/v1/jobs/7/limit", r#",route="/v1/jobs/{id}/limit",status="503"}"#),
            ("GET", "/v1/queue?user=secret", r#",route="/v1/queue",status="200"}"#),
            ("DELETE", "/v1/queue", r#",route="/v1/queue",status="405"}"#),
            ("POST", "/v1/where", r#",route="/v1/where",status="415"}"#),
            ("GET", "/v1/jobs/7/secret", r#",route="other",status="404"}"#),
        ];
        for (method, path, _) in asked {
            ask(method, path).await;
        }
        let metrics = ask("GET", "/metrics").await;
        for (_, path, labels) in asked {
            assert!(
                metrics.contains(&format!("queuecast_requests_total{{cluster=\"alpha\"{labels} 1\n")),
                "{path}: {metrics}"
            );
        }
        assert!(!metrics.contains("secret"), "{metrics}");
    }
}
