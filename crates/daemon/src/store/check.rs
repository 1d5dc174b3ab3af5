//! Whether the file still holds what was written.
//!
//! For: `SQLite`'s own check of its pages and indexes, and ours of every value (`checksum`): a byte that the disk changed inside a
//! number or a name is no damage to `SQLite`.
//!
//! Not for: every start of a large store; it reads everything. Marks and sightings have no checksum: a wrong one is put right by the
//! next reading, or makes us read some of accounting again.
//!
//! Source: F3 of the reliability list.

use rusqlite::Connection;

use super::checksum::checksum;
use super::row::SELECTED;
use super::{Store, StoreError, forecasts, learnt};

/// More rows than this are counted and not named.
const NAMED: usize = 20;

impl Store {
    /// Reads everything, and says what is not as it was written.
    pub fn check(&self) -> Result<(), StoreError> {
        let failed = self.failed("checking it");
        let damaged = |what| StoreError::Damaged { path: self.path.clone(), what };
        let complaints = complaints(&self.connection).map_err(&failed)?;
        if let Some(first) = complaints.first() {
            return Err(damaged(format!("{first} ({} complaints in all)", complaints.len())));
        }
        let queries = [
            ("jobs", format!("SELECT {}, checksum FROM jobs", *SELECTED)),
            ("forecasts", format!("SELECT id, {} FROM forecasts", forecasts::COLUMNS)),
            ("experts", format!("SELECT forecast, {} FROM experts", forecasts::EXPERT_COLUMNS)),
            ("learnt", format!("SELECT id, {} FROM learnt", learnt::COLUMNS)),
        ];
        for (table, query) in queries {
            let rows = changed(&self.connection, &query).map_err(&failed)?;
            if !rows.is_empty() {
                let named: Vec<String> = rows.iter().take(NAMED).map(ToString::to_string).collect();
                let what = format!("{} rows of {table} are not what was written: {}", rows.len(), named.join(", "));
                return Err(damaged(what));
            }
        }
        Ok(())
    }
}

/// What `SQLite` finds wrong.
fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut query = connection.prepare("PRAGMA integrity_check(100)")?;
    let said: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut said: Vec<String> = said.into_iter().filter(|line| line != "ok").collect();
    let mut orphans = connection.prepare("PRAGMA foreign_key_check")?;
    let orphans = orphans.query_map([], |row| row.get::<_, String>(0))?;
    for table in orphans {
        said.push(format!("a row of {} belongs to nobody", table?));
    }
    Ok(said)
}

/// Rows whose last column is not the checksum of those between it and the first.
fn changed(connection: &Connection, query: &str) -> rusqlite::Result<Vec<i64>> {
    let mut query = connection.prepare(query)?;
    let last = query.column_count() - 1;
    let mut rows = query.query([])?;
    let mut changed = Vec::new();
    while let Some(row) = rows.next()? {
        let values: Vec<_> = (1..last).map(|place| row.get_ref(place)).collect::<rusqlite::Result<_>>()?;
        if checksum(values) != row.get::<_, i64>(last)? {
            changed.push(row.get(0)?);
        }
    }
    Ok(changed)
}
