//! What the routes share. The board is in here, and only a [`View`] of it comes out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::what_if::WhatIfRequest;
use queuecast_records::WrittenJobId;
use queuecast_workload::Time;
use tokio::sync::watch;

use super::openapi_json;
use crate::api::ApiSettings;
use crate::api::answer::problem::Problem;
use crate::api::asker::Asker;
use crate::api::audit::Audit;
use crate::api::desk::{Desk, Interest};
use crate::api::identity::{Peer, identify};
use crate::api::limiter::{Limiter, Requester};
use crate::api::live::LiveSettings;
use crate::api::metrics::{Messages, Requests};
use crate::api::permissions::Permissions;
use crate::api::threads;
use crate::api::view::{Played, View};
use crate::board::Board;
use crate::clock::Clock;
use crate::notices::{Counts, NoticeSettings, Owner, Sender, Shelf};
use crate::what_if::{NotBegun, WhatIfs};
use queuecast_notify::Seen;

/// What the routes share.
pub(crate) struct Api {
    board: Board,
    clock: Clock,
    settings: LiveSettings,
    own_user_id: u32,
    requests: Requests,
    limiter: Limiter,
    audit: Audit,
    /// Where questions about jobs that do not exist are answered: one set of futures is played for each answer.
    imagining: Desk,
    /// Where tables of them are answered. Apart, since a hand moves on: what is found for one is found for all who stand there, so most take no time, and must
    /// not wait behind those that do.
    looking_on: Desk,
    /// Where those are answered for which many sets of futures are played. Apart, so that nobody who asks a short question waits behind a long one.
    playing_again: Desk,
    /// Where jobs are looked for that have ended: whoever asks for numbers that nobody has waits for others who do.
    looking_back: Desk,
    /// What users have asked to be told.
    shelf: Shelf,
    messages: Counts,
    /// Replays of the history under another policy.
    what_ifs: WhatIfs,
    document: String,
}

impl Api {
    pub fn new(board: Board, clock: Clock, live: impl Into<LiveSettings>, own_user_id: u32) -> Self {
        let live = live.into();
        let settings = live.now();
        let yielding = threads::yielding();
        let imagining = Desk::new(settings.advisers).playing_on(yielding.clone());
        let looking_on = Desk::new(settings.advisers).playing_on(threads::urgent());
        let playing_again = Desk::new(settings.advisers_playing_again).playing_on(yielding);
        let looking_back = Desk::new(1);
        let limiter = Limiter::new(settings.requests_at_once, settings.requests_per_second);
        Self {
            board,
            clock,
            settings: live,
            own_user_id,
            requests: Requests::default(),
            limiter,
            audit: Audit::begin(Instant::now()),
            imagining,
            looking_on,
            playing_again,
            looking_back,
            shelf: Shelf::open(settings.notices.folder.as_deref()),
            messages: Counts::default(),
            what_ifs: WhatIfs::of(settings.history.clone()),
            document: openapi_json(),
        }
    }

    /// Who asks; or why they are not believed.
    pub fn identify(&self, peer: Peer, headers: &HeaderMap) -> Result<Asker, &'static str> {
        identify(peer, headers, &self.settings(), self.clock.now())
    }

    /// The board as this asker sees it.
    pub fn view(&self, asker: Asker, peer: Peer) -> View {
        let requester = Requester::of(&asker, peer);
        let board = self.board.read();
        let settings = self.settings();
        let permissions = Permissions::of(asker, &board, &settings, self.own_user_id);
        View::new(requester, board, permissions, self.clock.now(), settings.horizon)
    }

    pub fn limiter(&self) -> &Limiter {
        &self.limiter
    }

    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    pub fn settings(&self) -> Arc<ApiSettings> {
        self.settings.now()
    }

    /// The cluster's time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Asks the adviser about a job that does not exist.
    pub async fn advise<A: Played + Send + 'static, T: Send + 'static>(
        &self,
        view: &View,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        let limit = self.settings().request_limit;
        at_a_desk(&self.imagining, view, limit, Leaving::EndsIt, advice, question).await
    }

    /// Asks the adviser about many jobs that do not exist. What is found is everybody's, so it is found though its asker has left.
    pub async fn look_on<A: Played + Send + 'static, T: Send + 'static>(
        &self,
        view: &View,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        let limit = self.settings().advice_limit;
        at_a_desk(&self.looking_on, view, limit, Leaving::ChangesNothing, advice, question).await
    }

    /// Asks the adviser what futures are played again for.
    pub async fn advise_playing_again<A: Played + Send + 'static, T: Send + 'static>(
        &self,
        view: &View,
        advice: A,
        question: impl FnOnce(&A) -> T + Send + 'static,
    ) -> Result<(A, T), Problem> {
        let limit = self.settings().advice_limit;
        at_a_desk(&self.playing_again, view, limit, Leaving::EndsIt, advice, question).await
    }

    /// What is said of a job under whose number nobody waits or runs, if it has ended.
    pub async fn past(&self, view: &View, asked: &str) -> Result<Option<ForecastResponse>, Problem> {
        let id = WrittenJobId::parse(asked.as_bytes()).filter(|id| !id.is_step);
        let past = self.settings().past.clone();
        let Some(id) = id.filter(|_| past.is_somewhere()) else { return Ok(None) };
        let place = self.looking_back.place(view.requester(), view.is_unlimited()).await?;
        let found = tokio::task::spawn_blocking(move || {
            let record = past.find(&id);
            drop(place);
            record
        });
        let record = found.await.map_err(|_| Problem::failed())?;
        Ok(record.and_then(|record| view.past(&record)))
    }

    /// That there is no such job; or, of one that has ended, that.
    pub async fn or_ended(&self, view: &View, asked: &str, problem: Problem) -> Problem {
        if problem.status != StatusCode::NOT_FOUND {
            return problem;
        }
        match self.past(view, asked).await {
            Ok(Some(ForecastResponse { finished: Some(finished), .. })) => Problem::has_ended(asked, &finished.state),
            _ => problem,
        }
    }

    /// How often the board has changed, now and whenever it does.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.board.changes()
    }

    /// How many users are told something, for metrics.
    pub fn messages(&self) -> Messages {
        Messages { notices: self.shelf.len(), taken: self.messages.taken(), not_taken: self.messages.not_taken() }
    }

    pub fn what_ifs(&self) -> &WhatIfs {
        &self.what_ifs
    }

    /// Begins to replay the history.
    pub fn begin_what_if(&self, question: WhatIfRequest) -> Result<(), NotBegun> {
        self.what_ifs.begin(question, self.clock)
    }

    pub fn document(&self) -> &str {
        &self.document
    }
}

impl Sender for Api {
    fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    fn see(&self, owner: &Owner, job: &str) -> Seen {
        let asker = match owner.user_id {
            Some(user) => Asker::Local(user),
            None => Asker::Named(owner.user.as_str().into()),
        };
        self.view(asker, Peer::Unknown).seen(job)
    }

    fn allowed(&self) -> NoticeSettings {
        self.settings().notices.clone()
    }

    fn counts(&self) -> &Counts {
        &self.messages
    }
}

/// What becomes of a question that is being answered when its asker leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    EndsIt,
    ChangesNothing,
}

/// Asks on a thread of its own, when there is a place: such a question takes a core for a while. When the time is over, playing ends.
async fn at_a_desk<A: Played + Send + 'static, T: Send + 'static>(
    desk: &Desk,
    view: &View,
    limit: Duration,
    leaving: Leaving,
    advice: A,
    question: impl FnOnce(&A) -> T + Send + 'static,
) -> Result<(A, T), Problem> {
    let (interest, patience) = Interest::within(limit);
    let place = desk.place(view.requester(), view.is_unlimited()).await?;
    let threads = desk.threads();
    // Interest ends where it is dropped: with the asker, who stays here, or with what is played there.
    let (here, there) = if leaving == Leaving::EndsIt { (Some(interest), None) } else { (None, Some(interest)) };
    let asked = tokio::task::spawn_blocking(move || {
        let advice = advice.within(patience.clone(), threads);
        let found = question(&advice);
        drop(place);
        // What is said once patience is over is worth nothing. It is over when nobody is interested any more.
        let is_worth_telling = !patience.is_over();
        drop(there);
        is_worth_telling.then_some((advice, found))
    });
    let found = asked.await.map_err(|_| Problem::failed())?;
    drop(here);
    found.ok_or_else(|| Problem::too_late(limit.as_secs_f64()))
}

impl FromRequestParts<Arc<Api>> for View {
    type Rejection = Problem;

    /// A request that was not admitted has none.
    async fn from_request_parts(parts: &mut Parts, _: &Arc<Api>) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::failed)
    }
}
