//! Looks at the jobs of notices every few seconds, and sends what is due.
//!
//! Not for: the notices themselves (`shelf`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use queuecast_notify::{NotDelivered, Seen};
use tokio::task::spawn_blocking;

use super::allowed::NoticeSettings;
use super::notice::Owner;
use super::shelf::{Due, Shelf};

/// Between two looks. The board itself changes every half minute.
const LOOK: Duration = Duration::from_secs(2);

/// Messages since the daemon began.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    taken: AtomicU64,
    not_taken: AtomicU64,
}

impl Counts {
    /// Tries that were taken.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Tries that were not.
    pub fn not_taken(&self) -> u64 {
        self.not_taken.load(Ordering::Relaxed)
    }
}

/// What it takes to send.
pub(crate) trait Sender: Send + Sync + 'static {
    /// The notices.
    fn shelf(&self) -> &Shelf;
    /// What this user sees of this job now.
    fn see(&self, owner: &Owner, job: &str) -> Seen;
    /// What is allowed now.
    fn allowed(&self) -> NoticeSettings;
    /// What was sent.
    fn counts(&self) -> &Counts;

    /// Sends for as long as it is polled. The time is the machine's own, and not a lab's that runs fast: receivers live in it.
    fn send_for_ever(self: Arc<Self>) -> impl Future<Output = ()> + Send
    where
        Self: Sized,
    {
        async move {
            let zone = TimeZone::system();
            let mut looks = tokio::time::interval(LOOK);
            looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                looks.tick().await;
                let looking = Arc::clone(&self);
                // Files are written, and a thousand jobs looked for. That it broke is told by the panic itself.
                let found = spawn_blocking(move || {
                    looking.shelf().look(|owner, job| looking.see(owner, job));
                    looking.shelf().due(now())
                });
                for due in found.await.unwrap_or_default() {
                    let (sender, zone, sent) = (Arc::clone(&self), zone.clone(), due.clone());
                    let sending = spawn_blocking(move || send(&*sender, &due, &zone));
                    let shelf = Arc::clone(&self);
                    tokio::spawn(async move {
                        // One that broke would be on its way for ever.
                        if sending.await.is_err() {
                            let broke = NotDelivered {
                                why: "internal error: the sending thread panicked".to_owned(),
                                is_final: false,
                            };
                            shelf.shelf().sent(&sent, &Err(broke), now());
                        }
                    });
                }
            }
        }
    }
}

/// Sends one.
fn send(sender: &impl Sender, due: &Due, zone: &TimeZone) {
    // An administrator may have changed their mind since it was asked for.
    let outcome = match sender.allowed().carrier(&due.to, &due.user) {
        Ok(carrier) => carrier.deliver(&due.message, zone),
        Err(setup) => Err(NotDelivered { why: setup.0, is_final: false }),
    };
    let counts = sender.counts();
    let counter = if outcome.is_ok() { &counts.taken } else { &counts.not_taken };
    counter.fetch_add(1, Ordering::Relaxed);
    sender.shelf().sent(due, &outcome, now());
}

fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}
