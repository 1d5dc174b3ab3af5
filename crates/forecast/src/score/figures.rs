//! The figures of a score, ready to be shown.
//!
//! Not for: adding them up (`tally`).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::class::WAIT_CLASSES;
use crate::pooled::EXPERTS;

/// How good the forecasts were.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The first forecast of each job.
    pub first: Breakdown,
    /// Every forecast that was kept.
    pub all: Breakdown,
}

/// Figures overall and by group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Breakdown {
    /// Of all together.
    pub overall: Figures,
    /// By partition.
    pub by_partition: BTreeMap<String, Figures>,
    /// By the class of the wait that was left when the forecast was made, shortest first: see [`crate::CLASS_BOUNDS`].
    pub by_wait_left: [Figures; WAIT_CLASSES],
    /// Simple answers that have been nearer than ours for the last month; none unless there is a month to look at.
    pub better_for_a_month: Vec<BetterForAMonth>,
}

/// A simple answer that has been nearer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BetterForAMonth {
    /// Which expert, or `plan` for the manager's own.
    pub name: &'static str,
    /// Forecasts of which both said something.
    pub forecasts: u64,
    /// Users they were of, counted up to [`super::USERS_COUNTED`].
    pub users: u64,
    /// The median of its absolute errors, within 2 %.
    pub median_seconds: f64,
    /// Of ours, at the same moments.
    pub our_median_seconds: f64,
}

/// The figures of one group. `None` where there is nothing to take them from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Forecasts.
    pub forecasts: u64,
    /// Jobs they were of.
    pub jobs: u64,
    /// Users whose jobs these were, counted up to [`super::USERS_COUNTED`]: of all of them; of those forecasts that were not their
    /// job's first; of those for which Slurm had a plan, or had none; of those of which experts are known, or are not; whichever are fewest. No figure
    /// here, and no difference of two, is of fewer users than that.
    pub users: u64,
    /// How often the ranges held.
    pub coverage: Option<Coverage>,
    /// Mean width of the 80 % range.
    pub mean_width_seconds: Option<f64>,
    /// Median width of the 80 % range, of the last 100,000.
    pub median_width_seconds: Option<f64>,
    /// How far the median was from the start.
    pub errors: Option<Errors>,
    /// Slurm's own estimate at the same moments.
    pub slurm: SlurmFigures,
    /// The experts by themselves, at the moments at which they are known.
    pub experts: Option<ExpertFigures>,
}

/// What the experts were worth by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExpertFigures {
    /// Forecasts of which they are known.
    pub forecasts: u64,
    /// Ours, of those forecasts.
    pub ours: RoughErrors,
    /// Theirs, in the order of [`EXPERTS`].
    pub each: [RoughErrors; EXPERTS.len()],
}

/// How far an answer was from the start, kept in little room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RoughErrors {
    /// The median of the absolute errors, within 2 %.
    pub median_seconds: f64,
    /// Their mean.
    pub mean_seconds: f64,
}

/// How often each range held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// The 50 % range.
    pub range50: Covered,
    /// The 80 % range.
    pub range80: Covered,
    /// The 90 % range.
    pub range90: Covered,
    /// The 95 % range.
    pub range95: Covered,
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Covered {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The interval's low end.
    pub low: f64,
    /// Its high end.
    pub high: f64,
}

/// How far an estimate was from the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// The median of the absolute errors, of the last 100,000.
    pub median_seconds: f64,
    /// Their mean.
    pub mean_seconds: f64,
    /// The share of those that are at most ten minutes.
    pub within_ten_minutes: f64,
}

/// Slurm's own estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SlurmFigures {
    /// Forecasts at whose moment it said something.
    pub estimates: u64,
    /// The share at whose moment it said nothing.
    pub share_blank: Option<f64>,
    /// The share of its estimates that were after the real start.
    pub share_too_late: Option<f64>,
    /// Its errors.
    pub errors: Option<Errors>,
    /// Ours, at those same moments.
    pub our_errors: Option<Errors>,
}

impl Covered {
    /// So many of so many. The interval is Wilson's, with 95 %.
    ///
    /// Source: Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    pub fn of(hits: u64, count: u64) -> Option<Self> {
        /// The normal distribution's quantile at 97.5 %.
        const Z: f64 = 1.959_963_984_540_054;
        if count == 0 {
            return None;
        }
        let (count, share) = (count as f64, hits as f64 / count as f64);
        let denominator = 1.0 + Z * Z / count;
        let centre = (share + Z * Z / (2.0 * count)) / denominator;
        let half = Z / denominator * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
        // Rounding may leave the ends of a share of 0 or 1 a hair outside.
        Some(Self { share, low: (centre - half).clamp(0.0, share), high: (centre + half).clamp(share, 1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // By hand: n = 10, 8 hits: centre (0.8 + 0.192073) / 1.384146, half 1.416009 * sqrt(0.016 + 0.009604).
        let covered = Covered::of(8, 10).expect("ten");
        assert!((covered.low - 0.4902).abs() < 1e-4, "{covered:?}");
        assert!((covered.high - 0.9433).abs() < 1e-4, "{covered:?}");
        assert_eq!(Covered::of(0, 0), None);
    }

    #[test]
    fn the_interval_of_never_and_always_keeps_to_its_ends() {
        let never = Covered::of(0, 20).expect("twenty");
        let always = Covered::of(20, 20).expect("twenty");
        assert!(never.low.abs() < 1e-12 && (0.1..0.2).contains(&never.high), "{never:?}");
        assert!((always.high - 1.0).abs() < 1e-12 && (0.8..0.9).contains(&always.low), "{always:?}");
    }
}
