//! A clock that stands at one reading after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use queuecast_daemon::clock::WatchClock;
use queuecast_workload::Time;

/// What time it is in the recording.
#[derive(Clone)]
pub struct RecordedClock {
    began: Time,
    now: Arc<AtomicI64>,
}

impl RecordedClock {
    /// Stands at this moment.
    pub fn at(moment: Time) -> Self {
        Self { began: moment, now: Arc::new(AtomicI64::new(moment.0)) }
    }

    /// Stands at a later one.
    pub fn turn_to(&self, moment: Time) {
        self.now.store(moment.0, Ordering::Relaxed);
    }
}

impl WatchClock for RecordedClock {
    fn now(&self) -> Time {
        Time(self.now.load(Ordering::Relaxed))
    }

    fn watched(&self) -> Duration {
        Duration::from_secs((self.now() - self.began).0.unsigned_abs())
    }

    fn real(&self, cluster_seconds: f64) -> Duration {
        Duration::from_secs_f64(cluster_seconds)
    }
}
