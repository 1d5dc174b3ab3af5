//! How many futures a queue is given, by its length.
//!
//! Not for: what is played in them (`queuecast_forecast::queue`).

use super::ForecastingSettings;

/// How much a queue of this length is given, so that it is forecast within seconds: fewer futures, and times reserved for fewer
/// jobs in them, the longer it is.
pub(super) struct Effort {
    pub futures: u64,
    pub reservations: usize,
}

impl Effort {
    pub fn of(waiting: usize, settings: &ForecastingSettings) -> Self {
        // Measured: benchmarks/README.md, "A whole queue".
        let (futures, reservations) = match waiting {
            0..=300 => (settings.futures, usize::MAX),
            301..=1_000 => (settings.futures / 2, 100),
            1_001..=3_000 => (settings.futures / 3, 30),
            3_001..=12_000 => (settings.futures_least, 8),
            _ => (settings.futures_least, 1),
        };
        Self { futures: futures.max(settings.futures_least), reservations }
    }
}

/// What playing a queue of this length costs, in units of some 150 ns of one core.
pub fn work_of(waiting: usize, settings: &ForecastingSettings) -> u64 {
    /// What a job costs beside the times that are reserved. Fits the table "A whole queue" of `benchmarks/README.md`.
    const PASSES: usize = 150;
    let effort = Effort::of(waiting, settings);
    effort.futures * (waiting * (effort.reservations.min(waiting) + PASSES)) as u64
}
