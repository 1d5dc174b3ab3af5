//! What can go wrong with the store: what, where, and what to do about it.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use super::copy::kept_before_update;

/// Why the store did not do what it was asked to. Nothing of what was asked has been kept then.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else writes to it.
    #[error("{path}: another daemon{holder} is using this store; stop that daemon, or give this daemon another store path", path = .path.display())]
    Kept {
        /// The store.
        path: PathBuf,
        /// ` (process 123)`, where that is known.
        holder: String,
    },
    /// The file or its lock cannot be made or opened.
    #[error("{path}: {error}; {advice}", path = .path.display(), advice = file_advice(.error))]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It has a second name, under which another daemon could keep it.
    #[error("{path} has a second hard link, through which another daemon could open the store; remove one of the two links", path = .path.display())]
    TwoNames {
        /// Which.
        path: PathBuf,
    },
    /// It was moved away, or another file was put in its place.
    #[error("{path} was moved or replaced while the store was open; nothing was written; put the original file back, or restart the daemon", path = .path.display())]
    Replaced {
        /// Where it was.
        path: PathBuf,
    },
    /// Others could read it, and that cannot be changed.
    #[error("{path} has mode {mode:03o} and contains names of users and jobs: {error}; remove access for other users (chmod 600)", path = .path.display())]
    TooOpen {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
        /// Why they stay.
        error: io::Error,
    },
    /// It is somebody else's file.
    #[error("{path} is a database of another program; choose another path for the store", path = .path.display())]
    NotAStore {
        /// Which.
        path: PathBuf,
    },
    /// A newer version wrote it.
    #[error(
        "{path} has schema version {found}, but this qcast supports versions up to {newest}; the file was not changed; start the newer qcast, \
         or replace the file with {before}, the copy made before the update",
        path = .path.display(),
        before = kept_before_update(.path, *.newest).display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest that is known.
        newest: i64,
    },
    /// It does not hold what was written.
    #[error("{path} is damaged: {what}; stop the daemon and restore a backup, or move the file away to start with an empty store", path = .path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What is wrong, with the rows that are.
        what: String,
    },
    /// A forecast of nobody.
    #[error("cannot store a forecast for job row {job}: the row is not in the store; store the job record first")]
    NoSuchJob {
        /// The row.
        job: i64,
    },
    /// The database refused.
    #[error("{path}: {doing}: {error}; {advice}", path = .path.display(), advice = advice(.error))]
    Database {
        /// The store.
        path: PathBuf,
        /// In the middle of what.
        doing: &'static str,
        /// Why.
        error: rusqlite::Error,
    },
}

impl StoreError {
    /// Whether it may pass by itself, and nothing of what was asked was kept: the disk is full or cannot be written, or somebody else holds the file.
    pub fn passes(&self) -> bool {
        let Self::Database { error, .. } = self else { return false };
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::PermissionDenied
            )
        )
    }
}

fn file_advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AlreadyExists => "the file exists and is not overwritten; choose another file name",
        _ => "check that the directory exists and that this user may write to the directory",
    }
}

fn advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "free some disk space; stored data is intact, and the daemon retries the write",
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            "the file is damaged; stop the daemon and restore a backup, or move the file away to start with an empty store"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "check whether another program keeps the file locked"
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "check that the file exists and that this user may write to the file and its directory"
        }
        Some(ErrorCode::SystemIoFailure) => "disk input or output failed; see the system log",
        _ => "this step was rolled back and can be retried",
    }
}
