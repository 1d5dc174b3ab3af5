//! What can go wrong with the store: what, where, and what to do about it.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use super::copy::kept_before_update;

/// Why the store did not do what it was asked to. Nothing of what was asked has been kept then.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else writes to it.
    #[error("{path}: another daemon{holder} keeps this store; stop it, or give this one a store of its own", path = .path.display())]
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
    #[error("{path} has a second name (a hard link), under which another daemon could keep it; remove one of the two", path = .path.display())]
    TwoNames {
        /// Which.
        path: PathBuf,
    },
    /// It was moved away, or another file was put in its place.
    #[error("{path} is no longer the store that was opened; put it back, or start the daemon again. Nothing was written", path = .path.display())]
    Replaced {
        /// Where it was.
        path: PathBuf,
    },
    /// Others could read it, and that cannot be changed.
    #[error("{path} has mode {mode:03o}, and names of users and jobs are in it: {error}; take it from others (chmod 600)", path = .path.display())]
    TooOpen {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
        /// Why they stay.
        error: io::Error,
    },
    /// It is somebody else's file.
    #[error("{path} is a database, but not one of qcast; give the store another path", path = .path.display())]
    NotAStore {
        /// Which.
        path: PathBuf,
    },
    /// A newer version wrote it.
    #[error(
        "{path} has schema version {found} and this qcast knows versions up to {newest}; start the newer qcast, or move the file away and \
         put in its place {before}, the copy that was made before the update. The file was not touched",
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
    #[error("{path} is damaged: {what}; stop the daemon and restore a backup, or move the file away to begin anew", path = .path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What is wrong, with the rows that are.
        what: String,
    },
    /// A forecast of nobody.
    #[error("a forecast was given for job row {job}, which is not in the store; take its record in first")]
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
        io::ErrorKind::AlreadyExists => "what is there is not written over: name another file",
        _ => "does its folder exist, and may this user write there?",
    }
}

fn advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "free some space; nothing that was kept is lost, and it is tried again",
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            "the file is damaged: stop the daemon and restore a backup, or move the file away to begin anew"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "does another program hold the file for long?",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "is the file there, and may this user write to it and its folder?"
        }
        Some(ErrorCode::SystemIoFailure) => "the disk failed; look at the system's log",
        _ => "nothing of this step was kept; it can be tried again",
    }
}
