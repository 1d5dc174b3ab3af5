//! Where notices are kept: a folder beside the store, a file for each, readable by the daemon only.
//!
//! For: a daemon that is begun again goes on where it was. A file is written whole under another name first, so that one that is there is
//! whole; an operator can read it, and take one away while the daemon does not run.
//!
//! Not for: the store. Notices come and go with jobs, are nothing that forecasts learn from, and must not wait while the store takes
//! in a history. See ADR 0019.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use tempfile::Builder;
use tracing::warn;

use super::notice::Notice;

const ENDING: &str = "json";
/// How the name of a file begins that is not whole yet.
const UNFINISHED: &str = ".unfinished-";

/// The folder.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Made if it is not there.
    pub fn open(path: &Path) -> io::Result<Self> {
        match DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(Self(path.to_owned())),
        }
    }

    /// All that are kept. One that cannot be read stays where it is, and is told; what a killed daemon has not finished is removed.
    pub fn read(&self) -> io::Result<Vec<Notice>> {
        let mut notices = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED)) {
                fs::remove_file(&path)?;
            }
            if path.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            match fs::read(&path).map(|bytes| serde_json::from_slice::<Notice>(&bytes)) {
                Ok(Ok(notice)) if self.path(&notice.id) == path => notices.push(notice),
                Ok(Ok(_)) => {
                    warn!(file = %path.display(), "notification file ignored: file name does not match the content");
                }
                Ok(Err(error)) => warn!(file = %path.display(), %error, "unreadable notification file ignored"),
                Err(error) => warn!(file = %path.display(), %error, "unreadable notification file ignored"),
            }
        }
        Ok(notices)
    }

    /// Keeps it as it is now.
    pub fn keep(&self, notice: &Notice) -> io::Result<()> {
        let mut file = Builder::new().prefix(UNFINISHED).tempfile_in(&self.0)?;
        file.write_all(&serde_json::to_vec(notice)?)?;
        file.as_file().sync_all()?;
        file.persist(self.path(&notice.id)).map_err(|error| error.error)?;
        self.sync()
    }

    /// Forgets it.
    pub fn remove(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => self.sync(),
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.0.join(id).with_extension(ENDING)
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.0)?.sync_all()
    }
}
