//! What the routes share. The board is in here, and only a [`View`] of it comes out.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use tokio::sync::Semaphore;

use super::openapi_json;
use crate::api::ApiSettings;
use crate::api::answer::problem::Problem;
use crate::api::asker::Asker;
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
    advising: Arc<Semaphore>,
    document: String,
}

impl Api {
    pub fn new(board: Board, clock: Clock, settings: ApiSettings, own_user_id: u32) -> Self {
        let advising = Arc::new(Semaphore::new(settings.advisers));
        let window = Window::new(board);
        Self { window, clock, settings, own_user_id, requests: Requests::default(), advising, document: openapi_json() }
    }

    /// The board as this asker sees it.
    fn view(&self, asker: Asker) -> View {
        let sight = self.window.look();
        let sees = asker.sees(sight.published.jobs_are_private, self.own_user_id, &self.settings.administrators);
        View::new(sight, sees, self.clock.now(), self.settings.horizon)
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
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Infallible> {
        let asker = parts.extensions.get::<ConnectInfo<Asker>>().map_or(Asker::Nobody, |connection| connection.0);
        Ok(api.view(asker))
    }
}
