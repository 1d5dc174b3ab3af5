//! A clock that is turned by hand, and can be put wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use queuecast_daemon::clock::WatchClock;
use queuecast_workload::Time;

/// Time as it is, and as the daemon's machine shows it.
#[derive(Clone)]
pub struct HandClock(Arc<Hands>);

struct Hands {
    began: i64,
    true_seconds: AtomicI64,
    /// How far the daemon's clock is off.
    off_by: AtomicI64,
}

impl HandClock {
    /// Right, at this second.
    pub fn at(second: i64) -> Self {
        Self(Arc::new(Hands { began: second, true_seconds: AtomicI64::new(second), off_by: AtomicI64::new(0) }))
    }

    /// The second it is.
    pub fn true_second(&self) -> i64 {
        self.0.true_seconds.load(Ordering::Relaxed)
    }

    /// Time passes.
    pub fn pass(&self, seconds: i64) {
        self.0.true_seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Somebody puts the daemon's clock wrong by so much; zero puts it right.
    pub fn put_wrong(&self, by: i64) {
        self.0.off_by.store(by, Ordering::Relaxed);
    }
}

impl WatchClock for HandClock {
    fn now(&self) -> Time {
        Time(self.true_second() + self.0.off_by.load(Ordering::Relaxed))
    }

    fn watched(&self) -> Duration {
        Duration::from_secs((self.true_second() - self.0.began).unsigned_abs())
    }

    fn real(&self, cluster_seconds: f64) -> Duration {
        Duration::from_secs_f64(cluster_seconds)
    }
}
