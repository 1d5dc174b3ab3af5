//! The small rows: how far something was read, when nobody looked, the cluster's name, who was seen when. Each with its checksum.
//!
//! For: one place that writes them, so that none is without. A changed mark would have us leave jobs of accounting out, a changed
//! name of the cluster would have everybody there twice.
//!
//! Not for: what is written in them (`marks`, `take_in`).

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params, params_from_iter};

use super::checksum::{checksum, checksum_of};

/// The tables, and their columns but the checksum, which is of all of them. The first is the key.
pub(super) const TABLES: [(&str, &str); 4] = [
    ("meta", "name, value"),
    ("marks", "name, at"),
    ("gaps", "from_time, to_time"),
    ("sightings", "job, first_reported, reported_by, reported_at, last_seen_in_queue"),
];

/// When a job was told of and seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting<'a> {
    pub job: i64,
    pub first_reported: i64,
    pub reported_by: &'a str,
    pub reported_at: i64,
    pub last_seen_in_queue: Option<i64>,
}

pub(super) fn write_sighting(connection: &Connection, sighting: Sighting<'_>) -> rusqlite::Result<()> {
    let Sighting { job, first_reported, reported_by, reported_at, last_seen_in_queue: seen } = sighting;
    let sum = checksum([
        ValueRef::Integer(job),
        ValueRef::Integer(first_reported),
        ValueRef::Text(reported_by.as_bytes()),
        ValueRef::Integer(reported_at),
        seen.map_or(ValueRef::Null, ValueRef::Integer),
    ]);
    let write = "INSERT INTO sightings (job, first_reported, reported_by, reported_at, last_seen_in_queue, checksum) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (job) \
                 DO UPDATE SET first_reported = ?2, reported_by = ?3, reported_at = ?4, last_seen_in_queue = ?5, checksum = ?6";
    connection.prepare_cached(write)?.execute(params![job, first_reported, reported_by, reported_at, seen, sum])?;
    Ok(())
}

pub(super) fn write_mark(connection: &Connection, name: &str, at: i64) -> rusqlite::Result<()> {
    let sum = checksum([ValueRef::Text(name.as_bytes()), ValueRef::Integer(at)]);
    let write = "INSERT INTO marks (name, at, checksum) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (name) DO UPDATE SET at = ?2, checksum = ?3";
    connection.prepare_cached(write)?.execute(params![name, at, sum])?;
    Ok(())
}

/// One that begins in the same second as another stays out.
pub(super) fn write_gap(connection: &Connection, from: i64, to: i64) -> rusqlite::Result<()> {
    let sum = checksum([ValueRef::Integer(from), ValueRef::Integer(to)]);
    let write = "INSERT INTO gaps (from_time, to_time, checksum) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    connection.prepare_cached(write)?.execute(params![from, to, sum])?;
    Ok(())
}

pub(super) fn write_meta(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    let sum = checksum([name, value].map(|text| ValueRef::Text(text.as_bytes())));
    let write = "INSERT INTO meta (name, value, checksum) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(write)?.execute(params![name, value, sum])?;
    Ok(())
}

/// Computes the checksum of every row that was written before there were checksums. The schema is that of version 4, whose columns
/// have older names than those in [`TABLES`], so columns are found by position: the key is the first, the checksum the last.
pub(super) fn fill_in(connection: &Connection) -> rusqlite::Result<()> {
    for (table, _) in TABLES {
        let mut read = connection.prepare(&format!("SELECT * FROM {table}"))?;
        let key = read.column_name(0)?.to_owned();
        let width = read.column_count() - 1;
        let mut fill = connection.prepare(&format!("UPDATE {table} SET checksum = ?1 WHERE {key} = ?2"))?;
        let mut rows = read.query([])?;
        let mut sums: Vec<[Value; 2]> = Vec::new();
        while let Some(row) = rows.next()? {
            let values: Vec<Value> = (0..width).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?;
            sums.push([Value::Integer(checksum_of(&values)), values[0].clone()]);
        }
        for sum in &sums {
            fill.execute(params_from_iter(sum))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Time;

    use super::super::test_records::{ended, waiting};
    use super::super::{ReadingKind, Store};

    fn filled() -> Store {
        let mut store = Store::in_memory().expect("memory");
        let records = [waiting(1, 100), ended(2, 0, 10, 500)];
        store.take_in(&records, ReadingKind::Queue, Time(1_000)).expect("taken in");
        store.take_in(&records, ReadingKind::Queue, Time(9_000)).expect("taken in");
        store.check().expect("as it was written");
        store
    }

    #[test]
    fn a_changed_mark_gap_name_or_sighting_is_noticed() {
        for (table, change) in [
            ("marks", "UPDATE marks SET at = at + 1 WHERE name = 'queue'"),
            ("marks", "UPDATE marks SET name = 'accounting' WHERE name = 'queue'"),
            ("gaps", "UPDATE gaps SET to_time = to_time + 1"),
            ("gaps", "UPDATE gaps SET from_time = from_time + 1"),
            ("meta", "UPDATE meta SET value = 'beta'"),
            ("meta", "UPDATE meta SET name = 'clusters'"),
            ("sightings", "UPDATE sightings SET reported_at = reported_at + 1"),
            ("sightings", "UPDATE sightings SET reported_by = 'accounting'"),
            ("sightings", "UPDATE sightings SET last_seen_in_queue = NULL"),
        ] {
            let store = filled();
            assert!(store.connection.execute(change, []).expect(change) > 0, "{change}");
            let error = store.check().expect_err(change).to_string();
            assert!(error.contains(&format!("of table {table} ")), "{error}");
        }
    }

    #[test]
    fn what_was_written_before_there_were_checksums_gets_them() {
        let store = filled();
        for (table, _) in super::TABLES {
            store.connection.execute(&format!("UPDATE {table} SET checksum = 0"), []).expect("as before");
        }
        store.check().expect_err("none is right");
        super::fill_in(&store.connection).expect("filled in");
        store.check().expect("as it was written");
    }
}
