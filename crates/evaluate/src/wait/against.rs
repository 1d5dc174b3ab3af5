//! One method held against another on the same jobs, week by week.
//!
//! For: whether a forecaster is better than a simple answer, and how sure that is. Weeks are drawn for both together, since a hard week is hard for both.

use queuecast_forecast::{DurationCounts, median_of_all};
use serde::Serialize;

use super::resampling::{draws, middle};
use super::summary::Interval;

/// Which weeks of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// All that are scored.
    Whole,
    /// So many at the end.
    Last(i64),
}

/// How one compares with the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Against {
    /// Its CRPS over the other's.
    pub crps_ratio: Compared,
    /// How much larger its median error is, in seconds.
    pub median_error_difference_seconds: Compared,
}

/// A comparison and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// What came out.
    pub value: f64,
    /// Its interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// Sums of one week: of the one, and of the other.
#[derive(Clone, Debug)]
pub struct WeekOfBoth {
    pub crps_seconds: [f64; 2],
    pub errors: [DurationCounts; 2],
}

impl Against {
    /// From the weeks of both.
    pub fn of(weeks: &[WeekOfBoth], seed: u64) -> Self {
        let difference = |chosen: &[usize]| {
            let of = |side: usize| median_of_all(chosen.iter().map(|week| &weeks[*week].errors[side]));
            of(0) - of(1)
        };
        Self {
            crps_ratio: ratio_by_weeks(&weeks.iter().map(|week| week.crps_seconds).collect::<Vec<_>>(), seed),
            median_error_difference_seconds: compared(weeks.len(), seed, difference),
        }
    }
}

/// One sum over the other, with an interval from drawing weeks for both together.
pub fn ratio_by_weeks(weeks: &[[f64; 2]], seed: u64) -> Compared {
    compared(weeks.len(), seed, |chosen| {
        let sum = |side: usize| chosen.iter().map(|week| weeks[*week][side]).sum::<f64>();
        sum(0) / sum(1)
    })
}

fn compared(weeks: usize, seed: u64, figure: impl Fn(&[usize]) -> f64) -> Compared {
    let mut values = Vec::new();
    draws(weeks, seed, |drawn| values.push(figure(drawn)));
    Compared { value: figure(&(0..weeks).collect::<Vec<_>>()), interval: middle(values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn week(crps_seconds: [f64; 2], errors: [f64; 2]) -> WeekOfBoth {
        let errors = errors.map(|error| {
            let mut counts = DurationCounts::default();
            counts.add(error);
            counts
        });
        WeekOfBoth { crps_seconds, errors }
    }

    /// Weeks differ by a hundred times, and the one is half of the other in each.
    #[test]
    fn what_is_hard_for_both_says_nothing_of_either() {
        let weeks: Vec<_> = (1..=20)
            .map(|number| f64::from(number).powi(2))
            .map(|hard| week([hard, 2.0 * hard], [100.0, 400.0]))
            .collect();
        let Against { crps_ratio, median_error_difference_seconds } = Against::of(&weeks, 1);
        assert!((crps_ratio.value - 0.5).abs() < 1e-9);
        assert!((crps_ratio.interval.high95 - crps_ratio.interval.low95).abs() < 1e-9);
        assert!((median_error_difference_seconds.value + 300.0).abs() < 10.0);
    }

    #[test]
    fn who_is_better_in_half_of_the_weeks_is_not_better() {
        let weeks: Vec<_> =
            (0..20).map(|number| week(if number % 2 == 0 { [1.0, 2.0] } else { [2.0, 1.0] }, [0.0, 0.0])).collect();
        let ratio = Against::of(&weeks, 1).crps_ratio;
        assert!((ratio.value - 1.0).abs() < 1e-9 && ratio.interval.low95 < 0.9 && ratio.interval.high95 > 1.1);
    }
}
