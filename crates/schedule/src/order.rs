//! In which order jobs are looked at: for the queue (who holds the reservation) and for backfilling (who may use
//! the holes), chosen apart.
//!
//! F1 to F4 are the regressed functions of Carastan-Santos and de Camargo (SC'17), smallest first, with the planned
//! run time r, processors n and submission time s. They depend on the absolute s, so they need a trace whose clock
//! starts near zero. WFP3 is (wait / r)^3 n, largest first; it is the only order that changes as time passes.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::{Time, UnknownName};

use crate::PlannedJob;

/// An order of waiting jobs; ties go to the earlier arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// First come, first served.
    Arrival,
    /// Shortest planned run time first.
    Shortest,
    /// Smallest planned area (processors times run time) first.
    SmallestArea,
    /// log10(r) n + 870 log10(s)
    F1,
    /// sqrt(r) n + 25600 log10(s)
    F2,
    /// r n + 6.86e6 log10(s)
    F3,
    /// r sqrt(n) + 5.3e5 log10(s)
    F4,
    /// (wait / r)^3 n, largest first.
    Wfp3,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 8] =
        [Self::Arrival, Self::Shortest, Self::SmallestArea, Self::F1, Self::F2, Self::F3, Self::F4, Self::Wfp3];

    /// Whether a job's place can change while it waits unplanned anew.
    pub fn changes_with_time(self) -> bool {
        self == Self::Wfp3
    }

    /// The job's rank in this order at `now`: smaller is earlier.
    pub(crate) fn score(self, job: &PlannedJob, now: Time) -> u64 {
        match self {
            Self::Arrival => 0,
            Self::Shortest => job.planned.0.unsigned_abs(),
            Self::SmallestArea => job.planned.0.unsigned_abs().saturating_mul(u64::from(job.request.processors)),
            _ => self.real_score(job, now),
        }
    }

    fn real_score(self, job: &PlannedJob, now: Time) -> u64 {
        let run = job.planned.as_f64().max(1.0);
        let processors = f64::from(job.request.processors);
        let submitted = (job.submitted.0.max(1) as f64).log10();
        match self {
            Self::Arrival | Self::Shortest | Self::SmallestArea => unreachable!("scored in whole numbers"),
            Self::F1 => ascending(run.log10() * processors + 870.0 * submitted),
            Self::F2 => ascending(run.sqrt() * processors + 25_600.0 * submitted),
            Self::F3 => ascending(run * processors + 6.86e6 * submitted),
            Self::F4 => ascending(run * processors.sqrt() + 5.3e5 * submitted),
            Self::Wfp3 => ascending(-((now - job.submitted).as_f64() / run).powi(3) * processors),
        }
    }
}

/// The bits of a real number as an integer of the same order, so that every order compares integers.
fn ascending(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | (1 << 63) } else { !bits }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arrival => "arrival",
            Self::Shortest => "shortest",
            Self::SmallestArea => "smallest-area",
            Self::F1 => "f1",
            Self::F2 => "f2",
            Self::F3 => "f3",
            Self::F4 => "f4",
            Self::Wfp3 => "wfp3",
        })
    }
}

impl FromStr for Order {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|order| order.to_string() == text);
        known.ok_or_else(|| UnknownName::new("order", text, "arrival, shortest, smallest-area, f1, f2, f3, f4, wfp3"))
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Request, Seconds};

    use super::*;
    use crate::JobKey;

    fn job(submitted: i64, processors: u32, planned: i64) -> PlannedJob {
        PlannedJob {
            key: JobKey(0),
            submitted: Time(submitted),
            request: Request { processors },
            planned: Seconds(planned),
        }
    }

    #[test]
    fn real_scores_keep_their_order_as_integers() {
        let values = [f64::NEG_INFINITY, -1e300, -2.5, -1e-9, -0.0, 1e-9, 2.5, 1e300, f64::INFINITY];
        for pair in values.windows(2) {
            assert!(ascending(pair[0]) < ascending(pair[1]), "{pair:?}");
        }
        assert_eq!(ascending(-0.0), ascending(0.0));
    }

    /// Worked by hand from the published formulas at r = 100, n = 4, s = 1000.
    #[test]
    fn published_functions_give_their_published_values() {
        let job = job(1_000, 4, 100);
        let now = Time(1_200);
        assert_eq!(Order::F1.score(&job, now), ascending(2.0 * 4.0 + 870.0 * 3.0));
        assert_eq!(Order::F2.score(&job, now), ascending(10.0 * 4.0 + 25_600.0 * 3.0));
        assert_eq!(Order::F3.score(&job, now), ascending(400.0 + 6.86e6 * 3.0));
        assert_eq!(Order::F4.score(&job, now), ascending(200.0 + 5.3e5 * 3.0));
        assert_eq!(Order::Wfp3.score(&job, now), ascending(-(2.0_f64.powi(3)) * 4.0));
        assert_eq!(Order::SmallestArea.score(&job, now), 400);
    }

    #[test]
    fn wfp3_lets_a_long_wait_overtake() {
        let (long_waiting, newcomer) = (job(0, 1, 100), job(900, 1, 50));
        assert!(Order::Wfp3.score(&long_waiting, Time(1_000)) < Order::Wfp3.score(&newcomer, Time(1_000)));
    }
}
