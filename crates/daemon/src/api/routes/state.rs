//! What the routes share. The board is in here, and only a [`View`] of it comes out.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use tokio::sync::Semaphore;

use super::openapi_json;
use crate::api::ApiSettings;
use crate::api::answer::problem::Problem;
use crate::api::asker::{Asker, Sees};
use crate::api::identity::{Peer, identify};
use crate::api::limiter::Limiter;
use crate::api::metrics::Requests;
use crate::api::sight::Window;
use crate::api::view::View;
use crate::clock::Clock;
use crate::published::Board;

/// What the routes share.
pub(crate) struct Api {
    window: Window,
    clock: Clock,
    settings: ApiSettings,
    own_user_id: u32,
    requests: Requests,
    limiter: Limiter,
    advising: Arc<Semaphore>,
    document: String,
}

impl Api {
    pub fn new(board: Board, clock: Clock, settings: ApiSettings, own_user_id: u32) -> Self {
        let advising = Arc::new(Semaphore::new(settings.advisers));
        let window = Window::new(board);
        let limiter = Limiter::new(settings.requests_at_once, settings.requests_per_second);
        Self {
            window,
            clock,
            settings,
            own_user_id,
            requests: Requests::default(),
            limiter,
            advising,
            document: openapi_json(),
        }
    }

    /// Who asks; or why they are not believed.
    pub fn identify(&self, peer: Peer, headers: &HeaderMap) -> Result<Asker, &'static str> {
        identify(peer, headers, &self.settings, self.clock.now())
    }

    /// The board as this asker sees it.
    pub fn view(&self, asker: Asker) -> View {
        let sight = self.window.look();
        let sees = Sees::of(asker, &sight, &self.settings, self.own_user_id);
        View::new(sight, sees, self.clock.now(), self.settings.horizon)
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

    /// Asks the adviser, on a thread of its own, when there is a place: such a question takes a core for a while.
    pub async fn advise<A: Send + 'static, T: Send + 'static>(
        &self,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        let place = Arc::clone(&self.advising).acquire_owned().await.map_err(|_| Problem::not_ready())?;
        let asked = tokio::task::spawn_blocking(move || {
            let found = question(&advice);
            // The place is taken until the work is done, even if nobody waits for it any more.
            drop(place);
            (advice, found)
        });
        asked.await.map_err(|_| Problem::failed())
    }

    pub fn document(&self) -> &str {
        &self.document
    }
}

impl FromRequestParts<Arc<Api>> for View {
    type Rejection = Problem;

    /// A request that was not admitted has none.
    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::failed)
    }
}
