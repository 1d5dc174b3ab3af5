//! A distribution of run times: whole seconds with weights, made once a job and drawn from many times.
//!
//! For: what a forward simulation and an interval need: quantiles, shares, draws in a few nanoseconds, and the same
//! distribution given that the job has run for a while, without making it again.
//!
//! Not for: where the weights come from ([`super::WeightedHistory`]).

use queuecast_workload::Seconds;

/// How many equal shares the guide to the points is cut into: a draw looks up its share and steps on from there.
const GUIDE_SHARES: usize = 64;

/// The longest run time that is told apart, 136 years.
const LONGEST_SECONDS: i64 = u32::MAX as i64;

/// How far a job may outlive everything that was thought possible, as shares of its age: nothing is known of such a
/// job but that what has lasted long tends to last (about as much again at the median would be Pareto's law; a job
/// beyond its limit is about to be killed, hence the short steps first).
const OVERRUN_SHARES_OF_AGE: [f64; 5] = [0.002, 0.01, 0.05, 0.25, 1.0];

/// Run times from start to end, each with its share; never empty, and all beyond the age it was made for.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeDistribution {
    /// From the shortest, no two the same.
    seconds: Vec<u32>,
    /// The share at or below each; the last is one.
    cumulative: Vec<f64>,
    /// For each of equal shares, the first point whose cumulative share reaches its lower end.
    guide: [u16; GUIDE_SHARES],
}

impl Default for RuntimeDistribution {
    /// Certain to run for one second.
    fn default() -> Self {
        let mut certain = Self { seconds: Vec::new(), cumulative: Vec::new(), guide: [0; GUIDE_SHARES] };
        certain.fill_sorted([(1, 1.0)], Seconds::ZERO);
        certain
    }
}

impl RuntimeDistribution {
    /// From run times with weights, in any order, for a job that has run for `age` seconds. What is not beyond the age,
    /// and weights that are no numbers or not above zero, are left out; with nothing left the job is expected to end
    /// between soon and after as long again.
    pub fn weighted(values: impl IntoIterator<Item = (Seconds, f64)>, age: Seconds) -> Self {
        let mut points: Vec<(u32, f64)> = values
            .into_iter()
            .filter(|(seconds, weight)| *seconds > age && weight.is_finite() && *weight > 0.0)
            .map(|(seconds, weight)| (stored(seconds), weight))
            .collect();
        points.sort_unstable_by_key(|(seconds, _)| *seconds);
        let mut distribution = Self::default();
        distribution.fill_sorted(points, age);
        distribution
    }

    /// Becomes what points give that are in order, beyond the age and of positive weight, keeping its memory; equal run
    /// times are added up.
    pub(super) fn fill_sorted(&mut self, points: impl IntoIterator<Item = (u32, f64)>, age: Seconds) {
        self.seconds.clear();
        self.cumulative.clear();
        let mut sum = 0.0;
        for (seconds, weight) in points {
            sum += weight;
            self.push(seconds, sum);
        }
        if self.seconds.is_empty() {
            for share in OVERRUN_SHARES_OF_AGE {
                let beyond = stored(overrun(age, share));
                sum += 1.0;
                self.push(beyond, sum);
            }
        }
        for cumulative in &mut self.cumulative {
            *cumulative /= sum;
        }
        if let Some(last) = self.cumulative.last_mut() {
            *last = 1.0;
        }
        self.fill_guide();
    }

    fn push(&mut self, seconds: u32, sum: f64) {
        if self.seconds.last() == Some(&seconds) {
            self.cumulative.pop();
        } else {
            self.seconds.push(seconds);
        }
        self.cumulative.push(sum);
    }

    fn fill_guide(&mut self) {
        let mut place = 0;
        for (share, guide) in self.guide.iter_mut().enumerate() {
            let lower_end = share as f64 / GUIDE_SHARES as f64;
            while self.cumulative[place] < lower_end {
                place += 1;
            }
            *guide = u16::try_from(place).unwrap_or(u16::MAX);
        }
    }

    /// The run times, from the shortest, with the share at or below each.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (Seconds, f64)> + '_ {
        let seconds = self.seconds.iter().map(|seconds| Seconds(i64::from(*seconds)));
        seconds.zip(self.cumulative.iter().copied())
    }

    /// The least run time at or below which this share lies.
    pub fn quantile(&self, share: f64) -> Seconds {
        let place = self.cumulative.partition_point(|sum| *sum < share - 1e-12);
        self.at(place.min(self.seconds.len() - 1))
    }

    /// The share at or below a run time.
    pub fn share_within(&self, seconds: Seconds) -> f64 {
        self.share_before(self.seconds.partition_point(|value| i64::from(*value) <= seconds.0))
    }

    /// The mean, in seconds.
    pub fn mean(&self) -> f64 {
        let mut before = 0.0;
        let mut sum = 0.0;
        for (seconds, cumulative) in self.points() {
            sum += seconds.as_f64() * (cumulative - before);
            before = cumulative;
        }
        sum
    }

    /// The run time that belongs to a number drawn evenly from zero to one.
    pub fn sample(&self, uniform: f64) -> Seconds {
        self.at(self.place_of(uniform.clamp(0.0, 1.0)))
    }

    /// The same distribution for a job that has by now run for `age` seconds: what is not beyond that is left out.
    pub fn beyond(&self, age: Seconds) -> Remaining<'_> {
        let outlived = self.seconds.partition_point(|value| i64::from(*value) <= age.0);
        Remaining { distribution: self, age, outlived, share_outlived: self.share_before(outlived) }
    }

    /// The continuous ranked probability score, in seconds, if the job ran for `actual`: the integral of the squared
    /// distance to a certain answer. Of a distribution that is certain, the absolute error.
    pub fn crps(&self, actual: Seconds) -> f64 {
        let actual = actual.as_f64();
        let mut score = 0.0;
        let mut share = 0.0;
        let mut from = f64::from(self.seconds[0]).min(actual);
        for (seconds, cumulative) in self.points() {
            let to = seconds.as_f64();
            // The share at or below is `share` all the way from the point before.
            let short_of_actual = (to.min(actual) - from).max(0.0);
            let past_actual = (to - from.max(actual)).max(0.0);
            score += share * share * short_of_actual + (1.0 - share) * (1.0 - share) * past_actual;
            (from, share) = (to, cumulative);
        }
        score + (actual - from).max(0.0)
    }

    fn at(&self, place: usize) -> Seconds {
        Seconds(i64::from(self.seconds[place]))
    }

    fn share_before(&self, place: usize) -> f64 {
        place.checked_sub(1).map_or(0.0, |place| self.cumulative[place])
    }

    fn place_of(&self, share: f64) -> usize {
        let mut place = usize::from(self.guide[place_among(GUIDE_SHARES, share)]);
        while self.cumulative[place] < share {
            place += 1;
        }
        place
    }
}

/// What is left of a distribution once a job has reached some age.
#[derive(Clone, Copy, Debug)]
pub struct Remaining<'a> {
    distribution: &'a RuntimeDistribution,
    age: Seconds,
    /// How many points are not beyond the age.
    outlived: usize,
    /// Their share.
    share_outlived: f64,
}

impl Remaining<'_> {
    /// The run time from start to end, beyond the age, that belongs to a number drawn evenly from zero to one.
    pub fn sample(&self, uniform: f64) -> Seconds {
        let uniform = uniform.clamp(0.0, 1.0);
        let Self { distribution, outlived, share_outlived, .. } = *self;
        if outlived == distribution.seconds.len() {
            let share = OVERRUN_SHARES_OF_AGE[place_among(OVERRUN_SHARES_OF_AGE.len(), uniform)];
            return overrun(self.age, share);
        }
        let place = distribution.place_of((share_outlived + uniform * (1.0 - share_outlived)).min(1.0));
        distribution.at(place.max(outlived))
    }

    /// The least run time at or below which this share of what is left lies.
    pub fn quantile(&self, share: f64) -> Seconds {
        let Self { distribution, outlived, share_outlived, .. } = *self;
        if outlived == distribution.seconds.len() {
            return self.sample(share - 1e-12);
        }
        let reached = share_outlived + share * (1.0 - share_outlived);
        let place = distribution.cumulative.partition_point(|sum| *sum < reached - 1e-12);
        distribution.at(place.clamp(outlived, distribution.seconds.len() - 1))
    }
}

/// The run time of a job that goes on for a share of its age beyond it, and a second at least.
#[expect(clippy::cast_possible_truncation, reason = "whole seconds of a share of whole seconds")]
fn overrun(age: Seconds, share: f64) -> Seconds {
    age + Seconds((age.as_f64() * share) as i64 + 1)
}

/// The place of a share from zero to one among equal shares.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number that is not below zero")]
fn place_among(shares: usize, share: f64) -> usize {
    ((share * shares as f64) as usize).min(shares - 1)
}

/// A run time as it is kept: a second at least.
pub(super) fn stored(seconds: Seconds) -> u32 {
    u32::try_from(seconds.0.clamp(1, LONGEST_SECONDS)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(values: &[(i64, f64)], age: i64) -> RuntimeDistribution {
        RuntimeDistribution::weighted(values.iter().map(|(seconds, weight)| (Seconds(*seconds), *weight)), Seconds(age))
    }

    /// The definition: the mean distance to the actual value less half the mean distance of two draws.
    fn crps_by_definition(distribution: &RuntimeDistribution, actual: f64) -> f64 {
        let mut before = 0.0;
        let points: Vec<(f64, f64)> = distribution
            .points()
            .map(|(seconds, cumulative)| {
                let weight = cumulative - before;
                before = cumulative;
                (seconds.as_f64(), weight)
            })
            .collect();
        let distance: f64 = points.iter().map(|(seconds, weight)| weight * (seconds - actual).abs()).sum();
        let spread: f64 = points
            .iter()
            .flat_map(|one| points.iter().map(move |other| one.1 * other.1 * (one.0 - other.0).abs()))
            .sum();
        distance - spread / 2.0
    }

    #[test]
    fn weights_decide_quantiles_shares_and_draws() {
        let runs = of(&[(100, 1.0), (10, 2.0), (4_000, 0.5), (4_000, 0.5)], 0);
        assert_eq!(runs.points().len(), 3, "equal run times are one point");
        for (share, seconds) in [(0.1, 10), (0.5, 10), (0.51, 100), (0.75, 100), (0.76, 4_000), (1.0, 4_000)] {
            assert_eq!(runs.quantile(share), Seconds(seconds), "{share}");
            assert_eq!(runs.sample(share), Seconds(seconds), "{share}");
        }
        assert!((runs.mean() - 1_030.0).abs() < 1e-9);
        assert!((runs.share_within(Seconds(99)) - 0.5).abs() < 1e-12);
        assert!(runs.share_within(Seconds(9)).abs() < 1e-12);
    }

    #[test]
    fn what_has_outlived_everything_ends_soon_or_after_as_long_again() {
        for runs in [of(&[(50, 1.0)], 1_000), of(&[], 1_000), of(&[(2_000, f64::NAN), (3_000, 0.0)], 1_000)] {
            assert_eq!(runs.quantile(0.0), Seconds(1_003));
            assert_eq!(runs.quantile(1.0), Seconds(2_001));
        }
        let left = of(&[(50, 1.0)], 0);
        assert_eq!(left.beyond(Seconds(1_000)).sample(0.0), Seconds(1_003));
        assert_eq!(left.beyond(Seconds(1_000)).sample(1.0), Seconds(2_001));
        assert_eq!(left.beyond(Seconds(1_000)).quantile(0.5), Seconds(1_051));
    }

    proptest! {
        #[test]
        fn quantiles_rise_draws_agree_with_shares_and_everything_is_beyond_the_age(
            values in proptest::collection::vec((0..5_000_i64, -0.1..3.0_f64), 0..200),
            age in 0..4_000_i64,
            uniform in 0.0..1.0_f64,
        ) {
            let runs = of(&values, age);
            let quantiles: Vec<Seconds> = (0..=50).map(|step| runs.quantile(f64::from(step) / 50.0)).collect();
            prop_assert!(quantiles.is_sorted());
            prop_assert!(quantiles[0] > Seconds(age));
            prop_assert!(runs.points().map(|(seconds, _)| seconds).is_sorted_by(|one, other| one < other));
            prop_assert!((runs.share_within(Seconds::MAX) - 1.0).abs() < 1e-12);
            let drawn = runs.sample(uniform);
            prop_assert!(runs.share_within(drawn) >= uniform);
            prop_assert!(runs.share_within(drawn - Seconds(1)) <= uniform + 1e-12);
            let left = runs.beyond(Seconds(age + 500));
            prop_assert!(left.sample(uniform) > Seconds(age + 500));
            prop_assert!(left.quantile(uniform) > Seconds(age + 500));
        }

        #[test]
        fn what_is_left_at_an_age_is_what_would_have_been_made_for_it(
            values in proptest::collection::vec((1..500_i64, 0.1..3.0_f64), 1..50),
            age in 0..600_i64,
            uniform in 0.001..0.999_f64,
        ) {
            let (whole, made) = (of(&values, 0), of(&values, age));
            let (left, made) = (whole.beyond(Seconds(age)).sample(uniform), made);
            prop_assert!(made.share_within(left) >= uniform - 1e-9);
            prop_assert!(made.share_within(left - Seconds(1)) <= uniform + 1e-9);
        }

        #[test]
        fn the_score_is_that_of_the_definition(
            values in proptest::collection::vec((1..500_i64, 0.1..3.0_f64), 1..20),
            actual in 0..700_i64,
        ) {
            let runs = of(&values, 0);
            let expected = crps_by_definition(&runs, actual as f64);
            prop_assert!((runs.crps(Seconds(actual)) - expected).abs() < 1e-6);
        }
    }
}
