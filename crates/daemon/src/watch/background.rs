//! Work that takes long, beside the watching: facts are never late for it.
//!
//! For: forecasting a queue, learning, looking back and checking the store, each on a thread of its own, one of each at a time. Done in place where there is
//! only one look to be had, and where a test must be able to repeat what happened.
//!
//! Not for: what is made of the results, which is the watcher's: it alone writes to the store and publishes.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread;

use queuecast_forecast::pooled::Forest;
use queuecast_site::past_waits::PastWaits;

use super::WatchSettings;
use super::forecasts::Finished;
use crate::store::StoreError;

/// What the watching thread wakes up for.
pub enum Event {
    /// It is to watch in another way from now on.
    Change(Box<WatchSettings>),
    /// Somebody wants it to end.
    Stop,
    /// Something is done.
    Done(Done),
}

/// Something that was done beside the watching.
pub enum Done {
    /// Everybody was forecast.
    Forecast(Box<Finished>),
    /// A forest was grown from what waits have been.
    Learnt(Box<Forest>),
    /// How long jobs waited lately was read.
    LookedBack(Result<Box<PastWaits>, StoreError>),
    /// The store was checked.
    Checked(Result<(), StoreError>),
    /// A fault of ours, with what was said of it.
    Died(Box<dyn Any + Send>),
}

/// Where such work is done.
pub enum Background {
    /// On threads, which say here what is done.
    Threads(Sender<Event>),
    /// Where it is begun. What is done waits here until the watcher takes it.
    InPlace(VecDeque<Done>),
    /// The same, but what is done in a step is taken in the next: what a thread may come to, without one.
    Late {
        /// Done in this step.
        fresh: VecDeque<Done>,
        /// Done before it.
        ready: VecDeque<Done>,
    },
}

impl Background {
    /// Done in place.
    pub fn in_place() -> Self {
        Self::InPlace(VecDeque::new())
    }

    /// Done in place, and taken a step later.
    pub fn late() -> Self {
        Self::Late { fresh: VecDeque::new(), ready: VecDeque::new() }
    }

    /// The watcher begins another step.
    pub(super) fn step(&mut self) {
        if let Self::Late { fresh, ready } = self {
            ready.append(fresh);
        }
    }

    /// Begins some work, with a name for the thread.
    pub(super) fn begin(&mut self, name: &str, work: impl FnOnce() -> Done + Send + 'static) {
        match self {
            Self::InPlace(done) | Self::Late { fresh: done, .. } => done.push_back(work()),
            Self::Threads(events) => {
                let (here, there) = (events.clone(), events.clone());
                let work = move || {
                    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(Done::Died);
                    // Nobody hears it if the watcher has ended.
                    let _ = there.send(Event::Done(done));
                };
                if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
                    let died = Done::Died(Box::new(format!("cannot start the thread `{name}`: {error}")));
                    let _ = here.send(Event::Done(died));
                }
            }
        }
    }

    /// What was done in place and has not been taken.
    pub(super) fn take(&mut self) -> Option<Done> {
        match self {
            Self::InPlace(done) | Self::Late { ready: done, .. } => done.pop_front(),
            Self::Threads(_) => None,
        }
    }
}
