//! The schema's versions: numbered files, each the step from the version before.
//!
//! For: opening what any earlier version wrote, and refusing what a later one did.
//!
//! A step and the number it leads to are one transaction, so a process killed in the middle finds the old version or the new
//! one. A file that was released is never changed: what is missing becomes the next file.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::{StoreError, small_rows};

/// `QCST`, in the file's header: not any database is ours.
pub(super) const APPLICATION: i64 = 0x5143_5354;

/// The steps; the first leads to version 1.
pub(super) const STEPS: &[&str] = &[
    include_str!("schema/0001.sql"),
    include_str!("schema/0002.sql"),
    include_str!("schema/0003.sql"),
    include_str!("schema/0004.sql"),
    include_str!("schema/0005.sql"),
];

/// The version that they lead to.
pub(super) fn newest() -> i64 {
    STEPS.len() as i64
}

/// The version from which on small rows have a checksum.
const SMALL_ROWS_CHECKED: i64 = 4;

/// Which version the file has, 0 for an empty one, without touching it. A newer one, and what is not ours, is refused.
pub(super) fn version(connection: &Connection, steps: &[&str], path: &Path) -> Result<i64, StoreError> {
    let doing = "reading the schema version";
    let failed = |error| StoreError::Database { path: path.to_owned(), doing, error };
    let number = |pragma| connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).map_err(failed);
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    if application != APPLICATION && (tables > 0 || version != 0 || application != 0) {
        return Err(StoreError::NotAStore { path: path.to_owned() });
    }
    let newest = steps.len() as i64;
    if version > newest {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, newest });
    }
    if version < 0 || (version == 0 && tables > 0) {
        let what = format!("the schema has version {version}, but {tables} tables and indexes");
        return Err(StoreError::Damaged { path: path.to_owned(), what });
    }
    Ok(version)
}

/// A table or an index: what it is, its name, whose it is, and the words that made it.
type Made = (String, String, String, Option<String>);

fn made(connection: &Connection) -> rusqlite::Result<BTreeSet<Made>> {
    let mut query = connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    rows.collect()
}

/// Whether the tables and indexes are those that the steps up to this version make. `SQLite` believes whatever is written there: with a
/// changed letter an index leaves rows out, or a table takes what it should refuse. What somebody added is nobody's business.
pub(super) fn is_as_made(connection: &Connection, steps: &[&str], version: i64, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::Database { path: path.to_owned(), doing: "reading the schema", error };
    let model = Connection::open_in_memory().map_err(failed)?;
    for step in steps.iter().take(usize::try_from(version).unwrap_or(0)) {
        model.execute_batch(step).map_err(failed)?;
    }
    let (expected, found) = (made(&model).map_err(failed)?, made(connection).map_err(failed)?);
    let Some((kind, name, ..)) = expected.difference(&found).next() else { return Ok(()) };
    let what = format!("the {kind} `{name}` differs from schema version {version}");
    Err(StoreError::Damaged { path: path.to_owned(), what })
}

/// Takes the steps that are missing.
pub(super) fn migrate(connection: &mut Connection, steps: &[&str], path: &Path) -> Result<(), StoreError> {
    let from = version(connection, steps, path)?;
    is_as_made(connection, steps, from, path)?;
    let failed = |error| StoreError::Database { path: path.to_owned(), doing: "updating the schema", error };
    for (step, number) in steps.iter().zip(1_i64..).skip(usize::try_from(from).unwrap_or(0)) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        transaction.execute_batch(step).map_err(failed)?;
        if number == SMALL_ROWS_CHECKED {
            small_rows::fill_in(&transaction).map_err(failed)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(failed)?;
        transaction.pragma_update(None, "user_version", number).map_err(failed)?;
        transaction.commit().map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up next version: a new column with a value for the rows that are there.
    const NEXT: &str = "ALTER TABLE jobs ADD COLUMN comment TEXT NOT NULL DEFAULT 'none yet';";

    fn number(connection: &Connection, query: &str) -> i64 {
        connection.query_row(query, [], |row| row.get(0)).expect("a number")
    }

    fn with_data() -> Connection {
        let mut connection = Connection::open_in_memory().expect("memory");
        migrate(&mut connection, &STEPS[..1], Path::new("store")).expect("version 1");
        connection.execute("INSERT INTO meta VALUES ('cluster', 'alpha')", []).expect("a row");
        let job = "INSERT INTO jobs (cluster, job_id, part, submitted, tasks, name, user, account, partitions, qos, limit_word, \
                   nodes, state, stage, checksum) VALUES ('alpha', 7, '', 100, '', 'sim', 'anna', 'p', 'batch', 'normal', '', '', \
                   'PENDING', 'waiting', 0)";
        connection.execute(job, []).expect("a row");
        connection
    }

    #[test]
    fn every_step_from_version_1_to_a_made_up_next_one_keeps_what_is_there() {
        let mut connection = with_data();
        let steps: Vec<&str> = STEPS.iter().copied().chain([NEXT]).collect();
        migrate(&mut connection, &steps, Path::new("store")).expect("the steps");
        assert_eq!(number(&connection, "PRAGMA user_version"), steps.len() as i64);
        let kept: (i64, String, String) = connection
            .query_row("SELECT job_id, name, comment FROM jobs", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .expect("the row");
        assert_eq!(kept, (7, "sim".to_owned(), "none yet".to_owned()));
        migrate(&mut connection, &steps, Path::new("store")).expect("nothing to do");
    }

    #[test]
    fn a_step_that_fails_half_way_leaves_the_version_before() {
        let mut connection = with_data();
        let broken = format!("{NEXT} DELETE FROM jobs; SELECT no_such_thing;");
        let steps: Vec<&str> = STEPS.iter().copied().chain([broken.as_str()]).collect();
        let error = migrate(&mut connection, &steps, Path::new("store")).expect_err("it fails");
        assert!(matches!(error, StoreError::Database { .. }), "{error}");
        assert_eq!(number(&connection, "PRAGMA user_version"), STEPS.len() as i64);
        assert_eq!(number(&connection, "SELECT count(*) FROM jobs"), 1);
        migrate(&mut connection, STEPS, Path::new("store")).expect("as it was");
    }
}
