//! How often each value occurs, and from that exact quantiles.
//!
//! Times in logs are whole seconds and mostly round, so that the distinct ones are few however long the log.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// A distribution in a few numbers. A quantile is a value that occurs: the smallest with at least that share of all
/// at or below it (nearest rank).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Values in all.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The median.
    pub p50: i64,
    /// The 90th percentile.
    pub p90: i64,
    /// The 95th percentile.
    pub p95: i64,
    /// The 99th percentile.
    pub p99: i64,
    /// The largest.
    pub max: i64,
}

/// Counts of values.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: FxHashMap<i64, u64>,
}

impl Tally {
    pub(super) fn add(&mut self, value: i64) {
        *self.counts.entry(value).or_default() += 1;
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    pub(super) fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Values and their counts, the most frequent first; among equals the smallest, so that two runs agree.
    pub(super) fn by_popularity(&self) -> Vec<(i64, u64)> {
        let mut values: Vec<(i64, u64)> = self.counts.iter().map(|(&value, &count)| (value, count)).collect();
        values.sort_unstable_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
        values
    }

    pub(super) fn distribution(&self) -> Option<Distribution> {
        let mut values: Vec<(i64, u64)> = self.counts.iter().map(|(&value, &count)| (value, count)).collect();
        values.sort_unstable();
        let &(max, _) = values.last()?;
        let count = self.count();
        let sum: i128 = values.iter().map(|&(value, count)| i128::from(value) * i128::from(count)).sum();
        let percentile = |percent: u64| {
            let rank = (count * percent).div_ceil(100);
            let mut below = 0;
            let reaches = |&&(_, count): &&(i64, u64)| {
                below += count;
                below >= rank
            };
            values.iter().find(reaches).map_or(max, |&(value, _)| value)
        };
        Some(Distribution {
            count,
            mean: sum as f64 / count as f64,
            p50: percentile(50),
            p90: percentile(90),
            p95: percentile(95),
            p99: percentile(99),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn quantiles_are_those_of_the_sorted_values(mut values in proptest::collection::vec(0..40_i64, 1..300)) {
            let mut tally = Tally::default();
            for &value in &values {
                tally.add(value);
            }
            values.sort_unstable();
            let ranked = |percent: usize| values[(values.len() * percent).div_ceil(100) - 1];

            let found = tally.distribution().expect("there are values");
            prop_assert_eq!(found.count, values.len() as u64);
            prop_assert_eq!([found.p50, found.p90, found.p95, found.p99], [50, 90, 95, 99].map(ranked));
            prop_assert_eq!(Some(&found.max), values.last());
            let mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
            prop_assert!((found.mean - mean).abs() < 1e-9);
        }
    }

    #[test]
    fn no_values_have_no_distribution() {
        assert_eq!(Tally::default().distribution(), None);
    }
}
