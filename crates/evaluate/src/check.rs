//! Wait by wait against a stored schedule.

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::Seconds;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Compares the waits of a simulation with those of a schedule, job number by job number.
#[derive(Clone, Debug, Default)]
pub struct ScheduleCheck {
    expected: FxHashMap<i64, Seconds>,
    identical: u64,
    /// The difference met first, for a person to start from.
    first_difference: Option<WaitDifference>,
    unexpected: u64,
}

/// A job that waited otherwise than expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WaitDifference {
    /// The job's number in the log.
    pub number: i64,
    /// Seconds expected.
    pub expected: Seconds,
    /// Seconds simulated.
    pub simulated: Seconds,
}

impl ScheduleCheck {
    /// Expects this wait of the job with this number.
    pub fn expect(&mut self, number: i64, wait: Seconds) {
        self.expected.insert(number, wait);
    }

    /// Waits that were as expected.
    pub fn identical(&self) -> u64 {
        self.identical
    }

    /// Jobs compared: those expected and those simulated without being expected.
    pub fn total(&self) -> u64 {
        self.expected.len() as u64 + self.unexpected
    }

    /// The first job, in order of ends, that waited otherwise.
    pub fn first_difference(&self) -> Option<WaitDifference> {
        self.first_difference
    }
}

impl Observer for ScheduleCheck {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        match self.expected.get(&job.number) {
            Some(expected) if *expected == job.wait() => self.identical += 1,
            Some(expected) => {
                self.first_difference.get_or_insert(WaitDifference {
                    number: job.number,
                    expected: *expected,
                    simulated: job.wait(),
                });
            }
            None => self.unexpected += 1,
        }
    }
}
