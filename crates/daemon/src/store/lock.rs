//! One writer: a lock beside the store, held for as long as the store is open.
//!
//! Not for: `SQLite`'s own locks, which let two daemons take turns and would not notice.
//!
//! The kernel lets go of it when the process ends, however it ends. The file stays, and means nothing by itself.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// Held while the store is open.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it lets go.
    _file: File,
}

impl Lock {
    pub fn take(store: &Path) -> Result<Self, StoreError> {
        let path = beside(store);
        let failed = |error| StoreError::File { path: path.clone(), error };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(failed)?;
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
        // For the message above only: a disk too full for it does not matter.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}

fn beside(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
