//! The board: where whoever publishes and those who answer meet.
//!
//! For: answers that ask nobody and wait for nobody. What is published is indexed by the publisher before it is put here; those who
//! answer take it as it is.
//!
//! Not for: what is published (`published`); who may see what of it (`api::view`).

mod index;

use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::watch;

pub use self::index::BoardIndex;
pub(crate) use self::index::Count;
use queuecast_site::published::Published;

/// Where the publisher and the readers meet.
#[derive(Clone)]
pub struct Board(Arc<Inner>);

struct Inner {
    index: RwLock<Arc<BoardIndex>>,
    /// How often something else was put here.
    changes: watch::Sender<u64>,
}

impl Board {
    /// With this on it.
    pub fn new(published: Published) -> Self {
        let index = RwLock::new(Arc::new(BoardIndex::new(published)));
        Self(Arc::new(Inner { index, changes: watch::Sender::new(0) }))
    }

    /// What is on it.
    pub fn read(&self) -> Arc<BoardIndex> {
        Arc::clone(&self.0.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts something else on it. One publishes at a time; readers are held up for as long as it takes to put a pointer there.
    pub fn publish(&self, published: Published) {
        let index = Arc::new(BoardIndex::after(&self.read(), published));
        *self.0.index.write().unwrap_or_else(PoisonError::into_inner) = index;
        self.0.changes.send_modify(|changes| *changes += 1);
    }

    /// How often something else was put here, now and whenever that changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }
}
