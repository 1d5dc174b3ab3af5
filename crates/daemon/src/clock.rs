//! What time it is, for the rim alone: the core is told.
//!
//! A cluster in a lab may live faster than we do (`tests/slurm-lab`); the daemon that watches it must count its seconds
//! and not ours. Nothing else of the daemon knows.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use queuecast_workload::Time;

/// A clock that shows the cluster's time, and how long its seconds are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// When, in real seconds since 1970, the two agreed.
    real: f64,
    /// What it showed then.
    shown: f64,
    /// How many of its seconds pass in one of ours.
    speed: f64,
}

impl Clock {
    /// The machine's own.
    pub const SYSTEM: Self = Self { real: 0.0, shown: 0.0, speed: 1.0 };

    /// One that showed `shown` at `real` and runs this much faster; both in seconds since 1970.
    pub fn fast(real: f64, shown: f64, speed: f64) -> Self {
        Self { real, shown, speed }
    }

    /// One that stands at a moment: for what was read then.
    pub fn standing_at(moment: SystemTime) -> Self {
        let shown = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        Self { real: 0.0, shown, speed: 0.0 }
    }

    /// The cluster's time.
    pub fn now(&self) -> Time {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        #[expect(clippy::cast_possible_truncation, reason = "seconds since 1970")]
        Time((self.shown + (real - self.real) * self.speed).floor() as i64)
    }

    /// How long we wait until so many of the cluster's seconds have passed.
    pub fn real(&self, cluster_seconds: f64) -> Duration {
        Duration::try_from_secs_f64(cluster_seconds / self.speed).unwrap_or_default()
    }
}

/// What the watcher is told of time: the cluster's, which somebody may put back, and one that only goes forward.
pub trait WatchClock: Send {
    /// The cluster's time.
    fn now(&self) -> Time;

    /// How long it has been watched.
    fn watched(&self) -> Duration;

    /// How long that is in which so many of the cluster's seconds pass.
    fn real(&self, cluster_seconds: f64) -> Duration;
}

/// A clock, and when watching began.
pub struct RunningClock {
    clock: Clock,
    begun: Instant,
}

impl RunningClock {
    /// Watching begins now.
    pub fn start(clock: Clock) -> Self {
        Self { clock, begun: Instant::now() }
    }
}

impl WatchClock for RunningClock {
    fn now(&self) -> Time {
        self.clock.now()
    }

    fn watched(&self) -> Duration {
        self.begun.elapsed()
    }

    fn real(&self, cluster_seconds: f64) -> Duration {
        self.clock.real(cluster_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_clock_counts_the_clusters_seconds() {
        let now = Clock::SYSTEM.now().0 as f64;
        let fast = Clock::fast(now - 10.0, 1_000_000.0, 100.0);
        assert!((1_000_900..1_001_300).contains(&fast.now().0), "{:?}", fast.now());
        assert_eq!(fast.real(50.0), Duration::from_millis(500));
    }
}
