//! What the routes share. The board is in here, and only a [`View`] of it comes out.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use queuecast_api::forecast::ForecastAnswer;
use queuecast_records::WrittenJobId;
use tokio::sync::Semaphore;

use super::openapi_json;
use crate::api::ApiSettings;
use crate::api::answer::problem::Problem;
use crate::api::asker::Asker;
use crate::api::identity::{Peer, identify};
use crate::api::limiter::Limiter;
use crate::api::metrics::Requests;
use crate::api::permissions::Permissions;
use crate::api::view::View;
use crate::board::Board;
use crate::clock::Clock;

/// What the routes share.
pub(crate) struct Api {
    board: Board,
    clock: Clock,
    settings: ApiSettings,
    own_user_id: u32,
    requests: Requests,
    limiter: Limiter,
    /// Places for questions about jobs that do not exist: one set of futures is played for each answer.
    imagining: Arc<Semaphore>,
    /// Places for questions for which many sets of futures are played. Apart, so that nobody who asks a short question waits behind a long one.
    playing_again: Arc<Semaphore>,
    document: String,
}

impl Api {
    pub fn new(board: Board, clock: Clock, settings: ApiSettings, own_user_id: u32) -> Self {
        let imagining = Arc::new(Semaphore::new(settings.advisers));
        let playing_again = Arc::new(Semaphore::new(settings.advisers_playing_again));
        let limiter = Limiter::new(settings.requests_at_once, settings.requests_per_second);
        Self {
            board,
            clock,
            settings,
            own_user_id,
            requests: Requests::default(),
            limiter,
            imagining,
            playing_again,
            document: openapi_json(),
        }
    }

    /// Who asks; or why they are not believed.
    pub fn identify(&self, peer: Peer, headers: &HeaderMap) -> Result<Asker, &'static str> {
        identify(peer, headers, &self.settings, self.clock.now())
    }

    /// The board as this asker sees it.
    pub fn view(&self, asker: Asker) -> View {
        let board = self.board.read();
        let permissions = Permissions::of(asker, &board, &self.settings, self.own_user_id);
        View::new(board, permissions, self.clock.now(), self.settings.horizon)
    }

    pub fn limiter(&self) -> &Limiter {
        &self.limiter
    }

    pub fn settings(&self) -> &ApiSettings {
        &self.settings
    }

    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Asks the adviser about a job that does not exist.
    pub async fn advise<A: Send + 'static, T: Send + 'static>(
        &self,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        at_a_place(&self.imagining, advice, question).await
    }

    /// Asks the adviser what futures are played again for.
    pub async fn advise_playing_again<A: Send + 'static, T: Send + 'static>(
        &self,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        at_a_place(&self.playing_again, advice, question).await
    }

    /// What is said of a job under whose number nobody waits or runs, if it has ended.
    pub async fn past(&self, view: &View, asked: &str) -> Result<Option<ForecastAnswer>, Problem> {
        let id = WrittenJobId::parse(asked.as_bytes()).filter(|id| !id.is_step);
        let Some(id) = id.filter(|_| self.settings.past.is_somewhere()) else { return Ok(None) };
        let (_, record) = self.advise(self.settings.past.clone(), move |past| past.find(&id)).await?;
        Ok(record.and_then(|record| view.past(&record)))
    }

    /// That there is no such job; or, of one that has ended, that.
    pub async fn or_ended(&self, view: &View, asked: &str, problem: Problem) -> Problem {
        if problem.status != StatusCode::NOT_FOUND {
            return problem;
        }
        match self.past(view, asked).await {
            Ok(Some(ForecastAnswer { finished: Some(finished), .. })) => Problem::has_ended(asked, &finished.state),
            _ => problem,
        }
    }

    pub fn document(&self) -> &str {
        &self.document
    }
}

/// Asks on a thread of its own, when there is a place: such a question takes a core for a while.
async fn at_a_place<A: Send + 'static, T: Send + 'static>(
    places: &Arc<Semaphore>,
    advice: A,
    question: impl FnOnce(&A) -> T + Send + 'static,
) -> Result<(A, T), Problem> {
    let place = Arc::clone(places).acquire_owned().await.map_err(|_| Problem::not_ready())?;
    let asked = tokio::task::spawn_blocking(move || {
        let found = question(&advice);
        // The place is taken until the work is done, even if nobody waits for it any more.
        drop(place);
        (advice, found)
    });
    asked.await.map_err(|_| Problem::failed())
}

impl FromRequestParts<Arc<Api>> for View {
    type Rejection = Problem;

    /// A request that was not admitted has none.
    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::failed)
    }
}
