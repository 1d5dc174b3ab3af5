//! A distribution of waits: values with weights, which is what neighbours, histories and sampled futures give.

use crate::class::{WAIT_CLASSES, WaitClass, WaitClassProbabilities};

/// Waits, each with its share; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitDistribution {
    /// In seconds, from the shortest.
    seconds: Vec<f64>,
    /// The share at or below each; the last is one.
    cumulative: Vec<f64>,
}

impl WaitDistribution {
    /// From values with weights, in any order. Values and weights that are no numbers or below zero are left out; with
    /// nothing left, or no weight, it is certain that nobody waits.
    pub fn weighted(values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let sound = |(seconds, weight): &(f64, f64)| {
            seconds.is_finite() && *seconds >= 0.0 && weight.is_finite() && *weight > 0.0
        };
        let mut values: Vec<(f64, f64)> = values.into_iter().filter(sound).collect();
        if values.is_empty() {
            values.push((0.0, 1.0));
        }
        values.sort_by(|one, other| one.0.total_cmp(&other.0));
        let total: f64 = values.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = values
            .iter()
            .map(|(_, weight)| {
                sum += weight / total;
                sum
            })
            .collect();
        if let Some(last) = cumulative.last_mut() {
            *last = 1.0;
        }
        Self { seconds: values.into_iter().map(|(seconds, _)| seconds).collect(), cumulative }
    }

    /// From values that all count alike.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        Self::weighted(values.into_iter().map(|seconds| (seconds, 1.0)))
    }

    /// The values, from the shortest, with the share at or below each.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.seconds.iter().copied().zip(self.cumulative.iter().copied())
    }

    /// The least value at or below which this share lies.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = self.cumulative.partition_point(|sum| *sum < share - 1e-12);
        self.seconds[place.min(self.seconds.len() - 1)]
    }

    /// The share at or below a value.
    pub fn share_within(&self, seconds: f64) -> f64 {
        let below = self.seconds.partition_point(|value| *value <= seconds);
        below.checked_sub(1).map_or(0.0, |place| self.cumulative[place])
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        let mut before = 0.0;
        let mut sum = 0.0;
        for (seconds, cumulative) in self.points() {
            sum += seconds * (cumulative - before);
            before = cumulative;
        }
        sum
    }

    /// The continuous ranked probability score of what came: the distance of the whole distribution from it, in seconds. For
    /// a certain value it is the absolute error.
    pub fn crps(&self, actual_seconds: f64) -> f64 {
        let mut score = 0.0;
        let (mut from, mut share) = (0.0_f64.min(actual_seconds), 0.0);
        // The squared distance between the distribution and the step at the actual value, over time.
        let mut add = |from: f64, to: f64, share: f64| {
            let below = (to.min(actual_seconds) - from).max(0.0);
            let above = (to - from.max(actual_seconds)).max(0.0);
            score += share * share * below + (1.0 - share) * (1.0 - share) * above;
        };
        for (seconds, cumulative) in self.points() {
            add(from, seconds, share);
            (from, share) = (seconds, cumulative);
        }
        add(from, from.max(actual_seconds), share);
        score
    }

    /// The shares below a value, and at or below it: between them lies where the value came in the distribution.
    pub fn place_of(&self, seconds: f64) -> (f64, f64) {
        let below = self.seconds.partition_point(|value| *value < seconds);
        (below.checked_sub(1).map_or(0.0, |place| self.cumulative[place]), self.share_within(seconds))
    }

    /// The share in each class.
    pub fn classes(&self) -> WaitClassProbabilities {
        let mut classes = [0.0; WAIT_CLASSES];
        let mut before = 0.0;
        for (seconds, cumulative) in self.points() {
            classes[WaitClass::of(seconds).index()] += cumulative - before;
            before = cumulative;
        }
        classes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn weights_decide_quantiles() {
        let waits = WaitDistribution::weighted([(100.0, 1.0), (0.0, 2.0), (4_000.0, 1.0)]);
        let shares = [0.1, 0.5, 0.51, 0.75, 0.76, 1.0];
        for (share, seconds) in shares.into_iter().zip([0.0, 0.0, 100.0, 100.0, 4_000.0, 4_000.0]) {
            assert!((waits.quantile(share) - seconds).abs() < 1e-9, "{share}");
        }
        assert!((waits.mean() - 1_025.0).abs() < 1e-9);
        assert!((waits.classes()[0] - 0.75).abs() < 1e-12 && (waits.classes()[1] - 0.25).abs() < 1e-12);
        assert!((waits.share_within(99.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_score_of_a_certain_value_is_its_error() {
        for (said, came) in [(100.0, 400.0), (400.0, 100.0), (0.0, 0.0), (7.0, 7.0)] {
            assert!((WaitDistribution::of([said]).crps(came) - f64::abs(said - came)).abs() < 1e-9, "{said} {came}");
        }
    }

    #[test]
    fn nothing_known_is_no_wait() {
        let nothing = WaitDistribution::weighted([(f64::NAN, 1.0), (5.0, 0.0), (-1.0, 1.0)]);
        assert!(nothing.quantile(0.95).abs() < f64::EPSILON);
    }

    proptest! {
        #[test]
        fn quantiles_rise_and_shares_sum_to_one(values in proptest::collection::vec((0.0..200_000.0_f64, 0.0..3.0_f64), 0..50)) {
            let waits = WaitDistribution::weighted(values);
            let quantiles: Vec<f64> = (0..=20).map(|step| waits.quantile(f64::from(step) / 20.0)).collect();
            prop_assert!(quantiles.is_sorted());
            prop_assert!((waits.classes().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }

        /// The other formula: the mean distance from what came, less half the mean distance of two draws.
        #[test]
        fn the_score_is_that_of_the_definition(
            values in proptest::collection::vec((0.0..1_000.0_f64, 0.1..3.0_f64), 1..20),
            actual in 0.0..1_200.0_f64,
        ) {
            let total: f64 = values.iter().map(|(_, weight)| weight).sum();
            let from_actual: f64 = values.iter().map(|(value, weight)| weight / total * (value - actual).abs()).sum();
            let pairs = values.iter().flat_map(|one| values.iter().map(move |other| (one, other)));
            let apart: f64 =
                pairs.map(|(one, other)| one.1 / total * other.1 / total * (one.0 - other.0).abs()).sum();
            let score = WaitDistribution::weighted(values).crps(actual);
            prop_assert!((score - (from_actual - apart / 2.0)).abs() < 1e-6, "{score}");
        }
    }
}
