//! Who has children: fitness from error, and two ways to draw parents by fitness.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Score;

/// The fittest of a generation is this many times as fit as the least fit.
const FITNESS_RATIO: f64 = 4.0;
/// Rounds of drawing after which what is left to draw is owed to rounding, and filled up in order.
const ROUNDS_MAX: usize = 1_000;

/// How parents are drawn by fitness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParentSelection {
    /// As often as the whole part of the expected number, and once more with its fraction as the probability: the paper
    /// (for the probability see E-S2.2).
    RemainderSampling,
    /// Each one independently, with a probability in proportion to fitness: the journal version.
    Roulette,
}

/// From 1 for the largest error to [`FITNESS_RATIO`] for the least.
pub fn fitness(scores: &[Score]) -> Vec<f64> {
    let errors = || scores.iter().map(Score::mean_error_seconds);
    let largest = errors().fold(f64::NEG_INFINITY, f64::max);
    let span = largest - errors().fold(f64::INFINITY, f64::min);
    let of = |error| if span > 0.0 { 1.0 + (largest - error) / span * (FITNESS_RATIO - 1.0) } else { 1.0 };
    errors().map(of).collect()
}

impl ParentSelection {
    /// Draws `count` parents, as places in `fitness`.
    pub fn draw(self, fitness: &[f64], count: usize, generator: &mut Pcg64) -> Vec<usize> {
        match self {
            Self::RemainderSampling => remainder_sampling(fitness, count, generator),
            Self::Roulette => (0..count).map(|_| spin(fitness, generator)).collect(),
        }
    }
}

fn remainder_sampling(fitness: &[f64], count: usize, generator: &mut Pcg64) -> Vec<usize> {
    let total: f64 = fitness.iter().sum();
    let mut expected: Vec<f64> = fitness.iter().map(|fitness| fitness / total * count as f64).collect();
    let mut parents = Vec::with_capacity(count);
    for (place, expected) in expected.iter_mut().enumerate() {
        while *expected >= 1.0 {
            parents.push(place);
            *expected -= 1.0;
        }
    }
    let mut rounds = 0;
    while parents.len() < count {
        rounds += 1;
        for (place, fraction) in expected.iter_mut().enumerate() {
            let is_drawn = generator.random::<f64>() < *fraction || rounds > ROUNDS_MAX;
            if is_drawn && parents.len() < count {
                parents.push(place);
                *fraction = 0.0;
            }
        }
    }
    parents.truncate(count);
    parents
}

fn spin(fitness: &[f64], generator: &mut Pcg64) -> usize {
    let mut left = generator.random::<f64>() * fitness.iter().sum::<f64>();
    let stops = |fitness: &f64| {
        left -= fitness;
        left < 0.0
    };
    fitness.iter().position(stops).unwrap_or(fitness.len() - 1)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn drawn(selection: ParentSelection, fitness: &[f64], count: usize, seed: u64) -> Vec<usize> {
        let mut times = vec![0; fitness.len()];
        for parent in selection.draw(fitness, count, &mut Pcg64::seed_from_u64(seed)) {
            times[parent] += 1;
        }
        times
    }

    #[test]
    fn the_fittest_is_four_times_as_fit_as_the_least_fit() {
        let score = |error_sum_seconds| Score { jobs: 1, error_sum_seconds, ..Score::default() };
        let fitness_of = |errors: &[i64]| fitness(&errors.iter().copied().map(score).collect::<Vec<Score>>());
        assert_eq!(fitness_of(&[50, 20, 40]), [1.0, 4.0, 2.0]);
        assert_eq!(fitness_of(&[5, 5]), [1.0, 1.0]);
    }

    #[test]
    fn remainder_sampling_draws_the_whole_part_and_at_most_one_more() {
        let fitness = [1.0, 4.0, 2.5, 2.5];
        for seed in 0..200 {
            // Expected: 0.8, 3.2, 2, 2.
            let times = drawn(ParentSelection::RemainderSampling, &fitness, 8, seed);
            assert_eq!(times.iter().sum::<usize>(), 8);
            assert!(times[0] <= 1 && (3..=4).contains(&times[1]), "{times:?}");
            assert_eq!(times[2..], [2, 2], "{times:?}");
        }
    }

    #[test]
    fn remainder_sampling_draws_as_many_as_asked_for() {
        let mut generator = Pcg64::seed_from_u64(4);
        for _ in 0..2_000 {
            let size = generator.random_range(1..30);
            let fitness: Vec<f64> = (0..size).map(|_| generator.random_range(1.0..4.0)).collect();
            for count in [1, size, 2 * size + 1] {
                let parents = remainder_sampling(&fitness, count, &mut generator);
                assert_eq!(parents.len(), count);
            }
        }
    }

    #[test]
    fn roulette_draws_in_proportion_to_fitness() {
        let times = drawn(ParentSelection::Roulette, &[1.0, 4.0, 3.0], 80_000, 1);
        for (times, expected) in times.into_iter().zip([10_000_usize, 40_000, 30_000]) {
            assert!(times.abs_diff(expected) < 600, "{times} of {expected}");
        }
    }
}
