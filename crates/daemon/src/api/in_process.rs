//! The interface without a listener: questions of this process are answered in it, by the same routes and under the same limits as those
//! that come over a socket.
//!
//! For: answers without a daemon (`direct`).
//!
//! Not for: several users; whoever asks is this process's own.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use queuecast_api::{AskError, LARGEST_ANSWER, Reply, Transport};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use super::ApiSettings;
use super::identity::Peer;
use super::routes::{Api, router};
use crate::board::Board;
use crate::clock::Clock;

/// What it is called in messages.
const PLACE: &str = "this process";

/// The routes, and what they run on.
pub(crate) struct InProcess {
    router: Router,
    peer: Peer,
    /// There until it is dropped.
    runtime: Option<Runtime>,
}

impl InProcess {
    /// Answers from this board, to this user as whom the process runs.
    pub fn new(board: Board, clock: Clock, settings: ApiSettings, user_id: u32) -> io::Result<Self> {
        let router = router(&Arc::new(Api::new(board, clock, settings, user_id)));
        let runtime = Builder::new_current_thread().enable_time().build()?;
        Ok(Self { router, peer: Peer::Local(user_id), runtime: Some(runtime) })
    }

    async fn answered(&self, request: Request<Body>) -> Result<Reply, AskError> {
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        let most = usize::try_from(LARGEST_ANSWER).unwrap_or(usize::MAX);
        let bytes = to_bytes(response.into_body(), most).await.map_err(|error| broken(&error))?;
        Ok(Reply { status, text: String::from_utf8(bytes.into()).map_err(|error| broken(&error))? })
    }
}

impl Transport for InProcess {
    fn place(&self) -> &str {
        PLACE
    }

    fn exchange(&self, path: &str, question: Option<Vec<u8>>) -> Result<Reply, AskError> {
        let request = match question {
            None => Request::get(path).body(Body::empty()),
            Some(body) => Request::post(path).header(CONTENT_TYPE, "application/json").body(Body::from(body)),
        };
        let mut request = request.map_err(|error| broken(&error))?;
        request.extensions_mut().insert(ConnectInfo(self.peer));
        self.runtime.as_ref().expect("there until it is dropped").block_on(self.answered(request))
    }
}

fn broken(error: &dyn std::fmt::Display) -> AskError {
    AskError::BrokeOff { place: PLACE.to_owned(), why: error.to_string() }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A forecast that nobody waits for any more must not keep the process.
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, estimate, job, published};
    use queuecast_advise::{Adviser, HypotheticalJob, LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, Why};
    use queuecast_api::forecast::ForecastResponse;
    use queuecast_api::hypothetical::HypotheticalRequest;
    use queuecast_api::{Client, route};
    use queuecast_forecast::estimate::{JobForecast, NoForecast};
    use queuecast_forecast::queue::{Patience, Threads};
    use queuecast_site::published::Published;
    use std::time::{Duration, Instant};

    /// Takes its time.
    struct Slow;

    impl Adviser for Slow {
        fn within(self: Arc<Self>, _patience: Patience, _threads: Threads) -> Arc<dyn Adviser> {
            self
        }

        fn forecast(&self, _: &HypotheticalJob) -> JobForecast {
            std::thread::sleep(Duration::from_secs(30));
            estimate(60)
        }
        fn limits(&self, _: &Subject) -> Result<LimitAdvice, NoForecast> {
            unreachable!("nobody asks it")
        }
        fn places(&self, _: &HypotheticalJob) -> Vec<Place> {
            unreachable!("nobody asks it")
        }
        fn widths(&self, _: &HypotheticalJob, _: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
            unreachable!("nobody asks it")
        }
        fn why(&self, _: u64) -> Result<Why, NoForecast> {
            unreachable!("nobody asks it")
        }
    }

    fn client(settings: ApiSettings) -> Client {
        let published = Published { adviser: Some(Arc::new(Slow)), ..published(vec![job(7)]) };
        let clock = Clock::fast(0.0, NOW.0 as f64, 0.0);
        Client::over(InProcess::new(Board::new(published), clock, settings, 4_711).expect("a runtime"))
    }

    #[test]
    fn whoever_asks_in_the_process_is_told_what_the_daemons_own_user_is() {
        let client = client(ApiSettings::default());
        let answer: ForecastResponse = client.get(&route::of_job(route::JOB_FORECAST, "7")).unwrap().read().unwrap();
        assert_eq!((answer.cluster.as_str(), answer.job.user.as_deref()), ("alpha", Some("alice")));
        assert!(client.find(&route::of_job(route::JOB_FORECAST, "8")).unwrap().is_none());
        assert_eq!(client.health().unwrap().jobs_waiting, Some(1));
    }

    #[test]
    fn an_answer_that_takes_too_long_is_refused_in_time_and_nobody_waits_for_it_at_the_end() {
        let begun = Instant::now();
        let client = client(ApiSettings { request_limit: Duration::from_millis(50), ..ApiSettings::default() });
        let refused = client.post(route::FORECAST, &HypotheticalRequest::default()).err();
        assert!(
            matches!(&refused, Some(AskError::Refused { status: 503, code, .. }) if code == "too_late"),
            "{refused:?}"
        );
        drop(client);
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}
