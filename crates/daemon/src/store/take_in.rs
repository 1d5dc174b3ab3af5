//! Taking a reading of Slurm in: one transaction, and what is new in it.
//!
//! Not for: what is new (`queuecast_site::ledger`).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use queuecast_records::JobRecord;
use queuecast_records::source::Period;
use queuecast_workload::Time;
use rusqlite::{Connection, OptionalExtension, params};

use super::row::JobRow;
use super::small_rows::{Sighting, write_sighting};
use super::words::written;
use super::{Store, StoreError, marks};
use queuecast_site::ledger::StoredJobId;
use queuecast_site::ledger::{Absence, FactKind, Known, Step, Teller, Telling, advance};

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingKind {
    /// The whole queue: who is not in it is not in the queue.
    Queue,
    /// Accounting, this period of it.
    Accounting(Period),
    /// An export of accounting: as good as accounting for the jobs that are in it, and says nothing of any others.
    Export,
}

/// Something that became known, of whom, and the record that told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The job's row.
    pub job: StoredJobId,
    /// What.
    pub kind: FactKind,
    /// The record that told it; of a job that vanished, what is kept of it. Facts told by one record share it.
    pub record: Arc<JobRecord>,
}

/// What is kept of an attempt, but for its description.
struct Kept {
    id: i64,
    known: Known,
    checksum: i64,
    user: String,
    user_id: Option<u32>,
    first_reported: Option<i64>,
    last_seen_in_queue: Option<i64>,
}

impl Store {
    /// Takes a successful reading in. What is returned was not known before and is on disk now. A reading of accounting moves
    /// its mark in the same transaction, so that what was marked as read is there.
    pub fn take_in(&mut self, records: &[JobRecord], reading: ReadingKind, now: Time) -> Result<Vec<Fact>, StoreError> {
        let by = match reading {
            ReadingKind::Queue => Teller::Queue,
            ReadingKind::Accounting(_) | ReadingKind::Export => Teller::Accounting,
        };
        let telling = Telling { by, at: now };
        let facts = self.all_or_nothing("storing job records", |transaction| {
            let cluster = marks::cluster(transaction, records)?;
            let mut facts = Vec::new();
            for record in records {
                take(transaction, record, &cluster, telling, &mut facts)?;
            }
            match reading {
                ReadingKind::Queue => marks::queue_read(transaction, now)?,
                ReadingKind::Accounting(period) => marks::accounting_read(transaction, period, now)?,
                ReadingKind::Export => {}
            }
            Ok(facts)
        })?;
        self.jobs += facts.iter().filter(|fact| fact.kind == FactKind::Arrived).count() as u64;
        Ok(facts)
    }
}

fn take(
    connection: &Connection,
    record: &JobRecord,
    cluster: &str,
    telling: Telling,
    facts: &mut Vec<Fact>,
) -> rusqlite::Result<()> {
    let cluster = if record.key.cluster.is_empty() { cluster } else { record.key.cluster.as_str() };
    let kept = kept(connection, record, cluster)?;
    let step = advance(kept.as_ref().map(|kept| &kept.known), record, telling);
    let id = match &kept {
        None => JobRow::of(record, cluster, &step.known).insert(connection)?,
        Some(kept) => {
            update(connection, record, cluster, kept, &step)?;
            kept.id
        }
    };
    see(connection, id, kept.as_ref(), &step, telling)?;
    if step.facts.iter().any(|fact| matches!(fact, FactKind::Started { .. })) {
        let settle = "INSERT INTO settlements (forecast) SELECT id FROM forecasts WHERE job = ?1 ORDER BY id";
        connection.prepare_cached(settle)?.execute([id])?;
    }
    if !step.facts.is_empty() {
        let record = Arc::new(record.clone());
        facts.extend(step.facts.iter().map(|&kind| Fact { job: StoredJobId(id), kind, record: Arc::clone(&record) }));
    }
    Ok(())
}

fn kept(connection: &Connection, record: &JobRecord, cluster: &str) -> rusqlite::Result<Option<Kept>> {
    let query = "SELECT jobs.id, started, ended, absent, stage, jobs.checksum, user, user_id, reported_by, reported_at, first_reported, \
                 last_seen_in_queue \
                 FROM jobs LEFT JOIN sightings ON sightings.job = jobs.id \
                 WHERE cluster = ?1 AND job_id = ?2 AND part = ?3 AND submitted = ?4";
    let (part, _) = written(&record.key.part);
    let key = params![cluster, record.key.job_id.cast_signed(), part, record.key.submitted.0];
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Kept {
            id: row.get(0)?,
            known: known(row)?,
            checksum: row.get("checksum")?,
            user: row.get("user")?,
            user_id: row.get("user_id")?,
            first_reported: row.get("first_reported")?,
            last_seen_in_queue: row.get("last_seen_in_queue")?,
        })
    };
    connection.prepare_cached(query)?.query_row(key, read).optional()
}

/// The state of a job in the store, from `started`, `ended`, `absent`, `stage`, `reported_by` and `reported_at`.
pub(super) fn known(row: &rusqlite::Row<'_>) -> rusqlite::Result<Known> {
    let time = |name: &str| row.get::<_, Option<i64>>(name).map(|time| time.map(Time));
    let is_dissolved = row.get::<_, String>("stage")? == "dissolved";
    let by_accounting = row.get::<_, Option<String>>("reported_by")?.as_deref() == Some("accounting");
    Ok(Known {
        started: time("started")?,
        left: time("ended")?,
        absence: time("absent")?.map(|at| if is_dissolved { Absence::Dissolved(at) } else { Absence::Lost(at) }),
        told: Telling {
            by: if by_accounting { Teller::Accounting } else { Teller::Queue },
            at: time("reported_at")?.unwrap_or(Time(i64::MIN)),
        },
    })
}

/// Writes the row again if anything in it changes.
fn update(
    connection: &Connection,
    record: &JobRecord,
    cluster: &str,
    kept: &Kept,
    step: &Step,
) -> rusqlite::Result<()> {
    let mut row = if step.describes {
        JobRow::of(record, cluster, &step.known)
    } else {
        let knows_user = !kept.user.is_empty() && kept.user_id.is_some();
        let brings_user = !knows_user && (!record.user.is_empty() || record.user_id.is_some());
        if step.known == kept.known && !brings_user {
            return Ok(());
        }
        let mut row = JobRow::read(connection, kept.id)?;
        row.set_known(&step.known);
        row.fill_user(&record.user, record.user_id);
        row
    };
    row.fill_user(&kept.user, kept.user_id);
    if row.checksum() == kept.checksum {
        return Ok(());
    }
    row.update(connection, kept.id)
}

/// Notes who told of it last, and when it was last in the queue.
fn see(connection: &Connection, id: i64, kept: Option<&Kept>, step: &Step, telling: Telling) -> rusqlite::Result<()> {
    let last_seen = kept.and_then(|kept| kept.last_seen_in_queue);
    let seen = match telling.by {
        Teller::Queue => Some(last_seen.map_or(telling.at.0, |last| last.max(telling.at.0))),
        Teller::Accounting => last_seen,
    };
    if kept.is_some_and(|kept| kept.known.told == step.known.told && seen == last_seen) {
        return Ok(());
    }
    let word = match step.known.told.by {
        Teller::Queue => "queue",
        Teller::Accounting => "accounting",
    };
    let first_reported = kept.and_then(|kept| kept.first_reported).unwrap_or(telling.at.0);
    let (reported_by, reported_at) = (word, step.known.told.at.0);
    write_sighting(connection, Sighting { job: id, first_reported, reported_by, reported_at, last_seen_in_queue: seen })
}
