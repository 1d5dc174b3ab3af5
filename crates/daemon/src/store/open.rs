//! Opening the store.
//!
//! The order matters: the lock first, then the version, and only then anything that writes, so that a file that is not for us
//! is left as it was.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::lock::Lock;
use super::{StoreError, copy, schema};

/// How long we wait for somebody who reads or backs the file up.
const BUSY: Duration = Duration::from_secs(10);

/// Statements that stay prepared; there are fewer.
const STATEMENTS: usize = 64;

/// A store of up to so many pages, 64 MiB, is checked whole before anything is told from it, within a second or two. A larger one is
/// checked beside the work, once a day.
const CHECKED_AT_ONCE_PAGES: i64 = 16_384;

/// Why a transaction was given up.
pub(super) enum Refusal {
    Database(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// The store. One of it a file; calls block.
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    /// Jobs in it. Counting them anew would read them all.
    pub(super) jobs: u64,
    /// Given back when the connection is closed.
    lock: Option<Lock>,
}

impl Store {
    /// Opens the store, making it if there is none, for this process alone.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = Lock::take(path)?;
        let connection = Connection::open(lock.store()).map_err(|error| opening(path, error))?;
        Self::prepared(connection, path, Some(lock))
    }

    /// Opens a store to look at, which a daemon may have open meanwhile; nothing in it is changed. One of another version is refused:
    /// only its daemon brings it up to date.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| opening(path, error);
        let (connection, version) = Self::connected_to_read(path)?;
        if version < schema::newest() {
            let what =
                format!("the schema has version {version} and needs an update; run `qcast serve` once with this store");
            return Err(StoreError::Damaged { path: path.to_owned(), what });
        }
        let jobs: i64 = connection.query_row("SELECT count(*) FROM jobs", [], |row| row.get(0)).map_err(failed)?;
        Ok(Self { connection, path: path.to_owned(), jobs: u64::try_from(jobs).unwrap_or(0), lock: None })
    }

    /// A connection by which nothing is changed, and the version of what is there.
    pub(super) fn connected_to_read(path: &Path) -> Result<(Connection, i64), StoreError> {
        let failed = |error| opening(path, error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(BUSY).map_err(failed)?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(failed)?;
        let version = schema::version(&connection, schema::STEPS, path)?;
        Ok((connection, version))
    }

    /// A store that is gone when it is dropped, for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = Path::new("(memory)");
        let connection = Connection::open_in_memory().map_err(|error| opening(path, error))?;
        Self::prepared(connection, path, None)
    }

    fn prepared(mut connection: Connection, path: &Path, lock: Option<Lock>) -> Result<Self, StoreError> {
        let failed = |error| opening(path, error);
        connection.busy_timeout(BUSY).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        // Without this the presence of partial indexes has SQLite plan every statement anew whenever its parameters change: taking a
        // queue of 10,000 in again took 250 ms and not 60.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
        // A damaged or foreign file must not make us run what its schema says, nor read beyond a page.
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(failed)?;
        let version = schema::version(&connection, schema::STEPS, path)?;
        if let Some(lock) = &lock {
            lock.keep_to_owner()?;
            if 0 < version && version < schema::newest() {
                copy::keep_before_update(&connection, lock.store(), version)?;
            }
        }
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                 PRAGMA journal_size_limit = 67108864;",
            )
            .map_err(failed)?;
        schema::migrate(&mut connection, schema::STEPS, path)?;
        let jobs: i64 = connection.query_row("SELECT count(*) FROM jobs", [], |row| row.get(0)).map_err(failed)?;
        let pages: i64 = connection.query_row("PRAGMA page_count", [], |row| row.get(0)).map_err(failed)?;
        let store = Self { connection, path: path.to_owned(), jobs: u64::try_from(jobs).unwrap_or(0), lock };
        if store.file().is_some() && pages <= CHECKED_AT_ONCE_PAGES {
            store.check()?;
        }
        Ok(store)
    }

    /// The file; `None` of one in memory.
    pub fn file(&self) -> Option<&Path> {
        self.connection.path().filter(|path| !path.is_empty()).map(|_| &*self.path)
    }

    /// How many jobs are in it.
    pub fn job_count(&self) -> u64 {
        self.jobs
    }

    /// An error of the database, in the middle of this.
    pub(super) fn failed(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError + use<> {
        let path = self.path.clone();
        move |error| StoreError::Database { path: path.clone(), doing, error }
    }

    /// One transaction: all of it or nothing.
    pub(super) fn all_or_nothing<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<T, StoreError> {
        let failed = self.failed(doing);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let done = work(&transaction).map_err(|refusal| match refusal {
            Refusal::Database(error) => failed(error),
            Refusal::Store(error) => error,
        })?;
        // Whoever has the store by now has read it without this.
        if let Some(lock) = &mut self.lock {
            lock.hold()?;
        }
        transaction.commit().map_err(&failed)?;
        Ok(done)
    }
}

fn opening(path: &Path, error: rusqlite::Error) -> StoreError {
    StoreError::Database { path: path.to_owned(), doing: "opening the store", error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_second_daemon_is_refused_and_told_who_has_the_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let store = Store::open(&path).expect("a store");
        let error = Store::open(&path).expect_err("it is kept");
        assert!(matches!(error, StoreError::Kept { .. }), "{error}");
        assert!(error.to_string().contains(&format!("(process {})", std::process::id())), "{error}");
        drop(store);
        Store::open(&path).expect("it is free again");
    }

    #[test]
    fn the_same_store_by_another_name_is_the_same_store() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("qcast.db"), folder.path().join("other.db"));
        let store = Store::open(&path).expect("a store");
        symlink(&path, &link).expect("a link");
        let inner = folder.path().join("inner");
        symlink(folder.path(), &inner).expect("a link to the folder");
        for name in [link.clone(), inner.join("qcast.db"), inner.join("inner/other.db")] {
            assert!(matches!(Store::open(&name), Err(StoreError::Kept { .. })), "{}", name.display());
        }
        drop(store);
        drop(Store::open(&link).expect("nobody has it"));
        let second = folder.path().join("second.db");
        std::fs::hard_link(&path, &second).expect("a second name");
        for name in [&path, &second] {
            assert!(matches!(Store::open(name), Err(StoreError::TwoNames { .. })), "{}", name.display());
        }
        let nowhere = folder.path().join("nowhere.db");
        symlink(folder.path().join("missing"), &nowhere).expect("a link");
        assert!(matches!(Store::open(&nowhere), Err(StoreError::File { .. })));
    }

    fn kept(store: &mut Store) -> Result<(), StoreError> {
        store.take_in(&[], super::super::ReadingKind::Queue, queuecast_workload::Time(1)).map(|_| ())
    }

    #[test]
    fn a_lock_that_was_removed_is_taken_again_before_anything_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let mut store = Store::open(&path).expect("a store");
        std::fs::remove_file(folder.path().join("qcast.db.lock")).expect("it was there");
        kept(&mut store).expect("nobody else has it");
        assert!(matches!(Store::open(&path), Err(StoreError::Kept { .. })), "it is held again");
    }

    #[test]
    fn whoever_lost_the_store_to_another_daemon_keeps_nothing_more_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let mut first = Store::open(&path).expect("a store");
        std::fs::remove_file(folder.path().join("qcast.db.lock")).expect("it was there");
        let mut second = Store::open(&path).expect("the lock is gone");
        let error = kept(&mut first).expect_err("somebody else has it");
        assert!(matches!(error, StoreError::Kept { .. }), "{error}");
        kept(&mut second).expect("it has it");
        assert!(second.queue_read().expect("a mark").is_some());
    }

    #[test]
    fn what_is_no_longer_the_store_is_not_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let mut store = Store::open(&path).expect("a store");
        std::fs::rename(&path, folder.path().join("moved.db")).expect("it is ours");
        let error = kept(&mut store).expect_err("it is not there");
        assert!(matches!(error, StoreError::Replaced { .. }), "{error}");
        std::fs::rename(folder.path().join("moved.db"), &path).expect("it is ours");
        kept(&mut store).expect("it is back");
    }

    #[test]
    fn a_store_that_others_could_read_is_taken_from_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        drop(Store::open(&path).expect("a store"));
        let left = folder.path().join("qcast.db-journal");
        std::fs::write(&left, "").expect("a file");
        for open in [&path, &left] {
            std::fs::set_permissions(open, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
        }
        let _store = Store::open(&path).expect("a store");
        for entry in std::fs::read_dir(folder.path()).expect("its files").flatten() {
            let mode = entry.metadata().expect("its rights").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{:?}", entry.path());
        }
    }

    #[test]
    fn a_store_can_be_looked_at_while_its_daemon_has_it_and_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let store = Store::open(&path).expect("a store");
        let mut reader = Store::open_to_read(&path).expect("it is there");
        assert_eq!(reader.job_count(), 0);
        let written = reader.take_in(&[], super::super::ReadingKind::Queue, queuecast_workload::Time(1));
        let added = reader.connection.execute("INSERT INTO meta VALUES ('cluster', 'x', 0)", []);
        assert!(added.is_err(), "{written:?} {added:?}");
        drop((store, reader));
        assert!(Store::open_to_read(&folder.path().join("none.db")).is_err(), "nothing is made");
        assert!(!folder.path().join("none.db").exists());
    }

    #[test]
    fn what_a_newer_version_wrote_is_refused_and_left_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let store = Store::open(&path).expect("a store");
        store.connection.pragma_update(None, "user_version", 1_000).expect("a version");
        drop(store);
        let before = std::fs::read(&path).expect("its bytes");
        let error = Store::open(&path).expect_err("it is newer");
        assert!(matches!(error, StoreError::Newer { found: 1_000, .. }), "{error}");
        assert!(error.to_string().contains("start the newer qcast"), "{error}");
        assert_eq!(std::fs::read(&path).expect("its bytes"), before);
    }

    #[test]
    fn somebody_elses_database_is_refused_and_left_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.db");
        let other = Connection::open(&path).expect("a database");
        other.execute_batch("CREATE TABLE jobs (id INTEGER)").expect("a table");
        drop(other);
        let before = std::fs::read(&path).expect("its bytes");
        let error = Store::open(&path).expect_err("it is not ours");
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        assert_eq!(std::fs::read(&path).expect("its bytes"), before);
        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "a text that is long enough to be taken for the beginning of something".repeat(20))
            .expect("a text");
        let error = Store::open(&text).expect_err("it is no database");
        assert!(error.to_string().contains("notes.txt"), "{error}");
    }

    #[test]
    fn a_store_that_cannot_be_made_says_where_and_what_to_look_at() {
        let error = Store::open(Path::new("/no/such/folder/qcast.db")).expect_err("no folder");
        assert!(error.to_string().contains("/no/such/folder") && error.to_string().contains("exist"), "{error}");
    }

    #[test]
    fn what_is_acknowledged_is_on_disk_and_only_its_owner_may_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("qcast.db");
        let store = Store::open(&path).expect("a store");
        let pragma = |name: &str| -> String {
            store
                .connection
                .query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0))
                .map(|value| format!("{value:?}"))
                .expect("a setting")
        };
        assert!(pragma("journal_mode").contains("wal"));
        assert!(pragma("synchronous").contains('2'), "FULL is 2");
        assert!(pragma("foreign_keys").contains('1'));
        #[cfg(unix)]
        for entry in std::fs::read_dir(folder.path()).expect("its files") {
            let entry = entry.expect("a file");
            let mode = PermissionsExt::mode(&entry.metadata().expect("its rights").permissions());
            assert_eq!(mode & 0o777, 0o600, "{:?}", entry.path());
        }
    }
}
