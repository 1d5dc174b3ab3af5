//! What every request passes before anything of it is read: whether it means us, who asks, and whether they ask too often.
//!
//! For: giving routes a [`View`], without which they see nothing.
//!
//! Not for: how who asks is found out (`identity`) and counted (`limiter`).

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::problem::Problem;
use super::asker::Asker;
use super::audit::WhoAsked;
use super::host;
use super::identity::Peer;
use super::limiter::Purpose;
use super::routes::{self, Api};
use queuecast_api::route;

/// Lets a request pass with the view of whoever asks. Who is not believed is counted apart, so that keys cannot be tried without end
/// and nobody else from the same address waits for it.
pub(crate) async fn admit(State(api): State<Arc<Api>>, mut request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<ConnectInfo<Peer>>();
    let peer = connection.map_or(Peer::Unknown, |connection| connection.0);
    if matches!(peer, Peer::Address(_)) && !host::is_meant(request.uri(), request.headers(), &api.settings()) {
        return Problem::wrong_host().into_response();
    }
    let identified = api.identify(peer, request.headers());
    let asker = identified.clone().unwrap_or(Asker::Nobody);
    if let Some(who) = request.extensions().get::<WhoAsked>() {
        who.is(&asker);
    }
    let view = api.view(asker.clone(), peer);
    let purpose = match (&identified, request.uri().path()) {
        (Err(_), _) => Purpose::Refusal,
        (Ok(_), route::METRICS | route::HEALTH) => Purpose::Figures,
        (Ok(_), _) => Purpose::Answer,
    };
    // Whoever opens the page is sent all of its files, and has asked nothing yet.
    let is_counted = !view.is_unlimited() && !routes::is_of_page(request.uri().path());
    if is_counted && let Err(wait) = api.limiter().take(&asker, peer, purpose, Instant::now()) {
        return Problem::too_many_requests(wait).into_response();
    }
    if let Err(why) = identified {
        return Problem::authentication_failed(why).into_response();
    }
    request.extensions_mut().insert(view);
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiSettings;
    use crate::api::identity::TokenKey;
    use crate::api::routes::router;
    use crate::api::test_board::{NOW, job, published};
    use crate::board::Board;
    use crate::clock::Clock;
    use axum::Router;
    use axum::body::Body;
    use tower::ServiceExt;

    const SOMEWHERE: Peer = Peer::Address(std::net::IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7)));

    fn served() -> Router {
        let settings = ApiSettings {
            token_key: Some(TokenKey::known(b"0123456789abcdef0123456789abcdef")),
            // A test that takes a while must not be given more.
            requests_per_second: 0,
            ..ApiSettings::default()
        };
        let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
        router(&Arc::new(Api::new(Board::new(published(vec![job(7)])), clock, settings, 990)))
    }

    async fn ask(router: &Router, peer: Peer, token: Option<&str>, body: Body) -> Response {
        let mut request = Request::post("/v1/forecast").header("host", "localhost").extension(ConnectInfo(peer));
        if let Some(token) = token {
            request = request.header("x-slurm-user-token", token);
        }
        router.clone().oneshot(request.body(body).expect("a request")).await.expect("routers always answer")
    }

    #[tokio::test]
    async fn who_asks_too_often_is_told_when_to_come_back_and_who_runs_the_cluster_is_not() {
        let router = served();
        let statuses = async |peer| {
            let mut statuses = Vec::new();
            for _ in 0..31 {
                statuses.push(ask(&router, peer, None, Body::empty()).await.status().as_u16());
            }
            statuses
        };
        for limited in [Peer::Local(1_000), SOMEWHERE] {
            let statuses = statuses(limited).await;
            assert!(statuses[..30].iter().all(|status| *status == 415) && statuses[30] == 429, "{statuses:?}");
            let refused = ask(&router, limited, None, Body::empty()).await;
            assert!(refused.headers().contains_key("retry-after"), "{refused:?}");
        }
        for unlimited in [Peer::Local(0), Peer::Local(990)] {
            assert!(statuses(unlimited).await.iter().all(|status| *status == 415));
        }
        assert_eq!(
            ask(&router, Peer::Local(1_001), None, Body::empty()).await.status(),
            415,
            "others are not in the way"
        );
    }

    #[tokio::test]
    async fn who_is_not_believed_is_refused_before_a_body_is_read_and_cannot_try_for_ever() {
        let router = served();
        // Read, it would be too large.
        let unread = || Body::from(vec![b'x'; 100_000]);
        for _ in 0..30 {
            let refused = ask(&router, SOMEWHERE, Some("a.b.c"), unread()).await;
            assert_eq!((refused.status().as_u16(), refused.headers().get("www-authenticate").is_some()), (401, true));
        }
        assert_eq!(ask(&router, SOMEWHERE, Some("a.b.c"), unread()).await.status(), 429);
    }

    #[tokio::test]
    async fn whoever_is_refused_is_known_to_the_log_by_name() {
        let router = served();
        for (expected, requests) in [(415, 30), (429, 1)] {
            for _ in 0..requests {
                let who = WhoAsked::default();
                let request = Request::post("/v1/forecast").extension(ConnectInfo(Peer::Local(1_000)));
                let request = request.extension(who.clone()).body(Body::empty()).expect("a request");
                let answer = router.clone().oneshot(request).await.expect("routers always answer");
                assert_eq!((answer.status().as_u16(), who.who()), (expected, &Asker::Local(1_000)));
            }
        }
    }

    #[tokio::test]
    async fn a_flood_of_bad_tokens_silences_neither_metrics_nor_anybody_else_from_there() {
        let router = served();
        for _ in 0..40 {
            ask(&router, SOMEWHERE, Some("a.b.c"), Body::empty()).await;
        }
        let flooded = ask(&router, SOMEWHERE, Some("a.b.c"), Body::empty()).await.status();
        assert_eq!(flooded, 429);
        for path in ["/metrics", "/v1/health", "/v1/score"] {
            let request = Request::get(path).header("host", "localhost").extension(ConnectInfo(SOMEWHERE));
            let answer = router.clone().oneshot(request.body(Body::empty()).expect("a request")).await;
            assert_eq!(answer.expect("routers always answer").status(), 200, "{path}");
        }
        while ask(&router, SOMEWHERE, None, Body::empty()).await.status() != 429 {}
        let request = Request::get("/metrics").header("host", "localhost").extension(ConnectInfo(SOMEWHERE));
        let answer = router.clone().oneshot(request.body(Body::empty()).expect("a request")).await;
        assert_eq!(answer.expect("routers always answer").status(), 200, "nor does a flood of questions");
    }

    #[tokio::test]
    async fn who_asks_for_another_name_over_tcp_is_told_so_and_on_the_socket_names_mean_nothing() {
        let router = served();
        let status = async |peer, host: Option<&str>| {
            let mut request = Request::get("/v1/score").extension(ConnectInfo(peer));
            if let Some(host) = host {
                request = request.header("host", host);
            }
            let answer = router.clone().oneshot(request.body(Body::empty()).expect("a request")).await;
            answer.expect("routers always answer").status().as_u16()
        };
        assert_eq!(status(SOMEWHERE, Some("127.0.0.1:8642")).await, 200);
        assert_eq!((status(SOMEWHERE, Some("evil.example")).await, status(SOMEWHERE, None).await), (421, 421));
        assert_eq!(status(Peer::Local(1_000), Some("evil.example")).await, 200);
    }
}
