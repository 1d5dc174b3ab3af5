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
    /// The file of a store that somebody else writes. One that cannot be read has nothing: the health of the store is told elsewhere. It is opened once, and again after a
    /// failure: to open it counts its jobs, and whoever asks for numbers that nobody has must not have that done each time.
    pub fn in_file(path: PathBuf) -> Self {
        let opened: Mutex<Option<Store>> = Mutex::new(None);
        let look = move |id: &WrittenJobId| {
            let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
            if opened.is_none() {
                *opened = Store::open_to_read(&path).ok();
            }
            let found = opened.as_ref()?.ended(id);
            if found.is_err() {
                *opened = None;
            }
            found.ok().flatten()
        };
        Self(Some(Arc::new(look)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ReadingKind;
    use crate::store::test_records::ended;
    use queuecast_workload::Time;

    #[test]
    fn a_job_that_ended_after_the_file_was_opened_is_found_and_one_that_nobody_has_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.sqlite");
        let id = |number: &str| WrittenJobId::parse(number.as_bytes()).expect("a number");
        let past = Past::in_file(path.clone());
        assert!(past.find(&id("7")).is_none(), "there is no file yet");
        let mut store = Store::open(&path).expect("a store");
        for number in [7, 8] {
            assert!(past.find(&id(&number.to_string())).is_none(), "{number} has not ended yet");
            store.take_in(&[ended(number, 0, 10, 500)], ReadingKind::Queue, Time(600)).expect("taken in");
            assert_eq!(past.find(&id(&number.to_string())).map(|job| job.key.job_id), Some(number));
        }
    }
}
