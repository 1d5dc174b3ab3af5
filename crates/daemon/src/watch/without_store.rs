//! When the store cannot be written: the watcher goes on from memory, says so, and comes back by itself.
//!
//! For: a full disk, a disk that became read-only, somebody else's lock. What could not be kept is not learnt either: the next reading brings it again,
//! and what was told meanwhile is marked as not kept.
//!
//! Not for: a store that is damaged, or a disk that failed in the middle of a write. Nobody knows what is in it then; the daemon ends, and says what to do.

use tracing::{info, warn};

use super::watcher::Watcher;
use crate::store::{Store, StoreError};

/// What is to be expected of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreNow {
    /// That it works.
    #[default]
    Works,
    /// Nothing in this step: it has failed.
    Failed,
}

impl Watcher {
    /// What the store does; nothing if it cannot now. After one failure it is not asked again in the same step: each may wait for somebody else's lock.
    pub(super) fn stored<T>(
        &mut self,
        work: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        if self.store_now == StoreNow::Failed {
            return Ok(None);
        }
        match work(&mut self.store) {
            Ok(done) => {
                if self.health.store_problem.take().is_some() {
                    self.has_news = true;
                    if self.settings.says_what_fails {
                        info!("store is writable again; saving resumed");
                    }
                }
                Ok(Some(done))
            }
            Err(error) if error.passes() => {
                self.store_now = StoreNow::Failed;
                // It may be full of what is old.
                self.is_to_forget = true;
                self.has_news = true;
                self.health.store_failures += 1;
                if self.health.store_problem.replace(error.to_string()).is_none() && self.settings.says_what_fails {
                    warn!(%error, "store cannot be written; serving from memory, new data is not being saved");
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
