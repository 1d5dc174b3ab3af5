//! Where jobs that have ended are looked up: the only thing that is answered from elsewhere than the board.
//!
//! For: telling that a job has ended, when and how, instead of that there is none. It is looked for only where nobody waits or runs under
//! its number.
//!
//! Not for: who may see it (`view`).

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use queuecast_records::{JobRecord, WrittenJobId};

use crate::store::Store;

type Look = dyn Fn(&WrittenJobId) -> Option<JobRecord> + Send + Sync;

/// A place to look, or none.
#[derive(Clone, Default)]
pub struct Past(Option<Arc<Look>>);

impl Past {
    /// The file of a store that somebody else writes. One that cannot be read has nothing: the health of the store is told elsewhere.
    pub fn in_file(path: PathBuf) -> Self {
        Self(Some(Arc::new(move |id| Store::open_to_read(&path).and_then(|store| store.ended(id)).ok().flatten())))
    }

    /// A store of one's own.
    pub fn in_store(store: Store) -> Self {
        let store = Mutex::new(store);
        let look = move |id: &WrittenJobId| {
            let store = store.lock().unwrap_or_else(PoisonError::into_inner);
            store.ended(id).ok().flatten()
        };
        Self(Some(Arc::new(look)))
    }

    /// The last attempt of a job that has ended.
    pub(crate) fn find(&self, id: &WrittenJobId) -> Option<JobRecord> {
        self.0.as_ref().and_then(|look| look(id))
    }

    /// Whether there is a place to look.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Past {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Past({})", if self.0.is_some() { "a store" } else { "nowhere" })
    }
}

/// The same place.
impl PartialEq for Past {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Past {}
