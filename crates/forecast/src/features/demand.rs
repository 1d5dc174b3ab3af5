//! What a job will take, as far as its user says: the three values by which jobs are compared (R-K2).

use queuecast_workload::{Seconds, Time};

/// Processors, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Demand {
    /// The paper's request size.
    pub(crate) processors: u32,
    /// The paper's estimated run time; never below zero.
    pub(crate) estimate: Seconds,
}

impl Demand {
    /// The paper's cpu time. Wide enough for the longest limit on the most processors.
    pub(crate) fn processor_seconds(self) -> i128 {
        i128::from(self.estimate.0) * i128::from(self.processors)
    }

    /// When a job that started then has outlived its estimate.
    pub(crate) fn lapses(self, started: Time) -> Time {
        Time(started.0.saturating_add(self.estimate.0))
    }
}
