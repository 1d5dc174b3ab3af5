//! A job as the reference sees it, and the orders in which jobs are looked at, from their published formulas.

use queuecast_schedule::Order;
use queuecast_workload::TracedJob;

/// A job in the system, and in the end what became of it.
pub struct Fate {
    pub traced: TracedJob,
    pub first: i64,
    pub planned: i64,
    pub misses: u32,
    pub reserved: Option<i64>,
    pub promised: Option<i64>,
    pub started: Option<i64>,
}

/// Processors held from one time until before another.
pub type Booking = (i64, i64, u32);

impl Fate {
    pub fn age(&self, now: i64) -> Option<i64> {
        self.started.map(|started| now - started)
    }

    pub fn booking(&self, start: i64) -> Booking {
        (start, start + self.planned, self.traced.submission.request.processors)
    }

    /// Smaller is earlier.
    pub fn rank(&self, order: Order, now: i64) -> f64 {
        let (planned, width) = (self.planned as f64, f64::from(self.traced.submission.request.processors));
        let submitted = self.traced.submission.submitted.0;
        let (waited, submitted) = ((now - submitted) as f64, (submitted.max(1) as f64).log10());
        match order {
            Order::Arrival => 0.0,
            Order::Shortest => planned,
            Order::SmallestArea => planned * width,
            Order::F1 => planned.log10() * width + 870.0 * submitted,
            Order::F2 => planned.sqrt() * width + 25_600.0 * submitted,
            Order::F3 => planned * width + 6.86e6 * submitted,
            Order::F4 => planned * width.sqrt() + 5.3e5 * submitted,
            Order::Wfp3 => -(waited / planned).powi(3) * width,
        }
    }
}
