//! How run times lie below and above what was predicted for them.
//!
//! For: the shape behind a mean accuracy. Users' limits show peaks (jobs that crash at once, jobs killed at the limit)
//! that no mean tells.
//!
//! Not for: the means themselves ([`crate::AccuracySummary`]).

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::Seconds;

/// Bins for run times up to the prediction, each a twentieth of it wide.
pub const ACCURACY_BINS: usize = 20;

/// Counts jobs by the ratio of run time to first prediction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccuracyHistogram {
    /// Jobs whose run time was above `bin` and at most `bin + 1` twentieths of the prediction.
    within: [u64; ACCURACY_BINS],
    over: u64,
}

impl AccuracyHistogram {
    fn add(&mut self, run: Seconds, predicted: Seconds) {
        let bins = ACCURACY_BINS as i64;
        // In integers, so that a run of exactly its prediction is not over it by rounding; a bin holds its upper end.
        let bin = (run.0.max(1).saturating_mul(bins) - 1) / predicted.0.max(1);
        match usize::try_from(bin).ok().and_then(|bin| self.within.get_mut(bin)) {
            Some(count) => *count += 1,
            None => self.over += 1,
        }
    }

    fn jobs(&self) -> u64 {
        self.within.iter().sum::<u64>() + self.over
    }

    /// The share of all jobs in each bin, from run times near zero to those just at the prediction.
    pub fn within(&self) -> [f64; ACCURACY_BINS] {
        self.within.map(|count| count as f64 / (self.jobs() as f64).max(1.0))
    }

    /// The share of all jobs that ran longer than predicted.
    pub fn over(&self) -> f64 {
        self.over as f64 / (self.jobs() as f64).max(1.0)
    }
}

impl Observer for AccuracyHistogram {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.add(job.outcome.run(), job.accuracy.first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_exactly_its_prediction_is_in_the_last_bin_and_not_over_it() {
        let mut histogram = AccuracyHistogram::default();
        for (run, predicted) in [(300, 300), (3, 3), (301, 300), (1, 1_000_000), (50, 1_000), (51, 1_000)] {
            histogram.add(Seconds(run), Seconds(predicted));
        }
        assert_eq!(histogram.within[ACCURACY_BINS - 1], 2);
        assert_eq!(histogram.over, 1);
        assert_eq!(histogram.within[0], 2, "a twentieth belongs to the first bin");
        assert_eq!(histogram.within[1], 1);
    }

    #[test]
    fn shares_add_up_to_one_and_to_nothing_without_jobs() {
        let mut histogram = AccuracyHistogram::default();
        assert!(histogram.over().abs() < f64::EPSILON);
        for run in 1..=130 {
            histogram.add(Seconds(run), Seconds(100));
        }
        assert!((histogram.within().iter().sum::<f64>() + histogram.over() - 1.0).abs() < 1e-12);
        assert!((histogram.over() - 30.0 / 130.0).abs() < 1e-12);
    }
}
