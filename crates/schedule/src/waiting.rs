//! The waiting jobs in one order, indexed so that "the next that could start" is found without a scan.

use queuecast_workload::Seconds;

use crate::JobKey;
use crate::summed_list::{Entry, LongList};

/// A waiting job at its place in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its rank in the order, and below it the arrival that decides ties, in one number because it is compared in
    /// the innermost loop; smaller is earlier.
    pub place: u128,
    pub planned: Seconds,
    pub processors: u32,
    pub key: JobKey,
}

/// The least that any job of a part asks for, in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    pub processors: u32,
    pub planned: Seconds,
}

impl Entry for Waiting {
    type Key = u128;
    type Summary = Least;
    const EMPTY: Least = Least { processors: u32::MAX, planned: Seconds(i64::MAX) };

    fn key(&self) -> u128 {
        self.place
    }
    fn summary(&self) -> Least {
        Least { processors: self.processors, planned: self.planned }
    }
    fn merge(left: Least, right: Least) -> Least {
        Least { processors: left.processors.min(right.processors), planned: left.planned.min(right.planned) }
    }
    fn summary_without(&self, summary: Least) -> Option<Least> {
        (self.processors > summary.processors && self.planned > summary.planned).then_some(summary)
    }
}

/// The place of a job with this rank and this arrival.
pub fn place_of(score: u64, arrival: u64) -> u128 {
    (u128::from(score) << 64) | u128::from(arrival)
}

/// Waiting jobs in one order.
pub type WaitingList = LongList<Waiting>;
