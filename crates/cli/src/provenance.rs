//! Where a result comes from: enough to make it again and to see that it is the same.
//!
//! For: every result of a command that works on logs, as JSON, on pages, in reports and in files beside them. `docs/reference/provenance.md` defines every name.
//!
//! Not for: answers of the daemon, which say themselves when and from what they were made. No clock: two runs of one command give the same bytes.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use queuecast_logs::{Dropped, catalogue};
use serde::{Serialize, Serializer};

/// The program's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit it was built from, if that was in a repository.
const COMMIT: Option<&str> = option_env!("QCAST_BUILT_FROM");
/// What `qcast --version` says: the version, and the commit and its day as far as they were known to whoever built it.
pub const VERSION_TOLD: &str = env!("QCAST_VERSION_TOLD");

/// Where a result comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    version: &'static str,
    commit: Option<&'static str>,
    arguments: Vec<String>,
    seed: Option<u64>,
    logs: Vec<LogRead>,
}

/// A log that was read.
#[derive(Clone, Debug, Serialize)]
pub struct LogRead {
    file: String,
    #[serde(serialize_with = "hash")]
    content_sha256: ContentHash,
    processors: Option<u32>,
    dropped: Option<Dropped>,
}

/// The hash of a file, which is read for it only when somebody wants to know: logs are long.
#[derive(Clone, Debug)]
struct ContentHash {
    path: PathBuf,
    hash: OnceLock<Option<String>>,
}

impl ContentHash {
    /// Nothing for a pipe, which has been read.
    fn get(&self) -> Option<&str> {
        let compute = || self.path.is_file().then(|| catalogue::content_sha256(&self.path).ok()).flatten();
        self.hash.get_or_init(compute).as_deref()
    }
}

fn hash<S: Serializer>(hash: &ContentHash, serializer: S) -> Result<S::Ok, S::Error> {
    hash.get().serialize(serializer)
}

impl LogRead {
    /// This file, as it was read.
    pub fn new(path: &Path) -> Self {
        let content_sha256 = ContentHash { path: path.to_owned(), hash: OnceLock::new() };
        Self { file: path.display().to_string(), content_sha256, processors: None, dropped: None }
    }

    /// With its hash taken now, before what this command writes may stand in the log's place.
    pub fn hashed(self) -> Self {
        self.content_sha256.get();
        self
    }

    /// The machine that it was replayed on.
    pub fn on(self, processors: u32) -> Self {
        Self { processors: Some(processors), ..self }
    }

    /// What was left out of it.
    pub fn without(self, dropped: Dropped) -> Self {
        Self { dropped: Some(dropped), ..self }
    }
}

impl Provenance {
    /// Of what this process was told to do.
    pub fn of_this_command() -> Self {
        let arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        // How the program was called by its path differs from machine to machine and changes nothing.
        let arguments = std::iter::once("qcast".to_owned()).chain(arguments.skip(1)).collect();
        Self { version: VERSION, commit: COMMIT, arguments, seed: None, logs: Vec::new() }
    }

    /// With what decided every random number.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// With a log that was read.
    pub fn with_log(mut self, log: LogRead) -> Self {
        self.logs.push(log);
        self
    }

    /// The program, for people.
    pub fn program(&self) -> String {
        self.commit.map_or_else(
            || format!("qcast {}", self.version),
            |commit| format!("qcast {}, commit {}", self.version, commit.get(..12).unwrap_or(commit)),
        )
    }

    /// Each log with its hash, for people.
    pub fn logs_in_words(&self) -> Vec<String> {
        let in_words = |log: &LogRead| {
            let hash = log.content_sha256.get().unwrap_or("not known, it was a pipe");
            // Where it lies on this machine is nobody's business, and would make the same input give other bytes.
            let file = Path::new(&log.file)
                .file_name()
                .map_or_else(|| log.file.as_str().into(), |name| name.to_string_lossy());
            format!("{file}: SHA-256 of the content {hash}")
        };
        self.logs.iter().map(in_words).collect()
    }
}
