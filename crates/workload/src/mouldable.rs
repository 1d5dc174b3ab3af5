//! A job that can run on any number of processors: how long it takes on each (Downey, R-D1).
//!
//! For: the speedup model, and what a mouldable job is.
//!
//! Not for: choosing the number of processors; making up such jobs ([`crate::generate::downey`]).

use crate::{Time, TracedJob};

/// How much faster a job runs on several processors than on one: Downey's family of curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    average_parallelism: f64,
    variance: f64,
}

impl Speedup {
    /// From the average parallelism (at least 1) and the variance in parallelism, Downey's sigma (at least 0), which is
    /// about the square of its coefficient of variation. What lies below counts as the least.
    pub fn new(average_parallelism: f64, variance: f64) -> Self {
        Self { average_parallelism: average_parallelism.max(1.0), variance: variance.max(0.0) }
    }

    /// The average parallelism: no more processors than this are worth having, and no speedup exceeds it.
    pub fn average_parallelism(&self) -> f64 {
        self.average_parallelism
    }

    /// On `processors`, of which there may be a fraction; below one counts as one.
    pub fn on(&self, processors: f64) -> f64 {
        let (parallelism, sigma, n) = (self.average_parallelism, self.variance, processors.max(1.0));
        if sigma <= 1.0 {
            if n <= parallelism {
                parallelism * n / (parallelism + sigma * (n - 1.0) / 2.0)
            } else if n <= 2.0 * parallelism - 1.0 {
                parallelism * n / (sigma * (parallelism - 0.5) + n * (1.0 - sigma / 2.0))
            } else {
                parallelism
            }
        } else {
            let widest = parallelism + parallelism * sigma - sigma;
            if n <= widest { n * parallelism * (sigma + 1.0) / (widest + n * sigma) } else { parallelism }
        }
    }
}

/// A job that can run on any number of processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouldableJob {
    /// When it was submitted.
    pub submitted: Time,
    /// How long it would take on one processor.
    pub sequential_seconds: f64,
    /// How much faster it is on more.
    pub speedup: Speedup,
}

impl MouldableJob {
    /// A rigid job of a log, as if it could run on other numbers of processors. What it asked for is taken to be its average
    /// parallelism, as Downey takes the cluster sizes of a log to be; the variance in parallelism no log knows.
    pub fn from_traced(job: &TracedJob, variance: f64) -> Self {
        let asked = f64::from(job.submission.request.processors);
        let speedup = Speedup::new(asked, variance);
        let sequential_seconds = job.recorded.run.as_f64().max(1.0) * speedup.on(asked);
        Self { submitted: job.submission.submitted, sequential_seconds, speedup }
    }

    /// When it was submitted, as a number.
    pub fn submitted_seconds(&self) -> f64 {
        (self.submitted - Time(0)).as_f64()
    }

    /// The most processors it should take on a machine with so many: its average parallelism, rounded up.
    ///
    /// The paper says no more than that, and it is seldom whole; rounded up, the shares and durations it reports come out,
    /// rounded down they do not.
    pub fn widest(&self, processors: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least one, cut to the machine")]
        let parallelism = self.speedup.average_parallelism().ceil() as u32;
        parallelism.clamp(1, processors.max(1))
    }

    /// How long it takes on so many processors.
    pub fn run_seconds(&self, processors: u32) -> f64 {
        self.sequential_seconds / self.speedup.on(f64::from(processors))
    }

    /// What part of `processors` does work: the speedup a processor.
    pub fn efficiency(&self, processors: u32) -> f64 {
        self.speedup.on(f64::from(processors)) / f64::from(processors.max(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_close(one: f64, other: f64) {
        assert!((one - other).abs() <= 1e-9 * other.abs().max(1.0), "{one} and {other}");
    }

    #[test]
    fn without_variance_speedup_is_linear_up_to_the_parallelism() {
        let speedup = Speedup::new(64.0, 0.0);
        for (processors, expected) in [(1.0, 1.0), (17.0, 17.0), (64.0, 64.0), (100.0, 64.0), (500.0, 64.0)] {
            assert_close(speedup.on(processors), expected);
        }
    }

    proptest! {
        #[test]
        fn one_processor_is_no_faster_than_one(parallelism in 1.0..500.0, variance in 0.0..5.0) {
            assert_close(Speedup::new(parallelism, variance).on(1.0), 1.0);
        }

        #[test]
        fn the_curve_has_no_jumps(parallelism in 1.0..500.0, variance in 0.0..5.0) {
            let speedup = Speedup::new(parallelism, variance);
            let widest = parallelism + parallelism * variance - variance;
            for knot in [parallelism, 2.0 * parallelism - 1.0, widest] {
                let gap = (speedup.on(knot * (1.0 - 1e-9)) - speedup.on(knot * (1.0 + 1e-9))).abs();
                prop_assert!(gap < 1e-5 * parallelism, "{gap} at {knot}");
            }
        }

        /// The low-variance curve holds up to one and the high-variance curve beyond it.
        #[test]
        fn both_families_agree_at_a_variance_of_one(parallelism in 1.0..500.0, processors in 1.0..2_000.0) {
            let (low, high) = (Speedup::new(parallelism, 1.0), Speedup::new(parallelism, 1.0 + 1e-12));
            assert_close(low.on(processors), high.on(processors));
        }

        #[test]
        fn endless_variance_gives_the_least_speedup_possible(parallelism in 1.0..500.0, processors in 1.0..500.0) {
            let least = parallelism * processors / (parallelism + processors - 1.0);
            let curve = Speedup::new(parallelism, 1e12).on(processors);
            prop_assert!((curve - least).abs() < 1e-6 * least, "{curve} and {least}");
        }

        #[test]
        fn more_processors_never_hurt_and_more_variance_never_helps(
            parallelism in 1.0..500.0,
            variance in 0.0..5.0,
            processors in 1.0..500.0,
        ) {
            let speedup = Speedup::new(parallelism, variance);
            prop_assert!(speedup.on(processors * 1.01) >= speedup.on(processors) - 1e-9);
            prop_assert!(Speedup::new(parallelism, variance + 0.1).on(processors) <= speedup.on(processors) + 1e-9);
            prop_assert!(speedup.on(processors) <= processors.min(parallelism) + 1e-9);
        }
    }
}
