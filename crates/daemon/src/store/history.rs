//! What the store remembers: jobs that ran, and jobs that are still open.
//!
//! Not for: what is learnt from it (`queuecast_records::history`, and the forecasters behind it).

use queuecast_records::{JobKey, JobPart, JobRecord, WrittenJobId};
use queuecast_workload::Time;
use rusqlite::{OptionalExtension, params};

use super::row::{self, SELECTED};
use super::take_in::known;
use super::words::written;
use super::{Store, StoreError};
use queuecast_site::ledger::Stage;
use queuecast_site::ledger::StoredJobId;

/// A job that waits or runs, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenJob {
    /// Its row.
    pub job: StoredJobId,
    /// Where it stands.
    pub stage: Stage,
    /// What is kept of its record.
    pub record: JobRecord,
}

/// The tasks of an array, by what their parts begin with.
const OF_AN_ARRAY: &str = "part <> '' AND part >= ?1 AND part < substr(?1, 1, length(?1) - 1) || '`'";

impl Store {
    /// Shows the jobs that ran, ended, and whose run time is known, in the order of their ends: the last so many. Suspension is
    /// not in `elapsed`, so `History::attempt` comes to the run time it would have from Slurm's own record. Returns how many.
    pub fn history(&self, most_jobs: usize, mut visit: impl FnMut(StoredJobId, &JobRecord)) -> Result<u64, StoreError> {
        let failed = self.failed("reading the job history");
        let Some(last_left_out) = most_jobs.checked_sub(1) else { return Ok(0) };
        let first = "SELECT ended, id FROM jobs WHERE stage = 'ended' AND run_seconds IS NOT NULL \
                     ORDER BY ended DESC, id DESC LIMIT 1 OFFSET ?1";
        let skipped = i64::try_from(last_left_out).unwrap_or(i64::MAX);
        let first: Option<(i64, i64)> = self
            .connection
            .query_row(first, [skipped], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .map_err(&failed)?;
        let (ended, id) = first.unwrap_or((i64::MIN, i64::MIN));
        let query = format!(
            "SELECT {} FROM jobs WHERE stage = 'ended' AND run_seconds IS NOT NULL AND (ended, id) >= (?1, ?2) ORDER BY ended, id",
            *SELECTED
        );
        let mut query = self.connection.prepare_cached(&query).map_err(&failed)?;
        let mut rows = query.query(params![ended, id]).map_err(&failed)?;
        let mut count = 0;
        while let Some(found) = rows.next().map_err(&failed)? {
            let job = StoredJobId(found.get(0).map_err(&failed)?);
            visit(job, &row::record(found).map_err(&failed)?);
            count += 1;
        }
        Ok(count)
    }

    /// Everybody who waits or runs, in the order in which they were first seen.
    pub fn open_jobs(&self) -> Result<Vec<OpenJob>, StoreError> {
        let failed = self.failed("reading pending and running jobs");
        let query = format!(
            "SELECT {}, reported_by, reported_at FROM jobs LEFT JOIN sightings ON sightings.job = jobs.id \
             WHERE stage IN ('waiting', 'running') ORDER BY jobs.id",
            *SELECTED
        );
        let mut query = self.connection.prepare_cached(&query).map_err(&failed)?;
        let rows = query.query_map([], |found| {
            Ok(OpenJob { job: StoredJobId(found.get(0)?), stage: known(found)?.stage(), record: row::record(found)? })
        });
        rows.map_err(&failed)?.collect::<rusqlite::Result<_>>().map_err(&failed)
    }

    /// The row of an attempt, open or closed, if it was ever taken in.
    pub fn find(&self, key: &JobKey) -> Result<Option<StoredJobId>, StoreError> {
        let query = "SELECT id FROM jobs WHERE cluster = ?1 AND job_id = ?2 AND part = ?3 AND submitted = ?4";
        let (part, _) = written(&key.part);
        let key = params![key.cluster, key.job_id.cast_signed(), part, key.submitted.0];
        let failed = self.failed("looking for a job");
        let mut query = self.connection.prepare_cached(query).map_err(&failed)?;
        query.query_row(key, |found| found.get(0).map(StoredJobId)).optional().map_err(&failed)
    }

    /// The last attempt of a job that has ended, by any number that Slurm gives it; of an array, the task that ended last.
    pub fn ended(&self, id: &WrittenJobId) -> Result<Option<JobRecord>, StoreError> {
        let failed = self.failed("looking for a job that has ended");
        let (array, _) = written(&id.part);
        let number = id.job_id.cast_signed();
        let (which, pattern) = match &id.part {
            // Its own number, which is found by the key; or else that of an array.
            JobPart::Whole | JobPart::ArrayRemainder { .. } => {
                let own = self
                    .ended_where("cluster = (SELECT value FROM meta WHERE name = 'cluster') AND job_id = ?1", &number);
                if let Some(found) = own.map_err(&failed)? {
                    return Ok(Some(found));
                }
                // In order of letters a backquote comes next after an underscore. A pattern would not be looked for by the index.
                (OF_AN_ARRAY, format!("{}_", id.job_id))
            }
            JobPart::ArrayTask { .. } | JobPart::HetComponent { .. } => ("part <> '' AND part = ?1", array),
        };
        self.ended_where(which, &pattern).map_err(&failed)
    }

    fn ended_where(&self, which: &str, value: &dyn rusqlite::ToSql) -> rusqlite::Result<Option<JobRecord>> {
        let query = format!(
            "SELECT {} FROM jobs WHERE stage IN ('ended', 'withdrawn') AND {which} ORDER BY submitted DESC, ended DESC LIMIT 1",
            *SELECTED
        );
        self.connection.prepare_cached(&query)?.query_row([value], row::record).optional()
    }

    /// The earliest end that is remembered.
    pub fn history_begins(&self) -> Result<Option<Time>, StoreError> {
        let query = "SELECT min(ended) FROM jobs WHERE stage = 'ended' AND run_seconds IS NOT NULL";
        let begins: Option<i64> =
            self.connection.query_row(query, [], |row| row.get(0)).map_err(self.failed("reading the job history"))?;
        Ok(begins.map(Time))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ReadingKind;
    use super::super::test_records::ended;
    use super::*;

    #[test]
    fn history_is_the_last_so_many_in_the_order_of_their_ends() {
        let mut store = Store::in_memory().expect("memory");
        let records = [ended(1, 0, 10, 500), ended(2, 0, 10, 300), ended(3, 0, 10, 400), ended(4, 0, 10, 300)];
        store.take_in(&records, ReadingKind::Queue, Time(600)).expect("taken in");
        let last = |most| {
            let mut numbers = Vec::new();
            let count = store.history(most, |_, record| numbers.push(record.key.job_id)).expect("history");
            assert_eq!(count, numbers.len() as u64);
            numbers
        };
        assert_eq!(last(usize::MAX), [2, 4, 3, 1]);
        assert_eq!(last(4), [2, 4, 3, 1]);
        assert_eq!(last(3), [4, 3, 1]);
        assert_eq!(last(1), [1]);
        assert!(last(0).is_empty());
        let found = store.find(&records[2].key).expect("a look");
        let mut rows = Vec::new();
        store.history(2, |job, _| rows.push(job)).expect("history");
        assert_eq!(found, Some(rows[0]));
        assert_eq!(store.find(&ended(9, 0, 10, 20).key).expect("a look"), None);
        assert_eq!(store.history_begins().expect("a time"), Some(Time(300)));
        let ended_as = |text: &str| {
            let id = WrittenJobId::parse(text.as_bytes()).expect("a job's number");
            store.ended(&id).expect("a look").map(|record| (record.key.job_id, record.ended))
        };
        assert_eq!(ended_as("3"), Some((3, Some(Time(400)))));
        assert_eq!((ended_as("9"), ended_as("3_1")), (None, None));
    }

    /// Or else whoever asks for numbers that nobody has would have the whole store read each time.
    #[test]
    fn a_job_is_looked_for_by_an_index_whatever_number_is_asked_for() {
        let store = Store::in_memory().expect("memory");
        for which in [
            "cluster = (SELECT value FROM meta WHERE name = 'cluster') AND job_id = ?1",
            "part <> '' AND part = ?1",
            OF_AN_ARRAY,
        ] {
            let query =
                format!("EXPLAIN QUERY PLAN SELECT id FROM jobs WHERE stage IN ('ended', 'withdrawn') AND {which}");
            let mut query = store.connection.prepare(&query).expect("a query");
            let plan: Vec<String> =
                query.query_map(["7_"], |row| row.get(3)).expect("a plan").map(|line| line.expect("text")).collect();
            assert!(plan.iter().all(|line| !line.contains("SCAN jobs")), "{which}: {plan:?}");
        }
    }
}
