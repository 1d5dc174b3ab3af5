//! Forgetting what is too old to be of use.
//!
//! In small batches, each a transaction of its own: a reading that comes meanwhile waits for one batch and not for all.

use queuecast_workload::{Seconds, Time};
use rusqlite::params;

use super::{Store, StoreError};

/// Jobs forgotten at once.
const BATCH: i64 = 500;

impl Store {
    /// How long jobs and their forecasts are kept unless somebody says otherwise: a year, and some to compare it with.
    pub const KEPT: Seconds = Seconds(400 * 86_400);

    /// From now on it grows to so many bytes and no further: then it is as if the disk were full. As large as it is, it may stay.
    pub fn limit_bytes(&self, most: Option<u64>) -> Result<(), StoreError> {
        let failed = self.failed("limiting the size of the store");
        let most_pages = match most {
            None => i64::from(u32::MAX - 1),
            Some(most) => {
                i64::try_from(most / self.page_bytes()?).unwrap_or(i64::MAX).clamp(1, i64::from(u32::MAX - 1))
            }
        };
        self.connection.pragma_update_and_check(None, "max_page_count", most_pages, |_| Ok(())).map_err(failed)
    }

    /// How many bytes of it hold something.
    pub fn bytes_used(&self) -> Result<u64, StoreError> {
        let pages = self.pragma("page_count")?.saturating_sub(self.pragma("freelist_count")?);
        Ok(pages * self.page_bytes()?)
    }

    fn page_bytes(&self) -> Result<u64, StoreError> {
        Ok(self.pragma("page_size")?.max(512))
    }

    fn pragma(&self, name: &str) -> Result<u64, StoreError> {
        let value: rusqlite::Result<i64> = self.connection.pragma_query_value(None, name, |row| row.get(0));
        value.map(i64::unsigned_abs).map_err(self.failed("reading the size of the store"))
    }

    /// How many jobs ended, left or vanished before this.
    pub fn older(&self, than: Time) -> Result<u64, StoreError> {
        let count =
            "SELECT count(*) FROM jobs WHERE stage NOT IN ('waiting', 'running') AND coalesce(ended, absent) < ?1";
        let counted: rusqlite::Result<i64> = self.connection.query_row(count, params![than.0], |row| row.get(0));
        counted.map(i64::unsigned_abs).map_err(self.failed("counting old jobs"))
    }

    /// Forgets jobs that ended, left or vanished before this, and their forecasts. Returns how many jobs.
    pub fn forget(&mut self, older_than: Time) -> Result<u64, StoreError> {
        let delete = "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs \
                      WHERE stage NOT IN ('waiting', 'running') AND coalesce(ended, absent) < ?1 LIMIT ?2)";
        let mut forgotten = 0;
        loop {
            let deleted = self.all_or_nothing("deleting old jobs", |transaction| {
                Ok(transaction.prepare_cached(delete)?.execute(params![older_than.0, BATCH])?)
            })? as u64;
            self.jobs = self.jobs.saturating_sub(deleted);
            forgotten += deleted;
            if deleted == 0 {
                return Ok(forgotten);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_records::{ended, running, withdrawn};
    use super::super::{KeptForecast, ReadingKind};
    use super::*;

    #[test]
    fn old_jobs_are_forgotten_with_their_forecasts_and_open_ones_never() {
        let mut store = Store::in_memory().expect("memory");
        let mut records: Vec<_> = (0..1_200).map(|number| ended(number, 0, 10, 500)).collect();
        records.extend([withdrawn(5_000, 0, 499), running(5_001, 0, 10), ended(5_002, 0, 10, 1_000)]);
        let facts = store.take_in(&records, ReadingKind::Queue, Time(2_000)).expect("taken in");
        let forecasts: Vec<KeptForecast> = [facts[0].job, facts[facts.len() - 1].job]
            .map(|job| KeptForecast {
                job,
                made: Time(5),
                start: [Time(10); 9],
                raw: [Time(10); 9],
                run_median: None,
                completion_median: None,
                slurm_estimate: None,
                experts: [Time(0); 6],
            })
            .into();
        store.give(&forecasts).expect("kept");
        assert_eq!(store.older(Time(1_000)).expect("counted"), 1_201);
        assert_eq!(store.forget(Time(1_000)).expect("forgotten"), 1_201);
        assert_eq!(store.job_count(), 2);
        assert_eq!(store.forecast_counts().expect("counts").0, 1);
        assert_eq!(store.scored(None, 10).expect("scored").len(), 1);
        assert_eq!(store.forget(Time(1_000)).expect("forgotten"), 0);
        store.check().expect("as it was written");
    }
}
