//! That there is something new, told as it happens: for pages that are looked at.
//!
//! A stream tells only that the board was filled anew, and how often that was; whoever wants to know more asks, and is told what they may
//! see. So one stream is the same for everybody, and holds nothing that could leak.
//!
//! A stream ends after less than the patience of a connection, and a browser begins the next by itself with what it has heard last: so
//! who has gone away is noticed, and no proxy ends it first.
//!
//! Source: the HTML standard, "Server-sent events" (`Last-Event-ID`, `retry`).

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;
use tokio::time::Instant;

use super::Api;
use crate::api::answer::problem::Problem;
use queuecast_api::changes::ChangesRequest;
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;

/// A stream lasts so long at most.
const LONGEST_SECONDS: u64 = 25;
/// After that a browser waits so long before it begins the next.
const RETRY: Duration = Duration::from_secs(1);

/// Reports new data as server-sent events of type `change`. The data is a number that differs after each change. With `Last-Event-ID`,
/// a change since that event is reported at once.
#[utoipa::path(
    get,
    path = route::CHANGES,
    params(ChangesRequest),
    responses(
        (status = 200, content_type = "text/event-stream", body = String),
        (status = 400, body = ProblemResponse, description = "Invalid query parameter")
    )
)]
pub(super) async fn changes(
    State(api): State<Arc<Api>>,
    headers: HeaderMap,
    question: Result<Query<ChangesRequest>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let wrong = || Problem::bad_request("invalid query parameters", "use `wait_seconds`, from 0 to 25");
    let Query(question) = question.map_err(|_| wrong())?;
    let wait = question.wait_seconds.unwrap_or(LONGEST_SECONDS);
    if wait > LONGEST_SECONDS {
        return Err(wrong());
    }
    let heard = headers.get("last-event-id").and_then(|heard| heard.to_str().ok()?.parse().ok());
    let told = Told { board: api.changes(), heard, until: Instant::now() + Duration::from_secs(wait) };
    Ok(Sse::new(unfold(told, next)))
}

struct Told {
    board: watch::Receiver<u64>,
    /// The number that was told last. Whoever has heard none has just asked for everything: the first is for the next time.
    heard: Option<u64>,
    until: Instant,
}

async fn next(mut told: Told) -> Option<(Result<Event, Infallible>, Told)> {
    let waited = tokio::time::timeout_at(told.until, async {
        loop {
            let now = *told.board.borrow_and_update();
            if told.heard != Some(now) {
                return Some(now);
            }
            // Nobody publishes any more: the daemon ends.
            told.board.changed().await.ok()?;
        }
    });
    let now = waited.await.ok().flatten()?;
    let event = Event::default().id(now.to_string()).data(now.to_string()).retry(RETRY);
    // To whom nothing was told yet this only says where we are.
    let event = if told.heard.is_some() { event.event("change") } else { event.event("now") };
    told.heard = Some(now);
    Some((Ok(event), told))
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
    use axum::http::Request;
    use tower::ServiceExt;

    async fn heard(board: &Board, path: &str, last: Option<&str>) -> (u16, String) {
        let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
        let router = router(&Arc::new(Api::new(board.clone(), clock, ApiSettings::default(), 990)));
        let mut request = Request::get(path).extension(ConnectInfo(Peer::Local(1_000)));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = router.oneshot(request.body(Body::empty()).expect("a request")).await.expect("it answers");
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 1 << 16).await.expect("it ends");
        (status, String::from_utf8(bytes.into()).expect("text"))
    }

    #[tokio::test]
    async fn a_change_is_told_as_it_happens_and_one_that_was_missed_at_once() {
        let board = Board::new(published(vec![job(7)]));
        let publishing = board.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(100)).await;
            publishing.publish(published(vec![job(8)]));
        });
        let (status, said) = heard(&board, "/v1/changes?wait_seconds=2", None).await;
        assert_eq!(status, 200);
        let told: Vec<_> = said.lines().filter(|line| line.starts_with("event") || line.starts_with("data")).collect();
        assert_eq!(told, ["data: 0", "event: now", "data: 1", "event: change"], "{said}");
        let (_, said) = heard(&board, "/v1/changes?wait_seconds=0", Some("0")).await;
        assert!(said.contains("event: change") && said.contains("id: 1"), "{said}");
        assert_eq!(heard(&board, "/v1/changes?wait_seconds=1", Some("1")).await.1, "", "nothing has changed since");
    }

    #[tokio::test]
    async fn nothing_that_is_on_the_board_is_in_it_and_nonsense_is_refused() {
        let board = Board::new(published(vec![job(7)]));
        let (_, said) = heard(&board, "/v1/changes?wait_seconds=0", None).await;
        assert!(!said.contains("alice") && said.len() < 100, "{said}");
        for wrong in ["?wait_seconds=26", "?wait_seconds=x", "?since=1"] {
            assert_eq!(heard(&board, &format!("/v1/changes{wrong}"), None).await.0, 400, "{wrong}");
        }
    }
}
