//! Whether promised starts were kept: the price of planning with predictions that may be too short.

use queuecast_workload::{Seconds, Time};
use serde::Serialize;

/// Sums over jobs that were promised a start.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReservationSums {
    promised: u64,
    violated: u64,
    delay: f64,
    delay_max: Seconds,
}

/// How reservations were kept. The promised start is the one a job was given when it first held a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReservationSummary {
    /// Jobs that were promised a start.
    pub promised: u64,
    /// Those that started later than promised.
    pub violated: u64,
    /// Their share of those promised one.
    pub violated_share: f64,
    /// How much later they started, on average, in seconds.
    pub delay_mean: f64,
    /// The longest such delay in seconds.
    pub delay_max: f64,
}

impl ReservationSums {
    pub fn add(&mut self, promised: Option<Time>, started: Time) {
        let Some(promised) = promised else { return };
        self.promised += 1;
        let delay = started - promised;
        if delay > Seconds::ZERO {
            self.violated += 1;
            self.delay += delay.as_f64();
            self.delay_max = self.delay_max.max(delay);
        }
    }

    pub fn summary(&self) -> ReservationSummary {
        ReservationSummary {
            promised: self.promised,
            violated: self.violated,
            violated_share: self.violated as f64 / (self.promised as f64).max(1.0),
            delay_mean: self.delay / (self.violated as f64).max(1.0),
            delay_max: self.delay_max.as_f64(),
        }
    }
}
