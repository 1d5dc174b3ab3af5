//! The board: where whoever publishes and those who answer meet.
//!
//! For: answers that ask nobody and wait for nobody. What is published is indexed by the publisher before it is put here; those who
//! answer take it as it is.
//!
//! Not for: what is published (`published`); who may see what of it (`api::view`).

mod index;

use std::sync::{Arc, PoisonError, RwLock};

pub use self::index::BoardIndex;
pub(crate) use self::index::Count;
use queuecast_site::published::Published;

/// Where the publisher and the readers meet.
#[derive(Clone)]
pub struct Board(Arc<RwLock<Arc<BoardIndex>>>);

impl Board {
    /// With this on it.
    pub fn new(published: Published) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(BoardIndex::new(published)))))
    }

    /// What is on it.
    pub fn read(&self) -> Arc<BoardIndex> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts something else on it. One publishes at a time; readers are held up for as long as it takes to put a pointer there.
    pub fn publish(&self, published: Published) {
        let index = Arc::new(BoardIndex::after(&self.read(), published));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = index;
    }
}
