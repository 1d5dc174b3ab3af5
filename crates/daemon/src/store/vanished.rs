//! Jobs that are gone without a word.
//!
//! For: closing what the queue does not show any more and accounting does not explain, as lost: never as completed, and nothing is
//! learnt from it. A controller that lost its last seconds leaves such jobs, and so do records lost on the way to accounting.
//!
//! Not for: jobs that ended in an outage; accounting tells of them, and is waited for.
//!
//! Source: F7 of the reliability list.

use std::sync::Arc;

use queuecast_records::JobRecord;
use queuecast_workload::{Seconds, Time};
use rusqlite::{Connection, params};

use super::marks::{self, ACCOUNTING, QUEUE, QUEUE_BEFORE};
use super::row::{self, JobRow, SELECTED};
use super::take_in::known;
use super::{Fact, Store, StoreError};
use queuecast_site::ledger::StoredJobId;
use queuecast_site::ledger::{Known, lose};

/// When an absent job is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VanishingRules {
    /// For so long after it was last seen the queue and accounting must have been read without it, by the cluster's clock.
    pub patience: Seconds,
}

impl Default for VanishingRules {
    /// A quarter of an hour: accounting lags by seconds when all is well.
    fn default() -> Self {
        Self { patience: Seconds(15 * 60) }
    }
}

impl Store {
    /// Closes who vanished. A job is given up if the last two readings of the queue were without it, and the queue and accounting
    /// have both been read up to a patience after it was last seen. While either cannot be read nobody is given up. The rest of
    /// an array, of which accounting never tells, is not waited for there: it dissolves.
    pub fn vanished(&mut self, now: Time, rules: VanishingRules) -> Result<Vec<Fact>, StoreError> {
        self.all_or_nothing("closing vanished jobs", |transaction| {
            let [queue, before, accounting] =
                [QUEUE, QUEUE_BEFORE, ACCOUNTING].map(|name| marks::mark(transaction, name));
            let (Some(queue), Some(before)) = (queue?, before?) else { return Ok(Vec::new()) };
            // Strictly before the reading before the last.
            let dissolved_if = (queue.min(now) - rules.patience).min(before - Seconds(1));
            let lost_if = match accounting? {
                Some(accounting) => dissolved_if.min(accounting - rules.patience),
                None => Time(i64::MIN),
            };
            let mut facts = Vec::new();
            for (id, record, known) in absent(transaction, lost_if, dissolved_if, before)? {
                let Some((known, kind)) = lose(&known, &record.key.part, now) else { continue };
                let mut row = JobRow::read(transaction, id)?;
                row.set_known(&known);
                row.update(transaction, id)?;
                facts.push(Fact { job: StoredJobId(id), kind, record: Arc::new(record) });
            }
            Ok(facts)
        })
    }
}

/// Open jobs that were last seen by then; those never seen in the queue count from when they were first told of. The second part
/// of a resized job, which only accounting knows, is in the queue as long as the first is: under the earlier submission.
fn absent(
    connection: &Connection,
    lost_if: Time,
    dissolved_if: Time,
    before: Time,
) -> rusqlite::Result<Vec<(i64, JobRecord, Known)>> {
    let query = format!(
        "SELECT {}, reported_by, reported_at FROM jobs JOIN sightings ON sightings.job = jobs.id \
         WHERE stage IN ('waiting', 'running') \
         AND coalesce(last_seen_in_queue, first_reported) <= CASE WHEN part LIKE '%[]' THEN ?2 ELSE ?1 END \
         AND NOT EXISTS (SELECT 1 FROM jobs AS earlier JOIN sightings AS sighted ON sighted.job = earlier.id \
           WHERE earlier.cluster = jobs.cluster AND earlier.job_id = jobs.job_id AND earlier.submitted < jobs.submitted \
           AND sighted.last_seen_in_queue >= ?3) \
         ORDER BY jobs.id",
        *SELECTED
    );
    let mut query = connection.prepare_cached(&query)?;
    let rows = query.query_map(params![lost_if.0, dissolved_if.0, before.0], |read| {
        Ok((read.get(0)?, row::record(read)?, known(read)?))
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use queuecast_records::JobPart;
    use queuecast_records::source::Period;

    use super::super::ReadingKind;
    use super::super::test_records::{ended, running, waiting};
    use super::*;
    use queuecast_site::ledger::FactKind;

    fn read_queue(store: &mut Store, records: &[JobRecord], now: i64) -> Vec<FactKind> {
        let facts = store.take_in(records, ReadingKind::Queue, Time(now)).expect("taken in");
        facts.iter().map(|fact| fact.kind).collect()
    }

    fn read_accounting(store: &mut Store, records: &[JobRecord], to: i64) -> Vec<FactKind> {
        let reading = ReadingKind::Accounting(Period { from: Time(0), to: Time(to) });
        let facts = store.take_in(records, reading, Time(to)).expect("taken in");
        facts.iter().map(|fact| fact.kind).collect()
    }

    fn vanished(store: &mut Store, now: i64) -> Vec<FactKind> {
        let facts = store.vanished(Time(now), VanishingRules::default()).expect("closed");
        facts.iter().map(|fact| fact.kind).collect()
    }

    /// A job runs, and is last seen at 1,000.
    fn with_a_running_job() -> Store {
        let mut store = Store::in_memory().expect("memory");
        read_queue(&mut store, &[running(7, 100, 200)], 1_000);
        store
    }

    #[test]
    fn a_job_that_neither_queue_nor_accounting_knows_any_more_is_lost_once_and_teaches_nothing() {
        let mut store = with_a_running_job();
        read_queue(&mut store, &[], 1_030);
        read_accounting(&mut store, &[running(7, 100, 200)], 1_100);
        assert_eq!(vanished(&mut store, 1_100), []);
        read_queue(&mut store, &[], 1_899);
        read_accounting(&mut store, &[running(7, 100, 200)], 1_950);
        assert_eq!(vanished(&mut store, 1_950), []);
        read_queue(&mut store, &[], 1_960);
        assert_eq!(vanished(&mut store, 1_960), [FactKind::Lost { at: Time(1_960) }]);
        assert_eq!(vanished(&mut store, 9_000), []);
        assert_eq!(store.history(100, |_, _| ()).expect("history"), 0);
        assert!(store.open_jobs().expect("open jobs").is_empty());
        store.check().expect("as it was written");
    }

    #[test]
    fn nobody_is_lost_while_the_queue_or_accounting_cannot_be_read() {
        let mut store = with_a_running_job();
        read_accounting(&mut store, &[], 90_000);
        assert_eq!(vanished(&mut store, 90_000), []);
        let mut store = with_a_running_job();
        read_queue(&mut store, &[], 50_000);
        read_queue(&mut store, &[], 90_000);
        assert_eq!(vanished(&mut store, 90_000), []);
        read_accounting(&mut store, &[], 1_500);
        assert_eq!(vanished(&mut store, 90_000), []);
    }

    #[test]
    fn after_an_outage_one_queue_without_it_is_not_enough() {
        let mut store = with_a_running_job();
        read_accounting(&mut store, &[], 90_000);
        read_queue(&mut store, &[], 90_000);
        assert_eq!(vanished(&mut store, 90_000), []);
        read_queue(&mut store, &[], 90_000);
        assert_eq!(vanished(&mut store, 90_000), [], "the same one once more is not another");
        assert_eq!(read_queue(&mut store, &[running(7, 100, 200)], 90_030), []);
        read_queue(&mut store, &[running(7, 100, 200)], 90_060);
        assert_eq!(vanished(&mut store, 90_060), []);
    }

    fn with_a_lost_job() -> Store {
        let mut store = with_a_running_job();
        read_queue(&mut store, &[], 2_000);
        read_queue(&mut store, &[], 2_030);
        read_accounting(&mut store, &[], 2_030);
        assert_eq!(vanished(&mut store, 2_030).len(), 1);
        store
    }

    #[test]
    fn the_late_truth_wins_once() {
        let mut store = with_a_lost_job();
        let truth = FactKind::Ended { started: Time(200), ended: Time(1_010) };
        assert_eq!(read_accounting(&mut store, &[ended(7, 100, 200, 1_010)], 80_000), [truth]);
        assert_eq!(read_accounting(&mut store, &[ended(7, 100, 200, 1_010)], 81_000), []);
        assert_eq!(store.history(100, |_, _| ()).expect("history"), 1);
    }

    #[test]
    fn who_is_in_the_queue_again_has_returned() {
        let mut store = with_a_lost_job();
        assert_eq!(read_queue(&mut store, &[running(7, 100, 200)], 2_060), [FactKind::Returned]);
        assert_eq!(read_queue(&mut store, &[running(7, 100, 200)], 2_090), []);
        assert_eq!(store.open_jobs().expect("open jobs").len(), 1);
        store.check().expect("as it was written");
    }

    #[test]
    fn the_rest_of_an_array_dissolves_without_accounting() {
        let mut store = Store::in_memory().expect("memory");
        let mut rest = waiting(7, 100);
        rest.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "9".into() };
        read_queue(&mut store, &[rest, waiting(8, 100)], 1_000);
        read_queue(&mut store, &[], 2_000);
        read_queue(&mut store, &[], 2_030);
        assert_eq!(vanished(&mut store, 2_030), [FactKind::Dissolved { at: Time(2_030) }]);
    }

    #[test]
    fn the_second_part_of_a_resized_job_is_in_the_queue_while_the_first_is() {
        let mut store = with_a_running_job();
        let mut second = running(7, 1_010, 200);
        second.name = "second".into();
        let first = ended(7, 100, 200, 1_010);
        for now in (1_020..4_000).step_by(30) {
            read_queue(&mut store, &[running(7, 100, 200)], now);
            read_accounting(&mut store, &[first.clone(), second.clone()], now);
            assert_eq!(vanished(&mut store, now), []);
        }
        read_queue(&mut store, &[], 5_000);
        read_queue(&mut store, &[], 5_030);
        read_accounting(&mut store, &[first, second], 5_030);
        assert_eq!(vanished(&mut store, 5_030), [FactKind::Lost { at: Time(5_030) }]);
    }
}
