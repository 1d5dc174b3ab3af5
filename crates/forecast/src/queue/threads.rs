//! On which threads futures are played.
//!
//! For: questions of different haste on few cores. Whoever comes late to threads that are busy waits for what was begun before, so each kind of question may
//! have threads of its own. Only the playing is done on them: whoever asks may hold a lock meanwhile, and a thread that waits for its own part of one question
//! may take up another.
//!
//! Not for: how many ask at once, and which threads there are (the daemon).

use std::fmt;
use std::sync::Arc;

/// Some threads; those that everybody shares, unless it is said.
#[derive(Clone, Default)]
pub struct Threads(Option<Arc<rayon::ThreadPool>>);

impl Threads {
    /// Those that everybody shares.
    pub const SHARED: Self = Self(None);

    /// These.
    pub fn of(pool: rayon::ThreadPool) -> Self {
        Self(Some(Arc::new(pool)))
    }

    /// Does this on them, and waits for it.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Threads::of(..)" } else { "Threads::SHARED" })
    }
}
