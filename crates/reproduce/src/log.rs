//! The logs a paper is tried on: by name, in a folder, with the machine the paper simulates.

use std::fs;
use std::path::{Path, PathBuf};

use queuecast_workload::{Machine, TracedJob};

/// Which log, on which machine, and what a paper has to say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSpecification<Particulars = ()> {
    /// What reports call it.
    pub name: &'static str,
    /// How the file begins.
    pub file_prefix: &'static str,
    /// The machine.
    pub processors: u32,
    /// What only this paper knows of it or asks of it.
    pub particulars: Particulars,
}

impl LogSpecification {
    pub(crate) const fn new(name: &'static str, file_prefix: &'static str, processors: u32) -> Self {
        Self { name, file_prefix, processors, particulars: () }
    }

    pub(crate) const fn with<Particulars>(self, particulars: Particulars) -> LogSpecification<Particulars> {
        let Self { name, file_prefix, processors, .. } = self;
        LogSpecification { name, file_prefix, processors, particulars }
    }
}

impl<Particulars> LogSpecification<Particulars> {
    /// The log with these jobs, on this machine.
    pub fn with_jobs(&self, jobs: Vec<TracedJob>) -> Log {
        Log { name: self.name.to_owned(), machine: Machine { processors: self.processors }, jobs }
    }
}

/// A log made ready.
#[derive(Clone, Debug)]
pub struct Log {
    /// What reports call it.
    pub name: String,
    /// The machine it is replayed on.
    pub machine: Machine,
    /// Its usable jobs, in order of submission.
    pub jobs: Vec<TracedJob>,
}

/// A log that could not be found.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The folder cannot be read.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It holds no such log.
    #[error("{}: no log whose name begins with {prefix}", folder.display())]
    Missing {
        /// Where it was looked for.
        folder: PathBuf,
        /// What it should begin with.
        prefix: String,
    },
}

/// The file in `folder` whose name begins with `prefix`; the cleaned version where there are several, and of those the
/// last by name, which is the newest.
pub fn find_log(folder: &Path, prefix: &str) -> Result<PathBuf, LogError> {
    let failed = |error| LogError::Folder { folder: folder.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) {
            found.push((name.contains("-cln"), name));
        }
    }
    found.sort();
    let missing = || LogError::Missing { folder: folder.to_owned(), prefix: prefix.to_owned() };
    found.pop().map(|(_, name)| folder.join(name)).ok_or_else(missing)
}
