//! Whether the file still holds what was written.
//!
//! For: `SQLite`'s own check of its pages and indexes, and ours of every value (`checksum`): a byte that the disk changed inside a
//! number or a name is no damage to `SQLite`.
//!
//! Not for: every start of a large store; it reads everything. The end of a write-ahead log that was never closed: `SQLite` takes what it
//! cannot read there for a step that was cut off.
//!
//! Source: F3 of the reliability list.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::checksum::checksum;
use super::row::SELECTED;
use super::{Store, StoreError, forecasts, learnt, schema, small_rows};

/// More rows than this are counted and not named.
const NAMED: usize = 20;

/// No counter of rows comes here: a million a second for a hundred years.
const MOST_ROWS: i64 = 1 << 52;

impl Store {
    /// Reads everything, and says what is not as it was written.
    pub fn check(&self) -> Result<(), StoreError> {
        let failed = self.failed("checking the store");
        let damaged = |what| StoreError::Damaged { path: self.path.clone(), what };
        let complaints = complaints(&self.connection).map_err(&failed)?;
        if let Some(first) = complaints.first() {
            return Err(damaged(format!("{first} ({} problems in total)", complaints.len())));
        }
        if let Some(what) = wrong_setting(&self.connection).map_err(&failed)? {
            return Err(damaged(what));
        }
        schema::is_as_made(&self.connection, schema::STEPS, schema::STEPS.len() as i64, &self.path)?;
        let small_rows = small_rows::TABLES.map(|(table, columns)| {
            let key = columns.split(',').next().unwrap_or_default();
            (table, format!("SELECT {key}, {columns}, checksum FROM {table}"))
        });
        let queries = [
            ("jobs", format!("SELECT {}, checksum FROM jobs", *SELECTED)),
            ("forecasts", format!("SELECT id, {} FROM forecasts", forecasts::COLUMNS)),
            ("experts", format!("SELECT forecast, {} FROM experts", forecasts::EXPERT_COLUMNS)),
            ("models", format!("SELECT id, {} FROM models", learnt::COLUMNS)),
        ];
        for (table, query) in queries.into_iter().chain(small_rows) {
            let rows = changed(&self.connection, &query).map_err(&failed)?;
            if !rows.is_empty() {
                let named: Vec<String> = rows.iter().take(NAMED).map(|row| self.named(table, row)).collect();
                let what =
                    format!("{} rows of table {table} do not match their checksums: {}", rows.len(), named.join(", "));
                return Err(damaged(what));
            }
        }
        Ok(())
    }

    /// A row in the words of whoever reads the message: with the job's number, where it is a job's.
    fn named(&self, table: &str, row: &Value) -> String {
        let key = match row {
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            other => format!("{other:?}"),
        };
        let number = "SELECT job_id FROM jobs WHERE id = ?1";
        match self.connection.query_row(number, [row], |found| found.get::<_, i64>(0)) {
            Ok(number) if matches!(table, "jobs" | "sightings") => format!("{key} (job {number})"),
            _ => key,
        }
    }
}

/// What is not as `SQLite` made it in the file's header or in the counters of its rows, where nothing else would notice.
fn wrong_setting(connection: &Connection) -> rusqlite::Result<Option<String>> {
    for (setting, made) in [("encoding", "UTF-8"), ("auto_vacuum", "0"), ("page_size", "4096")] {
        let found: Value = connection.query_row(&format!("PRAGMA {setting}"), [], |row| row.get(0))?;
        let found = match found {
            Value::Text(text) => text,
            Value::Integer(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        if found != made {
            return Ok(Some(format!("the file header has {setting} {found}, expected {made}")));
        }
    }
    for (table, key) in [("jobs", "id"), ("forecasts", "id"), ("settlements", "number")] {
        let last = format!("SELECT coalesce(max({key}), 0) FROM {table}");
        let last: i64 = connection.query_row(&last, [], |row| row.get(0))?;
        let counter = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let counters: Vec<Value> =
            connection.prepare(counter)?.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let is_right = match counters[..] {
            [] => last == 0,
            [Value::Integer(counter)] => (last..MOST_ROWS).contains(&counter),
            _ => false,
        };
        if !is_right {
            return Ok(Some(format!("the last row of table {table} is {last}, but the row counter is {counters:?}")));
        }
    }
    Ok(None)
}

/// What `SQLite` finds wrong.
fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut query = connection.prepare("PRAGMA integrity_check(100)")?;
    let said: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut said: Vec<String> = said.into_iter().filter(|line| line != "ok").collect();
    let mut orphans = connection.prepare("PRAGMA foreign_key_check")?;
    let orphans = orphans.query_map([], |row| row.get::<_, String>(0))?;
    for table in orphans {
        said.push(format!("a row of table {} refers to a missing row", table?));
    }
    Ok(said)
}

/// Rows whose last column is not the checksum of those between it and the first.
fn changed(connection: &Connection, query: &str) -> rusqlite::Result<Vec<Value>> {
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
