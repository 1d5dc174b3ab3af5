//! The estimates of a made-up workload, each with its share of the jobs.
//!
//! For: bringing times and shares together, popular ones by the pool, unpopular ones at random, and drawing from the
//! result.
//!
//! Not for: saying which job gets which estimate (`assign`).
//!
//! Requirement: R-E5 and R-E8 (Tsafrir, Etsion and Feitelson, sections 9.1, 9.2 and 10).

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::Seconds;

use super::error::EstimateError;
use super::number::number_of_estimates;
use super::popular::SHORTEST_MAXIMUM;
use super::popularity::{POPULAR, unpopular_shares};
use super::popularity_pool::ranks_by_place;
use super::supplied::PopularEstimates;
use super::times::{take_closest, times};

/// An estimate and how many use it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateShare {
    /// The estimate.
    pub time: Seconds,
    /// The share of the jobs that use it, in per cent.
    pub per_cent: f64,
}

/// The parameters of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateOptions {
    /// The largest estimate, at least a minute: the limit of the machine's longest queue.
    pub maximum: Seconds,
    /// How many different estimates there are; below 21, which is the popular ones and one other, 21 are made.
    pub estimates: usize,
    /// Popular estimates that are known, at most 20 (19 if `maximum` is not among them), different, with at most
    /// 100 % in all. The share of `maximum` differs so much from site to site that it is well worth supplying.
    pub supplied: Vec<EstimateShare>,
}

impl EstimateOptions {
    /// The defaults for that many jobs.
    pub fn new(maximum: Seconds, jobs: usize) -> Self {
        Self { maximum, estimates: number_of_estimates(jobs), supplied: Vec::new() }
    }
}

/// Estimates with their shares: different, the shortest first, 100 % in all.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateDistribution {
    shares: Vec<EstimateShare>,
    /// Per cent of the jobs at or below each estimate.
    cumulative: Vec<f64>,
}

impl EstimateDistribution {
    /// What the model makes of the options and the generator's seed.
    pub fn generate(options: &EstimateOptions, generator: &mut Pcg64) -> Result<Self, EstimateError> {
        let maximum = options.maximum;
        if maximum < SHORTEST_MAXIMUM || maximum > Seconds::MAX {
            return Err(EstimateError::Maximum { maximum });
        }
        let popular = PopularEstimates::new(maximum, &options.supplied)?;
        let ranks = ranks_by_place(&popular.ranks, generator);
        let share = |(&time, rank): (&Seconds, usize)| EstimateShare { time, per_cent: popular.shares[rank - 1] };
        let shares = popular.times.iter().zip(ranks).map(share);

        let mut unpopular = times(maximum, options.estimates.max(POPULAR + 1));
        take_closest(&mut unpopular, &popular.times.iter().copied().collect());
        let mut left = unpopular_shares(unpopular.len(), popular.unpopular_per_cent);
        left.shuffle(generator);
        let others = unpopular.into_iter().zip(left).map(|(time, per_cent)| EstimateShare { time, per_cent });

        Ok(Self::new(shares.chain(others).filter(|share| share.per_cent > 0.0).collect()))
    }

    fn new(mut shares: Vec<EstimateShare>) -> Self {
        shares.sort_unstable_by_key(|share| share.time);
        let mut sum = 0.0;
        let cumulative = shares
            .iter()
            .map(|share| {
                sum += share.per_cent;
                sum
            })
            .collect();
        Self { shares, cumulative }
    }

    /// The estimates with their shares, the shortest first.
    pub fn shares(&self) -> &[EstimateShare] {
        &self.shares
    }

    /// The largest estimate.
    pub fn longest(&self) -> Seconds {
        self.shares.last().expect("a distribution has at least one estimate").time
    }

    /// An estimate, each as likely as its share.
    pub fn draw(&self, generator: &mut Pcg64) -> Seconds {
        self.draw_from(0, generator)
    }

    /// An estimate of at least `least`, each as likely as its share among these; none if all are shorter.
    pub fn draw_at_least(&self, least: Seconds, generator: &mut Pcg64) -> Option<Seconds> {
        let first = self.shares.partition_point(|share| share.time < least);
        (first < self.shares.len()).then(|| self.draw_from(first, generator))
    }

    fn draw_from(&self, first: usize, generator: &mut Pcg64) -> Seconds {
        let last = self.shares.len() - 1;
        let below = first.checked_sub(1).map_or(0.0, |place| self.cumulative[place]);
        let drawn = below + generator.random::<f64>() * (self.cumulative[last] - below);
        let place = self.cumulative.partition_point(|&sum| sum <= drawn);
        // Rounding may put the draw on either end.
        self.shares[place.clamp(first, last)].time
    }

    /// The same, with the largest estimate raised to `least` in whole minutes, rounded up, if it is shorter.
    #[must_use]
    pub fn raised_to(mut self, least: Seconds) -> Self {
        let largest = self.shares.last_mut().expect("a distribution has at least one estimate");
        if largest.time < least {
            largest.time = Seconds((least.0 + 59) / 60 * 60);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    const HOUR: i64 = 3600;

    fn generate(options: &EstimateOptions, seed: u64) -> EstimateDistribution {
        EstimateDistribution::generate(options, &mut Pcg64::seed_from_u64(seed)).unwrap()
    }

    fn per_cent(distribution: &EstimateDistribution, time: i64) -> f64 {
        distribution.shares().iter().find(|share| share.time == Seconds(time)).unwrap().per_cent
    }

    #[test]
    fn the_largest_estimate_is_the_most_popular() {
        let distribution = generate(&EstimateOptions::new(Seconds(18 * HOUR), 77_222), 1);
        assert_eq!(distribution.shares().len(), 349);
        assert!((per_cent(&distribution, 18 * HOUR) - 22.70).abs() < 0.005);
    }

    #[test]
    fn head_times_are_in_and_hold_their_share() {
        let distribution = generate(&EstimateOptions::new(Seconds(18 * HOUR), 77_222), 2);
        let popular: f64 = super::super::popular::popular_times(Seconds(18 * HOUR))
            .into_iter()
            .map(|time| per_cent(&distribution, time.0))
            .sum();
        assert!((popular - 89.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_and_another_another() {
        let options = EstimateOptions::new(Seconds(18 * HOUR), 10_000);
        assert_eq!(generate(&options, 3), generate(&options, 3));
        assert_ne!(generate(&options, 3), generate(&options, 4));
    }

    #[test]
    fn supplied_shares_are_kept() {
        let pair = |minutes: i64, per_cent: f64| EstimateShare { time: Seconds(minutes * 60), per_cent };
        let supplied = [pair(120, 27.0), pair(36 * 60, 1.0), pair(15, 16.0), pair(30, 18.0)];
        let options =
            EstimateOptions { supplied: supplied.to_vec(), ..EstimateOptions::new(Seconds(36 * HOUR), 223_407) };
        for seed in 0..50 {
            let distribution = generate(&options, seed);
            assert!(supplied.iter().all(|pair| distribution.shares().contains(pair)), "seed {seed}");
        }
    }

    #[test]
    fn draws_come_as_often_as_their_share() {
        let distribution = generate(&EstimateOptions::new(Seconds(18 * HOUR), 10_000), 5);
        let mut generator = Pcg64::seed_from_u64(6);
        let draws = 100_000;
        let longest = (0..draws).filter(|_| distribution.draw(&mut generator) == distribution.longest()).count();
        // Five standard deviations of a share of 22.70 % are 0.66.
        assert!((longest as f64 * 100.0 / f64::from(draws) - 22.70).abs() < 0.67);
    }

    #[test]
    fn a_draw_of_at_least_some_time_is_never_below_it() {
        let distribution = generate(&EstimateOptions::new(Seconds(18 * HOUR), 10_000), 7);
        let mut generator = Pcg64::seed_from_u64(8);
        for least in (0..=18 * HOUR).step_by(97) {
            assert!(distribution.draw_at_least(Seconds(least), &mut generator).unwrap() >= Seconds(least));
        }
        assert_eq!(distribution.draw_at_least(Seconds(18 * HOUR + 1), &mut generator), None);
    }

    #[test]
    fn raising_moves_only_the_largest_and_only_up() {
        let distribution = generate(&EstimateOptions::new(Seconds(18 * HOUR), 1_000), 9);
        assert_eq!(distribution.clone().raised_to(Seconds(HOUR)), distribution);
        let raised = distribution.clone().raised_to(Seconds(18 * HOUR + 1));
        assert_eq!(raised.longest(), Seconds(18 * HOUR + 60));
        let all_but_last = distribution.shares().len() - 1;
        assert_eq!(raised.shares()[..all_but_last], distribution.shares()[..all_but_last]);
    }

    #[test]
    fn a_largest_estimate_below_a_minute_is_refused() {
        let options = EstimateOptions::new(Seconds(59), 1_000);
        let refused = EstimateDistribution::generate(&options, &mut Pcg64::seed_from_u64(0));
        assert_eq!(refused, Err(EstimateError::Maximum { maximum: Seconds(59) }));
    }

    proptest! {
        #[test]
        fn shares_are_of_different_times_and_sum_to_everybody(
            maximum in 60..2_000_000_i64,
            jobs in 0..300_000_usize,
            supplied in proptest::collection::btree_map(1..60_i64, 0.1..5.2_f64, 0..19),
            seed: u64,
        ) {
            let supplied = supplied.into_iter().map(|(part, per_cent)| {
                EstimateShare { time: Seconds(maximum * part / 60), per_cent }
            }).collect();
            let options = EstimateOptions { supplied, ..EstimateOptions::new(Seconds(maximum), jobs) };
            let distribution = generate(&options, seed);
            let shares = distribution.shares();
            prop_assert!(shares.is_sorted_by(|one, next| one.time < next.time));
            prop_assert!(shares[0].time > Seconds::ZERO && distribution.longest() <= Seconds(maximum));
            prop_assert!((shares.iter().map(|share| share.per_cent).sum::<f64>() - 100.0).abs() < 1e-9);
            prop_assert!(options.supplied.iter().all(|pair| shares.contains(pair)));
        }
    }
}
