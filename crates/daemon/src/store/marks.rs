//! What has been read: up to when accounting, when the queue, and when nobody was looking.
//!
//! Not for: what to read next (`catch_up`).

use queuecast_records::JobRecord;
use queuecast_records::source::Period;
use queuecast_workload::{Seconds, Time};
use rusqlite::{Connection, OptionalExtension};

use super::row::JobRow;
use super::small_rows::{write_gap, write_mark, write_meta};
use super::{Store, StoreError};

/// Accounting has been read up to here.
pub(super) const ACCOUNTING: &str = "accounting";
/// The last successful reading of the queue, and the one before.
pub(super) const QUEUE: &str = "queue";
pub(super) const QUEUE_BEFORE: &str = "queue_before";
/// The whole store was last found to be as it was written.
const CHECKED: &str = "checked";

/// Readings of the queue further apart than this leave a gap: a controller forgets a job that ended after `MinJobAge`, 300 s
/// unless a site says otherwise, and one that came and went in between was never seen waiting.
const GAP: Seconds = Seconds(600);

/// A time in which nobody looked at the queue. Accounting tells later what happened in it; what was waited for is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The last reading before it.
    pub from: Time,
    /// The first behind it.
    pub to: Time,
}

impl Store {
    /// Up to when accounting has been read, without a hole since the history's beginning.
    pub fn accounting_read_up_to(&self) -> Result<Option<Time>, StoreError> {
        mark(&self.connection, ACCOUNTING).map_err(self.failed("reading a progress mark"))
    }

    /// When the queue was last read.
    pub fn queue_read(&self) -> Result<Option<Time>, StoreError> {
        mark(&self.connection, QUEUE).map_err(self.failed("reading a progress mark"))
    }

    /// When the whole store was last checked.
    pub fn checked(&self) -> Result<Option<Time>, StoreError> {
        mark(&self.connection, CHECKED).map_err(self.failed("reading a progress mark"))
    }

    /// The whole store was checked. This mark follows the clock back: checking too early costs little, too late may cost the store.
    pub fn note_checked(&mut self, now: Time) -> Result<(), StoreError> {
        write_mark(&self.connection, CHECKED, now.0).map_err(self.failed("recording the store check"))
    }

    /// When nobody looked, in order.
    pub fn gaps(&self) -> Result<Vec<Gap>, StoreError> {
        let failed = self.failed("reading the accounting gaps");
        let mut query = self
            .connection
            .prepare_cached("SELECT from_time, to_time FROM gaps ORDER BY from_time")
            .map_err(&failed)?;
        let gaps = query.query_map([], |row| Ok(Gap { from: Time(row.get(0)?), to: Time(row.get(1)?) }));
        gaps.map_err(&failed)?.collect::<rusqlite::Result<_>>().map_err(&failed)
    }
}

pub(super) fn mark(connection: &Connection, name: &str) -> rusqlite::Result<Option<Time>> {
    let mut query = connection.prepare_cached("SELECT at FROM marks WHERE name = ?1")?;
    query.query_row([name], |row| row.get(0).map(Time)).optional()
}

/// A mark never goes back: what was read has been read, whatever a clock says now.
fn raise(connection: &Connection, name: &str, at: Time) -> rusqlite::Result<()> {
    let before = mark(connection, name)?;
    if before.is_some_and(|before| before >= at) { Ok(()) } else { write_mark(connection, name, at.0) }
}

/// The same reading taken in again, after a crash, or an older one, is not another one.
pub(super) fn queue_read(connection: &Connection, now: Time) -> rusqlite::Result<()> {
    if let Some(before) = mark(connection, QUEUE)?.filter(|&before| before < now) {
        raise(connection, QUEUE_BEFORE, before)?;
        if now - before > GAP {
            write_gap(connection, before.0, now.0)?;
        }
    }
    raise(connection, QUEUE, now)
}

/// The mark rises only if nothing between it and the period was left out, and never beyond the present: what will happen there
/// has not been read. One that is in the future is of a clock that was put back, and follows it.
pub(super) fn accounting_read(connection: &Connection, period: Period, now: Time) -> rusqlite::Result<()> {
    let (mark, read) = (mark(connection, ACCOUNTING)?, period.to.min(now));
    match mark {
        Some(mark) if mark > now => write_mark(connection, ACCOUNTING, read.0),
        Some(mark) if period.from > mark + Seconds(1) => Ok(()),
        _ => raise(connection, ACCOUNTING, read),
    }
}

/// The cluster's name: where a record leaves it out it is the one that others say. Once it is known, jobs that were kept without
/// it get it, so that nobody is there twice.
pub(super) fn cluster(connection: &Connection, records: &[JobRecord]) -> rusqlite::Result<String> {
    let mut query = connection.prepare_cached("SELECT value FROM meta WHERE name = 'cluster'")?;
    if let Some(cluster) = query.query_row([], |row| row.get(0)).optional()? {
        return Ok(cluster);
    }
    let Some(record) = records.iter().find(|record| !record.key.cluster.is_empty()) else { return Ok(String::new()) };
    let cluster = record.key.cluster.clone();
    write_meta(connection, "cluster", &cluster)?;
    let mut query = connection.prepare("SELECT id FROM jobs WHERE cluster = ''")?;
    let nameless: Vec<i64> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for id in nameless {
        let mut row = JobRow::read(connection, id)?;
        row.set_cluster(&cluster);
        row.update(connection, id)?;
    }
    Ok(cluster)
}
