//! What was read from files and is read again when they change, without a restart.
//!
//! For: keys and certificates, which are replaced while a daemon runs. What cannot be read keeps what was read before: half a key
//! must not lock everybody out.
//!
//! Not for: what is in the files.
//!
//! Source: stat(2). Files are looked at once a second at most, by whoever needs what is in them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So often files are looked at, at most.
const EVERY: Duration = Duration::from_secs(1);

type Read<T> = Box<dyn Fn() -> Result<T, String> + Send + Sync>;

/// Something from files.
pub(super) struct Reread<T> {
    files: Vec<PathBuf>,
    read: Read<T>,
    every: Duration,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    value: Arc<T>,
    seen: Vec<Option<Stamp>>,
    looked: Instant,
}

/// A file that was written to, or replaced, has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    changed: (i64, i64),
}

impl<T> Reread<T> {
    /// What these files hold, once it was read.
    pub fn new<E: ToString>(
        files: Vec<PathBuf>,
        read: impl Fn() -> Result<T, E> + Send + Sync + 'static,
    ) -> Result<Self, E> {
        // Before they are read: what changes in between is seen again.
        let seen = stamps(&files);
        let kept = Kept { value: Arc::new(read()?), seen, looked: Instant::now() };
        let read = Box::new(move || read().map_err(|error| error.to_string()));
        Ok(Self { files, read, every: EVERY, kept: Mutex::new(kept) })
    }

    /// What never changes.
    #[cfg(test)]
    pub fn fixed(value: T) -> Self {
        let kept = Kept { value: Arc::new(value), seen: Vec::new(), looked: Instant::now() };
        Self { files: Vec::new(), read: Box::new(|| Err(String::new())), every: EVERY, kept: Mutex::new(kept) }
    }

    #[cfg(test)]
    pub fn at_once(mut self) -> Self {
        self.every = Duration::ZERO;
        self
    }

    /// What the files hold now.
    pub fn current(&self) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.looked.elapsed() >= self.every {
            kept.looked = Instant::now();
            let seen = stamps(&self.files);
            if seen != kept.seen {
                let file = self.files.first().map(|file| file.display().to_string()).unwrap_or_default();
                match (self.read)() {
                    Ok(value) => {
                        kept.value = Arc::new(value);
                        tracing::info!(%file, "changed file reloaded");
                    }
                    Err(error) => {
                        tracing::warn!(%file, %error, "changed file cannot be used; keeping the previous content");
                    }
                }
                kept.seen = seen;
            }
        }
        Arc::clone(&kept.value)
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    files.iter().map(|file| stamp(file)).collect()
}

fn stamp(file: &Path) -> Option<Stamp> {
    let found = fs::metadata(file).ok()?;
    Some(Stamp { file: (found.dev(), found.ino()), bytes: found.size(), changed: (found.ctime(), found.ctime_nsec()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_read_again_and_what_is_broken_is_not_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("number");
        fs::write(&path, "1").expect("it is ours");
        let read_from = path.clone();
        let read = move || {
            fs::read_to_string(&read_from)
                .map_err(|error| error.to_string())?
                .parse::<u32>()
                .map_err(|error| error.to_string())
        };
        let number = Reread::new(vec![path.clone()], read).expect("a number").at_once();
        assert_eq!(*number.current(), 1);
        for (text, expected) in [("22", 22), ("none", 22), ("", 22), ("333", 333)] {
            fs::write(&path, text).expect("it is ours");
            assert_eq!(*number.current(), expected, "{text}");
        }
        fs::remove_file(&path).expect("it was there");
        assert_eq!(*number.current(), 333, "gone");
        fs::write(folder.path().join("new"), "4").expect("it is ours");
        fs::rename(folder.path().join("new"), &path).expect("it is ours");
        assert_eq!(*number.current(), 4, "replaced");
    }
}
