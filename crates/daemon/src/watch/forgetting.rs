//! Forgetting what is old, and what there is no room for.
//!
//! How old something is goes by what the manager says: a clock of ours that is years ahead makes nothing old, and while the manager has said nothing, nothing
//! is forgotten. What is forgotten is said first.
//!
//! Not for: how it is deleted (`store`).

use queuecast_records::JobRecord;
use queuecast_workload::{Seconds, Time};
use tracing::info;

use super::forecasts::Making;
use super::watcher::Watcher;
use crate::store::StoreError;

/// When the store fills more than this of what it may, its oldest jobs go.
const NEARLY_FULL: f64 = 0.9;
/// Whatever room there is, the jobs of so long are kept.
const LEAST_KEPT: Seconds = Seconds(7 * 86_400);
/// To make room, the time from which jobs are kept moves by this share of what is kept.
const STEPS: i64 = 20;

impl Watcher {
    /// What the manager says of the time: its newest record is of no later than now. A clock of ours that is ahead of that confirms nothing.
    pub(super) fn confirm_time(&mut self, records: &[JobRecord], asked: Time) {
        let times = records.iter().flat_map(|record| [Some(record.key.submitted), record.started, record.ended]);
        let newest = times.flatten().filter(|time| *time <= asked).max();
        self.confirmed = self.confirmed.max(newest);
    }

    /// Forgets what is old, if that is due. What is being forecast must still be there when it is kept.
    pub(super) fn forget(&mut self) -> Result<(), StoreError> {
        let Some(confirmed) = self.confirmed.filter(|_| self.is_to_forget && self.making == Making::Nothing) else {
            return Ok(());
        };
        self.is_to_forget = false;
        let now = confirmed.min(self.clock.now());
        let mut older_than = now - self.settings.keep;
        self.forget_older(older_than, "older than the retention period")?;
        let Some(most) = self.settings.store_bytes else { return Ok(()) };
        while older_than < now - LEAST_KEPT {
            let used = self.stored(|store| store.bytes_used())?.unwrap_or(0);
            if (used as f64) < NEARLY_FULL * most as f64 {
                break;
            }
            older_than = older_than + Seconds(((now - older_than).0 / STEPS).max(3_600));
            self.forget_older(older_than.min(now - LEAST_KEPT), "store is close to its maximum size")?;
        }
        Ok(())
    }

    fn forget_older(&mut self, than: Time, why: &str) -> Result<(), StoreError> {
        let Some(jobs) = self.stored(|store| store.older(than))?.filter(|jobs| *jobs > 0) else { return Ok(()) };
        if self.settings.says_what_fails {
            info!(jobs, of = self.store.job_count(), ended_before = than.0, why, "deleting old jobs from the store");
        }
        self.stored(|store| store.forget(than)).map(drop)
    }
}
