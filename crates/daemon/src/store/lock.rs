//! One writer: a lock beside the store, held for as long as the store is open.
//!
//! For: two daemons that mean one file, by whatever names. The lock lies beside the file itself and not beside a link to it; a file
//! with two names is refused; and before anything is kept it is looked whether the lock and the store are still those that were
//! opened, since whoever removes a lock's file lets somebody else make another.
//!
//! Not for: `SQLite`'s own locks, which let two daemons take turns and would not notice.
//!
//! The kernel lets go of it when the process ends, however it ends. The file stays, and means nothing by itself.
//!
//! Source: flock(2), open(2) `O_NOFOLLOW`. The store itself is opened only by whoever has the lock: closing it a second time in one
//! process would let go of `SQLite`'s locks (fcntl(2)).

use std::fs::{self, File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::StoreError;

/// Names of jobs and users are nobody else's business.
const OWNERS_ONLY: u32 = 0o600;
/// What `SQLite` puts beside the store. What it makes anew gets the store's own rights.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Held while the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it lets go.
    file: File,
    path: PathBuf,
    store: PathBuf,
    store_identity: (u64, u64),
}

impl Lock {
    /// Takes the store, making it if there is none.
    pub fn take(named: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::File { path: named.to_owned(), error };
        let store = behind_links(named).map_err(failed)?;
        let path = with_ending(&store, ".lock");
        let file = locked(&path, named)?;
        let opened = open(&store).map_err(failed)?;
        let metadata = opened.metadata().map_err(failed)?;
        if metadata.nlink() > 1 {
            return Err(StoreError::TwoNames { path: named.to_owned() });
        }
        Ok(Self { file, path, store, store_identity: identity(&metadata) })
    }

    /// The store's own path, behind all links.
    pub fn store(&self) -> &Path {
        &self.store
    }

    /// Takes the store, and what is beside it, from everybody but its owner. Not before it is known to be one of ours.
    pub fn keep_to_owner(&self) -> Result<(), StoreError> {
        keep_to_owner(&self.store)?;
        BESIDE.iter().try_for_each(|ending| keep_to_owner(&with_ending(&self.store, ending)))
    }

    /// Makes sure that the store is still ours: asked before anything is kept for good. A lock whose file was removed is taken again,
    /// unless somebody was faster.
    pub fn hold(&mut self) -> Result<(), StoreError> {
        let is_named = |path: &Path, wanted| fs::symlink_metadata(path).is_ok_and(|found| identity(&found) == wanted);
        if !is_named(&self.store, self.store_identity) {
            return Err(StoreError::Replaced { path: self.store.clone() });
        }
        let held = self.file.metadata().map_err(|error| StoreError::File { path: self.path.clone(), error })?;
        if !is_named(&self.path, identity(&held)) {
            self.file = locked(&self.path, &self.store)?;
            tracing::warn!(file = %self.path.display(), "store lock file was deleted and has been created again; do not delete the lock file");
        }
        Ok(())
    }
}

/// The lock, once it is ours and still has its name: between opening and locking somebody may have removed it.
fn locked(path: &Path, store: &Path) -> Result<File, StoreError> {
    let failed = |error| StoreError::File { path: path.to_owned(), error };
    loop {
        let mut file = open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whoever holds it wrote its number; if not, the message does without.
                let _ = file.take(20).read_to_string(&mut holder);
                let holder = holder.trim().parse::<u32>().map_or(String::new(), |id| format!(" (process {id})"));
                return Err(StoreError::Kept { path: store.to_owned(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let ours = identity(&file.metadata().map_err(failed)?);
        if fs::symlink_metadata(path).is_ok_and(|found| identity(&found) == ours) {
            // For the message above only: a disk too full for it does not matter.
            let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
            return Ok(file);
        }
    }
}

/// Made for its owner only, if it is not there; never behind a link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(OWNERS_ONLY);
    options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    options.open(path).map_err(|error| match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            io::Error::other("the path is a symbolic link, but must be a regular file; remove the link")
        }
        _ => error,
    })
}

/// Takes a file from everybody but its owner, and says so.
fn keep_to_owner(path: &Path) -> Result<(), StoreError> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let mode = found.mode() & 0o777;
    if mode & !OWNERS_ONLY == 0 || !found.is_file() {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(OWNERS_ONLY)).map_err(|error| StoreError::TooOpen {
        path: path.to_owned(),
        mode,
        error,
    })?;
    tracing::warn!(file = %path.display(), mode = %format_args!("{mode:03o}"), "store file was accessible to other users; mode set to 600");
    Ok(())
}

/// The file that is meant, whichever links lead to it. One that is not there yet is meant where its folder is.
fn behind_links(named: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(named) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if fs::symlink_metadata(named).is_ok() {
                return Err(io::Error::other(
                    "the path is a broken symbolic link; remove the link, or create its target",
                ));
            }
            let folder = named.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = named.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
            Ok(fs::canonicalize(folder)?.join(name))
        }
        found => found,
    }
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn with_ending(store: &Path, ending: &str) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
