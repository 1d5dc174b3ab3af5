//! What jobs add up to: how many there are and how much work they still need, at any time from now on.

use std::iter::Sum;
use std::ops::{AddAssign, Neg};

use queuecast_workload::Time;

use super::demand::Demand;

/// A sum over jobs, or what to add to one. In whole numbers: a job that leaves takes away exactly what it brought.
///
/// The work of a running job shrinks by its processors every second: what is left of it is
/// `processors * (started + estimate) - processors * now`, so that a sum needs no touch as time passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) jobs: i64,
    /// The processors at work, whose work shrinks.
    busy_processors: i64,
    /// The work, reckoned as if the processors at work had been since time zero.
    processor_seconds: i128,
}

impl Tally {
    /// A waiting job; its work is all to do.
    pub(super) fn waiting(demand: Demand) -> Self {
        Self { jobs: 1, busy_processors: 0, processor_seconds: demand.processor_seconds() }
    }

    /// A running job that has outlived its estimate; it counts, but without work.
    pub(super) fn overrun() -> Self {
        Self { jobs: 1, ..Self::default() }
    }

    /// The work of a running job within its estimate, without the job itself.
    pub(super) fn work_of_running(demand: Demand, started: Time) -> Self {
        let processors = i64::from(demand.processors);
        let processor_seconds = demand.processor_seconds() + i128::from(processors) * i128::from(started.0);
        Self { jobs: 0, busy_processors: processors, processor_seconds }
    }

    /// The processor-seconds left.
    pub(super) fn work(self, now: Time) -> i128 {
        self.processor_seconds - i128::from(self.busy_processors) * i128::from(now.0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.jobs += other.jobs;
        self.busy_processors += other.busy_processors;
        self.processor_seconds += other.processor_seconds;
    }
}

impl Neg for Tally {
    type Output = Self;
    fn neg(self) -> Self {
        Self { jobs: -self.jobs, busy_processors: -self.busy_processors, processor_seconds: -self.processor_seconds }
    }
}

impl<'a> Sum<&'a Self> for Tally {
    fn sum<I: Iterator<Item = &'a Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += *tally;
            sum
        })
    }
}
