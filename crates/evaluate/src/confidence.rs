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

    /// Replicate by replicate, how much more this is than `other`, which must have the same replicates: for
    /// figures of two configurations shaken with the same seed.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        assert_eq!(self.0.len(), other.0.len(), "only equal numbers of replicates can be paired");
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one - other).collect())
    }
}

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

/// The improvement of Talby et al.'s tables: the relative change on each log, averaged over logs. Each pair is a
/// log's baseline and the figure compared with it.
pub fn mean_improvement(pairs: &[(f64, f64)], direction: Direction) -> f64 {
    let changes = pairs.iter().map(|(baseline, figure)| match direction {
        Direction::LessIsBetter => (baseline - figure) / baseline,
        Direction::MoreIsBetter => (figure - baseline) / baseline,
    });
    changes.sum::<f64>() / (pairs.len() as f64).max(1.0)
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
    fn pairing_removes_what_both_share() {
        let one: Replicates = [10.0, 20.0, 30.0].into_iter().collect();
        let other: Replicates = [9.0, 19.0, 29.0].into_iter().collect();
        let difference = one.minus(&other).spread();
        assert!((difference.mean - 1.0).abs() < 1e-12 && difference.sd.abs() < 1e-12);
    }

    /// R-MET-4: relative accuracies of 32, 39, 47 and 30 %, as printed, make the perfect predictor's +176 % up to
    /// their rounding.
    #[test]
    fn improvement_is_the_mean_of_relative_changes() {
        let perfect = [0.32, 0.39, 0.47, 0.30].map(|estimate| (estimate, 1.0));
        let improvement = mean_improvement(&perfect, Direction::MoreIsBetter);
        assert!((improvement - 1.76).abs() < 0.04, "{improvement}");
        assert!((mean_improvement(&[(100.0, 50.0), (10.0, 10.0)], Direction::LessIsBetter) - 0.25).abs() < 1e-12);
    }
}
