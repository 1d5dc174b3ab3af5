//! When the next job arrives.
//!
//! For: gaps whose logarithm is gamma-distributed, stretched by night and squeezed by day.
//!
//! Not for: merging several kinds of jobs, or weekends; the model has none.
//!
//! Source: Lublin and Feitelson 2003, as in the authors' program (`arrive_init`, `calc_next_arrive`). Each half-hour of
//! the day has a weight, in the mean 1, from the day's gamma distribution. A gap drawn is not spent on seconds but on weights: a half-hour of weight 2
//! costs twice what a mean one does, so twice as many jobs arrive in it.
//!
//! The authors' program says it begins the day at hour 11; it begins with half-hour 11 (counted from 1), at five in
//! the morning, and so do we. Most jobs then arrive in the early afternoon, between one and half past two.

use rand_distr::{Distribution, Gamma};
use rand_pcg::Pcg64;
use statrs::distribution::ContinuousCDF;

use super::{ArrivalParameters, ParameterError};
use crate::Time;

/// Half-hours in a day.
const BUCKETS: usize = 48;
/// Seconds in each.
const BUCKET_SECONDS: f64 = 1_800.0;
/// Where the day's gamma distribution begins, in half-hours counted from 1.
const DAY_BEGINS: usize = 11;

/// The arrivals of one kind of jobs, from midnight on.
#[derive(Clone, Debug)]
pub(super) struct Arrivals {
    gap: Gamma<f64>,
    ln_longest_gap: f64,
    weights: [f64; BUCKETS],
    /// Half-hours since the first midnight.
    bucket: usize,
    /// What has been spent of the present half-hour's weight.
    spent: f64,
}

impl Arrivals {
    pub(super) fn new(parameters: &ArrivalParameters) -> Result<Self, ParameterError> {
        Ok(Self {
            gap: parameters.gap_of_the_day().sampler("gaps between jobs")?,
            ln_longest_gap: parameters.ln_longest_gap,
            weights: weights(parameters)?,
            bucket: 0,
            spent: 0.0,
        })
    }

    /// The next arrival, never before the one drawn last.
    #[expect(clippy::cast_possible_truncation, reason = "less than a half-hour")]
    pub(super) fn draw(&mut self, generator: &mut Pcg64) -> Time {
        self.spent += self.ln_gap(generator).exp() / BUCKET_SECONDS;
        while self.spent >= self.weights[self.bucket % BUCKETS] {
            self.spent -= self.weights[self.bucket % BUCKETS];
            self.bucket += 1;
        }
        let into_bucket = self.spent / self.weights[self.bucket % BUCKETS];
        Time(self.bucket as i64 * BUCKET_SECONDS as i64 + (into_bucket * BUCKET_SECONDS) as i64)
    }

    fn ln_gap(&self, generator: &mut Pcg64) -> f64 {
        loop {
            let ln_seconds = self.gap.sample(generator);
            if ln_seconds <= self.ln_longest_gap {
                return ln_seconds;
            }
        }
    }
}

/// The weight of each half-hour from midnight on; their mean is 1.
fn weights(parameters: &ArrivalParameters) -> Result<[f64; BUCKETS], ParameterError> {
    let day = parameters.day.distribution("arrivals over the day")?;
    let mut weights = [0.0; BUCKETS];
    for bucket in DAY_BEGINS..DAY_BEGINS + BUCKETS {
        let middle = bucket as f64;
        weights[(bucket - 1) % BUCKETS] = day.cdf(middle + 0.5) - day.cdf(middle - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    // Less than this is noise of the distribution function.
    if mean.is_nan() || mean <= 1e-9 {
        return Err(ParameterError::EmptyDay);
    }
    Ok(weights.map(|weight| (weight / mean).max(0.0)))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::{GammaParameters, KindParameters, Kinds};
    use super::*;
    use crate::Machine;

    const DRAWS: usize = 4_000_000;

    fn published() -> impl Iterator<Item = ArrivalParameters> {
        [Kinds::Batch, Kinds::Interactive, Kinds::Undivided]
            .into_iter()
            .map(|kinds| KindParameters::published(Machine { processors: 128 }, kinds)[0].arrivals)
    }

    /// A gamma distribution's density, but for a constant factor.
    fn density(gamma: GammaParameters, x: f64) -> f64 {
        // Scaled so that neither power overflows.
        let mode = (gamma.shape - 1.0) * gamma.scale;
        ((gamma.shape - 1.0) * (x / mode).ln() - (x - mode) / gamma.scale).exp()
    }

    /// The integral, by the midpoint rule.
    fn integral(from: f64, to: f64, steps: u32, function: impl Fn(f64) -> f64) -> f64 {
        let width = (to - from) / f64::from(steps);
        (0..steps).map(|step| function(from + (f64::from(step) + 0.5) * width)).sum::<f64>() * width
    }

    /// The share of a day's jobs in each half-hour from midnight on, from the density alone.
    fn implied_shares(day: GammaParameters) -> Vec<f64> {
        let mut areas: Vec<f64> =
            (11..59).map(f64::from).map(|b| integral(b - 0.5, b + 0.5, 1_000, |x| density(day, x))).collect();
        // The first is half-hour 11, which ten others precede.
        areas.rotate_right(10);
        let all: f64 = areas.iter().sum();
        areas.iter().map(|area| area / all).collect()
    }

    #[test]
    fn arrivals_follow_the_daily_cycle() {
        for parameters in published() {
            let mut arrivals = Arrivals::new(&parameters).unwrap();
            let mut generator = Pcg64::seed_from_u64(31);
            let mut counts = [0_u32; BUCKETS];
            for _ in 0..DRAWS {
                let second_of_day = arrivals.draw(&mut generator).0.rem_euclid(86_400);
                counts[usize::try_from(second_of_day).unwrap() / 1_800] += 1;
            }
            for (bucket, (&count, implied)) in counts.iter().zip(implied_shares(parameters.day)).enumerate() {
                let measured = f64::from(count) / DRAWS as f64;
                assert!((measured / implied - 1.0).abs() < 0.04, "{bucket}: {measured}, implied {implied}");
            }
        }
    }

    #[test]
    fn most_jobs_arrive_in_the_early_afternoon_and_fewest_about_five_in_the_morning() {
        for parameters in published() {
            let weights = weights(&parameters).unwrap();
            let mut places: Vec<usize> = (0..BUCKETS).collect();
            places.sort_by(|&one, &other| weights[one].total_cmp(&weights[other]));
            let (fewest, most) = (places[0], places[BUCKETS - 1]);
            assert!((26..=28).contains(&most) && (9..=10).contains(&fewest), "half-hours {most} and {fewest}");
            assert!((weights.iter().sum::<f64>() / 48.0 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_mean_gap_is_that_of_the_gamma_distribution_of_its_logarithm() {
        for parameters in published() {
            let gap = GammaParameters { shape: parameters.gap.shape * parameters.rush_to_day, ..parameters.gap };
            let area = |function: fn(f64) -> f64| integral(0.0, 13.0, 100_000, |x| function(x) * density(gap, x));
            let implied = area(f64::exp) / area(|_| 1.0);
            let mut arrivals = Arrivals::new(&parameters).unwrap();
            let mut generator = Pcg64::seed_from_u64(32);
            let last = (0..DRAWS).map(|_| arrivals.draw(&mut generator)).last().unwrap();
            let measured = last.0 as f64 / DRAWS as f64;
            assert!((measured / implied - 1.0).abs() < 0.02, "{measured} s, implied {implied} s");
        }
    }

    #[test]
    fn half_hours_without_weight_have_no_arrivals() {
        let mut parameters = published().next().unwrap();
        // Nearly all within an hour of half-hour 20.
        parameters.day = GammaParameters { shape: 4_000.0, scale: 0.005 };
        let mut arrivals = Arrivals::new(&parameters).unwrap();
        let mut generator = Pcg64::seed_from_u64(33);
        assert!((0..10_000).all(|_| (16..23).contains(&(arrivals.draw(&mut generator).0 % 86_400 / 1_800))));
    }

    #[test]
    fn a_day_without_arrivals_is_refused() {
        let mut parameters = published().next().unwrap();
        parameters.day = GammaParameters { shape: 1_000.0, scale: 1.0 };
        assert_eq!(Arrivals::new(&parameters).unwrap_err(), ParameterError::EmptyDay);
    }
}
