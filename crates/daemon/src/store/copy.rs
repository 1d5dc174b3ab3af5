//! Copies of a store: a backup while a daemon writes to it, what is kept before an update, and the file without its holes.
//!
//! For: `qcast store backup`, `compact` and `export`, and the step from one version of the schema to the next.
//!
//! Not for: moving a store to another program's format.
//!
//! Source: `VACUUM INTO` of `SQLite`: one reading transaction, so the copy is the store at one moment, whoever writes meanwhile. What it writes to is made by us
//! before, empty and for its owner only.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Store, StoreError, schema};

/// Where the store as it was before an update is kept.
pub fn kept_before_update(path: &Path, version: i64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".version-{version}"));
    PathBuf::from(name)
}

/// What can be taken out of a store, a table each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Attempts at jobs.
    Jobs,
    /// What was said of them.
    Forecasts,
    /// Which of that was settled by a start.
    Settlements,
}

impl Table {
    fn name(self) -> &'static str {
        match self {
            Self::Jobs => "jobs",
            Self::Forecasts => "forecasts",
            Self::Settlements => "settlements",
        }
    }
}

impl Store {
    /// Writes a copy of a store to a place where nothing is, and reads the copy: one that is there is a good one. One of an older version is copied as it is.
    pub fn back_up(path: &Path, to: &Path) -> Result<(), StoreError> {
        let (connection, version) = Self::connected_to_read(path)?;
        copy(&connection, to)?;
        if version == schema::newest() { Self::open_to_read(to)?.check() } else { Ok(()) }
    }

    /// Gives the room of what was forgotten back to the system. Needs as much again while it does.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        let failed = self.failed("compacting the store");
        self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);").map_err(failed)
    }

    /// The rows of a table, one after the other, under its columns. What is not text is written as one would.
    pub fn rows<E: From<StoreError>>(
        &self,
        table: Table,
        mut take: impl FnMut(&[String]) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = self.failed("reading the rows");
        let query = format!("SELECT * FROM {}", table.name());
        let mut statement = self.connection.prepare(&query).map_err(&failed)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        take(&columns)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            let value = |index| row.get_ref(index).map(written).map_err(&failed);
            let values: Vec<String> = (0..columns.len()).map(value).collect::<Result<_, _>>()?;
            take(&values)?;
        }
        Ok(())
    }
}

fn written(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned(),
    }
}

/// Before a step to another version of the schema: the file as it was. A copy that is there already is of a time before, and stays. One without a job, such as a first
/// start that was cut off leaves, has nothing to keep.
pub(super) fn keep_before_update(connection: &Connection, path: &Path, version: i64) -> Result<(), StoreError> {
    let failed = |error| StoreError::Database { path: path.to_owned(), doing: "looking for jobs in the store", error };
    let has_jobs: bool =
        connection.query_row("SELECT EXISTS (SELECT 1 FROM jobs)", [], |row| row.get(0)).map_err(failed)?;
    let to = kept_before_update(path, version);
    if !has_jobs || to.exists() {
        return Ok(());
    }
    remove_cut_off(&to).map_err(|error| StoreError::File { path: to.clone(), error })?;
    copy(connection, &to)
}

/// What a process that was killed in the middle of such a copy has left. Nobody else makes one: we hold the store's lock.
fn remove_cut_off(to: &Path) -> io::Result<()> {
    let begun = aside_of(to);
    for entry in std::fs::read_dir(folder_of(to))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&begun) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// How the names of unfinished copies begin.
fn aside_of(to: &Path) -> String {
    format!(".{}.unfinished-", to.file_name().unwrap_or_default().to_string_lossy())
}

fn folder_of(to: &Path) -> &Path {
    to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Under another name first, so that half a copy is never taken for one.
fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let file = |error: io::Error| StoreError::File { path: to.to_owned(), error };
    if to.exists() {
        return Err(file(io::ErrorKind::AlreadyExists.into()));
    }
    let folder = folder_of(to);
    // Mode 600, as the library makes all of them.
    let aside = tempfile::Builder::new().prefix(&aside_of(to)).tempfile_in(folder).map_err(file)?;
    let name = aside.path().to_str().ok_or_else(|| file(io::ErrorKind::InvalidFilename.into()))?;
    let copied = connection.execute("VACUUM INTO ?1", [name]);
    copied.map_err(|error| StoreError::Database { path: to.to_owned(), doing: "writing a copy", error })?;
    aside.as_file().sync_all().map_err(file)?;
    aside.persist_noclobber(to).map_err(|refused| file(refused.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    use queuecast_workload::Time;

    use crate::store::test_records::waiting;
    use crate::store::{ReadingKind, Store};

    fn with_a_job(path: &Path) -> Store {
        let mut store = Store::open(path).expect("a store");
        store.take_in(&[waiting(7, 900)], ReadingKind::Queue, Time(1_000)).expect("a job");
        store
    }

    #[test]
    fn a_backup_is_made_while_the_store_is_written_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = with_a_job(&folder.path().join("store.sqlite"));
        let to = folder.path().join("copy.sqlite");
        let from = folder.path().join("store.sqlite");
        Store::back_up(&from, &to).expect("a backup");
        store.take_in(&[waiting(8, 950)], ReadingKind::Queue, Time(1_030)).expect("another job");
        assert_eq!(std::fs::metadata(&to).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(Store::open_to_read(&to).expect("a store").job_count(), 1);
        let error = Store::back_up(&from, &to).expect_err("it is not written over");
        assert!(error.to_string().contains("copy.sqlite"), "{error}");
        assert_eq!(
            std::fs::read_dir(folder.path())
                .expect("ours")
                .flatten()
                .filter(|file| file.file_name().to_string_lossy().contains("unfinished"))
                .count(),
            0
        );
    }

    #[test]
    fn a_compacted_store_is_smaller_and_holds_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.sqlite");
        let mut store = with_a_job(&path);
        store.connection.execute_batch("CREATE TABLE ballast (x); INSERT INTO ballast SELECT zeroblob(1000000); DROP TABLE ballast; PRAGMA wal_checkpoint(TRUNCATE);").expect("ballast");
        let before = std::fs::metadata(&path).expect("it is there").len();
        store.compact().expect("room");
        assert!(std::fs::metadata(&path).expect("it is there").len() + 900_000 < before);
        store.check().expect("as it was written");
        assert_eq!(store.job_count(), 1);
    }

    #[test]
    fn a_store_is_kept_as_it_was_before_it_is_brought_up_to_date() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.sqlite");
        let before = schema::newest() - 1;
        let mut older = Connection::open(&path).expect("a database");
        let steps = &schema::STEPS[..schema::STEPS.len() - 1];
        schema::migrate(&mut older, steps, &path).expect("the version before");
        let empty = folder.path().join("empty.sqlite");
        std::fs::copy(&path, &empty).expect("a copy");
        drop(Store::open(&empty).expect("it is brought up to date"));
        assert!(!kept_before_update(&empty, before).exists(), "there is nothing to keep");
        let job = "INSERT INTO jobs (cluster, job_id, part, submitted, tasks, name, user, account, partitions, qos, limit_word, \
                   nodes, state, stage, checksum) VALUES ('alpha', 7, '', 100, '', 'sim', 'anna', 'p', 'batch', 'normal', '', '', \
                   'PENDING', 'waiting', 0)";
        older.execute(job, []).expect("a row");
        drop(older);
        let cut_off = folder.path().join(format!(".store.sqlite.version-{before}.unfinished-a1B2c3"));
        std::fs::write(&cut_off, "half a copy").expect("our folder");
        // The row has no right checksum: the store is brought up to date, and then found damaged.
        Store::open(&path).expect_err("a made-up row");
        let copy = kept_before_update(&path, before);
        assert_eq!(std::fs::metadata(&copy).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert!(!cut_off.exists(), "what a killed process has left is gone");
        let (_, version) = Store::connected_to_read(&copy).expect("a store");
        assert_eq!(version, before);
        let kept = std::fs::read(&copy).expect("its bytes");
        Store::open(&path).expect_err("still");
        assert_eq!(std::fs::read(&copy).expect("its bytes"), kept, "once");
    }

    #[test]
    fn rows_come_under_their_columns() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = with_a_job(&folder.path().join("store.sqlite"));
        let mut rows = Vec::new();
        store
            .rows::<StoreError>(Table::Jobs, |row| {
                rows.push(row.to_vec());
                Ok(())
            })
            .expect("rows");
        let column = rows[0].iter().position(|name| name == "job_id").expect("a column");
        assert_eq!((rows.len(), rows[1][column].as_str()), (2, "7"));
    }
}
