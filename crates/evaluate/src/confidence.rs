//! How sure a figure is: replicates, their spread, and what an improvement over several logs means (R-MET-4).

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The same figure from several replicates of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replicates(Vec<f64>);

/// Where a figure lies over its replicates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Mean over replicates.
    pub mean: f64,
    /// Standard deviation of one replicate.
    pub sd: f64,
    /// Lower end of the 95 % confidence interval of the mean (Student's t).
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
}

impl Replicates {
    /// The figure in each replicate.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The spread; with a single replicate nothing is known of it and the interval is unbounded.
    pub fn spread(&self) -> Spread {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count.max(1.0);
        if self.0.len() < 2 {
            return Spread { mean, sd: f64::NAN, low95: f64::NEG_INFINITY, high95: f64::INFINITY };
        }
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (squares / (count - 1.0)).sqrt();
        let student = StudentsT::new(0.0, 1.0, count - 1.0).expect("at least one degree of freedom");
        let half_width = student.inverse_cdf(0.975) * sd / count.sqrt();
        Spread { mean, sd, low95: mean - half_width, high95: mean + half_width }
    }

    /// The mean distance of a replicate from the mean of all.
    pub fn mean_absolute_deviation(&self) -> f64 {
        let count = (self.0.len() as f64).max(1.0);
        let mean = self.0.iter().sum::<f64>() / count;
        self.0.iter().map(|value| (value - mean).abs()).sum::<f64>() / count
    }

    /// Replicate by replicate, how much more this is than `other`, which must have the same replicates: for
    /// figures of two configurations shaken with the same seed.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        assert_eq!(self.0.len(), other.0.len(), "only equal numbers of replicates can be paired");
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one - other).collect())
    }

    /// Replicate by replicate, the change from `baseline`, which must have the same replicates, in per cent of it.
    /// From nothing to nothing is no change; from nothing to something has no percentage and is not a number.
    #[must_use]
    pub fn percent_over(&self, baseline: &Self) -> Self {
        let differences = self.beyond_rounding(baseline);
        let in_percent = differences.zip(&baseline.0).map(|(difference, baseline)| match difference {
            Some(difference) if baseline.abs() > 0.0 => 100.0 * difference / baseline.abs(),
            Some(_) => f64::NAN,
            None => 0.0,
        });
        Self(in_percent.collect())
    }

    /// The share of replicates in which this is better than `baseline`, which must have the same replicates. As good
    /// is not better.
    pub fn win_rate(&self, baseline: &Self, direction: Direction) -> f64 {
        let wins = self.beyond_rounding(baseline).flatten().filter(|difference| match direction {
            Direction::LessIsBetter => *difference < 0.0,
            Direction::MoreIsBetter => *difference > 0.0,
        });
        wins.count() as f64 / (self.0.len() as f64).max(1.0)
    }

    /// The differences from `other`, and `None` where both are the same number but for rounding: two schedules end
    /// their jobs in different orders, and sums in different orders differ in their last digits.
    fn beyond_rounding(&self, other: &Self) -> impl Iterator<Item = Option<f64>> {
        let size = self.0.iter().zip(&other.0).map(|(one, other)| one.abs().max(other.abs()));
        let differences = self.minus(other).0.into_iter().zip(size);
        differences.map(|(difference, size)| (difference.abs() > ROUNDING * size).then_some(difference))
    }
}

impl Replicates {
    /// Replicate by replicate, how much better this is than `baseline`, in per cent of it (R-MET-4).
    #[must_use]
    pub fn improvement_over(&self, baseline: &Self, direction: Direction) -> Self {
        let sign = match direction {
            Direction::LessIsBetter => -1.0,
            Direction::MoreIsBetter => 1.0,
        };
        self.percent_over(baseline).0.into_iter().map(|percent| sign * percent).collect()
    }

    /// Between what 95 % of the replicates lie, where each is a workload of its own and not a repetition.
    pub fn middle95(&self) -> Option<(f64, f64)> {
        let mut values: Vec<f64> = self.0.iter().copied().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let at = |per_mille: usize| values.get(values.len() * per_mille / 1_000).copied();
        at(25).zip(at(975))
    }

    /// Replicate by replicate, the mean over several logs: the improvement of Talby et al.'s tables, when each is a
    /// relative change.
    #[must_use]
    pub fn mean_of(each: &[Self]) -> Self {
        let count = each.iter().map(|one| one.0.len()).min().unwrap_or(0);
        (0..count).map(|index| each.iter().map(|one| one.0[index]).sum::<f64>() / each.len() as f64).collect()
    }
}

/// Numbers closer than this, relative to their size, are the same: far above what adding up millions of jobs rounds
/// away and far below any difference that means something.
const ROUNDING: f64 = 1e-10;

impl FromIterator<f64> for Replicates {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

/// Whether less or more of a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Waits, slowdowns, errors.
    LessIsBetter,
    /// Accuracies.
    MoreIsBetter,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: mean 3, sd sqrt(2.5), t(4, 0.975) = 2.776445, half width 2.776445 * 1.581139 / sqrt(5).
    #[test]
    fn the_interval_is_students() {
        let spread: Spread = [1.0, 2.0, 3.0, 4.0, 5.0].into_iter().collect::<Replicates>().spread();
        assert!((spread.mean - 3.0).abs() < 1e-12);
        assert!((spread.sd - 1.581_138_8).abs() < 1e-6);
        assert!((spread.high95 - (3.0 + 1.963_243)).abs() < 1e-5, "{}", spread.high95);
        assert!((spread.low95 - (3.0 - 1.963_243)).abs() < 1e-5);
    }

    #[test]
    fn a_mean_absolute_deviation_does_not_square() {
        let replicates: Replicates = [1.0, 1.0, 1.0, 5.0].into_iter().collect();
        assert!((replicates.mean_absolute_deviation() - 1.5).abs() < 1e-12);
    }

    #[test]
    fn pairing_removes_what_both_share() {
        let one: Replicates = [10.0, 20.0, 30.0].into_iter().collect();
        let other: Replicates = [9.0, 19.0, 29.0].into_iter().collect();
        let difference = one.minus(&other).spread();
        assert!((difference.mean - 1.0).abs() < 1e-12 && difference.sd.abs() < 1e-12);
    }

    #[test]
    fn a_change_is_taken_in_per_cent_of_its_own_replicate() {
        let baseline: Replicates = [100.0, 200.0, 400.0].into_iter().collect();
        let other: Replicates = [90.0, 180.0, 360.0].into_iter().collect();
        let change = other.percent_over(&baseline).spread();
        // Unpaired, replicates that differ fourfold would drown the ten per cent.
        assert!((change.mean + 10.0).abs() < 1e-12 && change.sd.abs() < 1e-12, "{change:?}");
    }

    #[test]
    fn a_change_from_nothing_has_no_percentage() {
        let nothing: Replicates = [0.0, 0.0].into_iter().collect();
        assert!(nothing.percent_over(&nothing).spread().mean.abs() < f64::EPSILON);
        let something: Replicates = [0.0, 1.0].into_iter().collect();
        assert!(something.percent_over(&nothing).spread().mean.is_nan());
    }

    #[test]
    fn what_differs_by_rounding_alone_is_neither_a_change_nor_a_win() {
        let baseline: Replicates = [0.3, 0.6].into_iter().collect();
        let other: Replicates = [0.1 + 0.2, 0.6 - 1e-16].into_iter().collect();
        assert_ne!(other, baseline, "the test tests nothing");
        let change = other.percent_over(&baseline).spread();
        assert_eq!((change.mean, change.low95, change.high95), (0.0, 0.0, 0.0));
        for direction in [Direction::LessIsBetter, Direction::MoreIsBetter] {
            assert!(other.win_rate(&baseline, direction).abs() < f64::EPSILON);
        }
    }

    #[test]
    fn a_win_is_a_replicate_in_which_it_is_better_and_a_tie_is_none() {
        let baseline: Replicates = [10.0, 10.0, 10.0, 10.0].into_iter().collect();
        let other: Replicates = [9.0, 10.0, 11.0, 9.0].into_iter().collect();
        assert!((other.win_rate(&baseline, Direction::LessIsBetter) - 0.5).abs() < 1e-12);
        assert!((other.win_rate(&baseline, Direction::MoreIsBetter) - 0.25).abs() < 1e-12);
        assert!(baseline.win_rate(&baseline, Direction::LessIsBetter).abs() < 1e-12);
    }

    /// R-MET-4: relative accuracies of 32, 39, 47 and 30 %, as printed, make the perfect predictor's +176 % up to
    /// their rounding.
    #[test]
    fn improvement_is_the_mean_of_relative_changes() {
        let one = |value: f64| [value].into_iter().collect::<Replicates>();
        let logs =
            [0.32, 0.39, 0.47, 0.30].map(|estimate| one(1.0).improvement_over(&one(estimate), Direction::MoreIsBetter));
        let improvement = Replicates::mean_of(&logs).spread().mean;
        assert!((improvement - 176.0).abs() < 4.0, "{improvement}");
        let halved = one(50.0).improvement_over(&one(100.0), Direction::LessIsBetter);
        let same = one(10.0).improvement_over(&one(10.0), Direction::LessIsBetter);
        assert!((Replicates::mean_of(&[halved, same]).spread().mean - 25.0).abs() < 1e-12);
    }
}
