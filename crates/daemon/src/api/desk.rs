//! Where questions wait for which futures are played: each takes a core for a while, so few are answered at once, and whose turn it is is fair.
//!
//! For: one person who asks without end and must not take the place of others. Who has been answered least lately is answered next, nobody has all places
//! while others wait, and whoever has used up their time is told when to come back. A question whose asker has left, or whose time is over, is not played on.
//!
//! Not for: how often anything may be asked (`limiter`); how many connections one has (`listener`); what is answered (`view`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use queuecast_forecast::queue::{Patience, Threads};
use tokio::sync::oneshot;

use super::answer::problem::Problem;
use super::limiter::Requester;

/// What one has used counts half after this.
const HALF_LIFE: Duration = Duration::from_secs(30);
/// So much of a desk's time one person may use in a row.
const BUDGET: Duration = Duration::from_secs(20);
/// So many questions of one person wait at once.
const MOST_WAITING: usize = 16;
/// So many people are remembered; who used least is forgotten first.
const MOST_PEOPLE: usize = 8_192;

/// Why a question is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// They have used up their time: come back after this.
    OverBudget(Duration),
    /// So many of theirs wait already.
    TooManyWaiting,
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::OverBudget(wait) => Self::over_budget(wait),
            Refused::TooManyWaiting => Self::too_many_waiting(),
        }
    }
}

/// Places, and who waits for one.
pub(crate) struct Desk {
    state: Arc<Mutex<State>>,
    /// On which what is asked there is played.
    threads: Threads,
}

struct State {
    free: usize,
    waiting: Vec<Ticket>,
    people: HashMap<Requester, Person>,
}

struct Ticket {
    who: Requester,
    call: oneshot::Sender<Place>,
}

/// What is known of one who asks.
#[derive(Clone, Copy)]
struct Person {
    used: Duration,
    since: Instant,
    seated: usize,
}

/// A place at a desk, for as long as this lives.
pub(crate) struct Place {
    state: Arc<Mutex<State>>,
    who: Requester,
    begun: Instant,
    /// Whether nobody came for it.
    is_unclaimed: bool,
}

impl Person {
    /// What counts of what they have used.
    fn used(&self, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.since);
        self.used.mul_f64(0.5_f64.powf(passed.as_secs_f64() / HALF_LIFE.as_secs_f64()))
    }

    fn use_up(&mut self, spent: Duration, now: Instant) {
        self.used = self.used(now) + spent;
        self.since = now;
    }
}

impl Desk {
    pub fn new(places: usize) -> Self {
        let state = State { free: places.max(1), waiting: Vec::new(), people: HashMap::new() };
        Self { state: Arc::new(Mutex::new(state)), threads: Threads::SHARED }
    }

    /// The same, where futures are played on these threads.
    #[must_use]
    pub fn playing_on(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    pub fn threads(&self) -> Threads {
        self.threads.clone()
    }

    /// Waits for a place. Whoever gives up waiting gives up their turn. Who runs the cluster has no budget.
    pub async fn place(&self, who: Requester, is_unlimited: bool) -> Result<Place, Refused> {
        let called = {
            let mut state = lock(&self.state);
            let now = Instant::now();
            let person = state.person(&who, now);
            let used = person.used(now);
            if !is_unlimited && used > BUDGET {
                let doublings = (used.as_secs_f64() / BUDGET.as_secs_f64()).log2();
                return Err(Refused::OverBudget(HALF_LIFE.mul_f64(doublings)));
            }
            if state.waiting.iter().filter(|ticket| ticket.who == who).count() >= MOST_WAITING {
                return Err(Refused::TooManyWaiting);
            }
            let (call, called) = oneshot::channel();
            state.waiting.push(Ticket { who, call });
            state.call_next(&self.state, now);
            called
        };
        // The desk is not gone while somebody waits at it.
        called.await.map_err(|_| Refused::TooManyWaiting)
    }
}

impl State {
    fn person(&mut self, who: &Requester, now: Instant) -> &mut Person {
        if self.people.len() >= MOST_PEOPLE && !self.people.contains_key(who) {
            let nobody_s_place = self.people.iter().filter(|(_, person)| person.seated == 0);
            let least = nobody_s_place.min_by_key(|(_, person)| person.used(now)).map(|(who, _)| who.clone());
            least.and_then(|who| self.people.remove(&who));
        }
        self.people.entry(who.clone()).or_insert(Person { used: Duration::ZERO, since: now, seated: 0 })
    }

    /// Gives free places to those who wait: first to whom nobody answers now, then to who has used least, then to who came first.
    fn call_next(&mut self, shared: &Arc<Mutex<Self>>, now: Instant) {
        while self.free > 0 {
            let rank = |ticket: &Ticket| {
                let person = self.people.get(&ticket.who);
                person.map_or((0, Duration::ZERO), |person| (person.seated, person.used(now)))
            };
            let next = (0..self.waiting.len()).min_by_key(|place| rank(&self.waiting[*place]));
            let Some(Ticket { who, call }) = next.map(|next| self.waiting.remove(next)) else { return };
            if call.is_closed() {
                continue;
            }
            self.free -= 1;
            self.person(&who, now).seated += 1;
            let place = Place { state: Arc::clone(shared), who, begun: now, is_unclaimed: false };
            if let Err(mut unclaimed) = call.send(place) {
                // They left just now. What is held here is given back here: dropping it would want the lock that is held.
                unclaimed.is_unclaimed = true;
                self.free += 1;
                self.person(&unclaimed.who, now).seated -= 1;
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_unclaimed {
            return;
        }
        let now = Instant::now();
        let mut state = lock(&self.state);
        state.free += 1;
        let spent = now.saturating_duration_since(self.begun);
        let person = state.person(&self.who, now);
        person.seated = person.seated.saturating_sub(1);
        person.use_up(spent, now);
        state.call_next(&self.state, now);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says to whoever plays that nobody waits for it any more, once this is dropped.
pub(crate) struct Interest(Arc<AtomicBool>);

impl Interest {
    /// Interest in an answer until it is dropped or this time has passed, and the patience of whoever plays for it.
    pub fn within(limit: Duration) -> (Self, Patience) {
        let is_gone = Arc::new(AtomicBool::new(false));
        let (seen, deadline) = (Arc::clone(&is_gone), Instant::now().checked_add(limit));
        let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        (Self(is_gone), Patience::until(move || seen.load(Ordering::Relaxed) || is_late()))
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn user(number: u32) -> Requester {
        Requester::User(number)
    }

    /// The place, if there is one without waiting.
    fn now_or_never(future: impl Future<Output = Result<Place, Refused>>) -> Option<Result<Place, Refused>> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => Some(place),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn whoever_asks_less_comes_before_ten_questions_of_one_who_asks_more() {
        let desk = Arc::new(Desk::new(2));
        let first = desk.place(user(1), false).await.unwrap();
        let second = desk.place(user(1), false).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let wait = |who: u32| {
            let (desk, order) = (Arc::clone(&desk), Arc::clone(&order));
            tokio::spawn(async move {
                let _place = desk.place(user(who), false).await.unwrap();
                order.lock().unwrap().push(who);
            })
        };
        let mut waiting: Vec<_> = (0..8).map(|_| wait(1)).collect();
        tokio::task::yield_now().await;
        waiting.push(wait(2));
        tokio::task::yield_now().await;
        drop((first, second));
        for asked in waiting {
            asked.await.unwrap();
        }
        assert_eq!(order.lock().unwrap()[0], 2, "{order:?}");
    }

    #[tokio::test]
    async fn who_has_used_up_their_time_is_told_when_to_come_back_and_who_runs_the_cluster_is_not() {
        let desk = Desk::new(1);
        let mut place = desk.place(user(1), false).await.unwrap();
        place.begun -= BUDGET * 2;
        drop(place);
        let Err(Refused::OverBudget(wait)) = desk.place(user(1), false).await else { panic!("it is used up") };
        assert!((29..=31).contains(&wait.as_secs()), "{wait:?}: half of it counts after half a minute");
        assert!(desk.place(user(1), true).await.is_ok());
        assert!(desk.place(user(2), false).await.is_ok(), "others have theirs");
    }

    #[tokio::test]
    async fn who_stops_waiting_takes_nobody_s_turn() {
        let desk = Desk::new(1);
        let place = desk.place(user(1), false).await.unwrap();
        assert!(now_or_never(desk.place(user(2), false)).is_none(), "it is taken");
        drop(place);
        assert!(now_or_never(desk.place(user(3), false)).is_some(), "and user 2 has left");
        assert_eq!(lock(&desk.state).free, 1);
    }

    #[tokio::test]
    async fn one_has_so_many_questions_waiting_and_no_more() {
        let desk = Desk::new(1);
        let _place = desk.place(user(1), false).await.unwrap();
        let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(desk.place(user(2), false))).collect();
        for asked in &mut waiting {
            assert!(asked.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert!(matches!(desk.place(user(2), false).await, Err(Refused::TooManyWaiting)));
    }

    #[test]
    fn patience_ends_when_the_asker_leaves_and_when_time_is_over() {
        let (interest, patience) = Interest::within(Duration::from_mins(1));
        assert!(!patience.is_over());
        drop(interest);
        assert!(patience.is_over());
        let (_interest, patience) = Interest::within(Duration::ZERO);
        assert!(patience.is_over());
    }
}
