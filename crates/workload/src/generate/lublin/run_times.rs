//! How long a job runs.
//!
//! For: the hyper-gamma distribution of the logarithm of the run time, in which wide jobs are more often long.
//!
//! Not for: limits; the model has none.
//!
//! Source: Lublin and Feitelson 2003, as in the authors' program (`time_from_nodes`): what is too long is drawn again,
//! and so is the choice between short and long.

use rand::RngExt;
use rand_distr::{Distribution, Gamma};
use rand_pcg::Pcg64;

use super::{ParameterError, RunTimeParameters};
use crate::Seconds;

/// The run times of one kind of jobs.
#[derive(Clone, Debug)]
pub(super) struct RunTimes {
    parameters: RunTimeParameters,
    short: Gamma<f64>,
    long: Gamma<f64>,
}

impl RunTimes {
    pub(super) fn new(parameters: &RunTimeParameters) -> Result<Self, ParameterError> {
        Ok(Self {
            parameters: *parameters,
            short: parameters.short.sampler("run times of short jobs")?,
            long: parameters.long.sampler("run times of long jobs")?,
        })
    }

    /// The run time of a job of that size; at least a second, for the logarithm is never negative.
    #[expect(clippy::cast_possible_truncation, reason = "the logarithm is at most 20")]
    pub(super) fn draw(&self, processors: u32, generator: &mut Pcg64) -> Seconds {
        Seconds(self.ln_seconds(processors, generator).exp() as i64)
    }

    fn ln_seconds(&self, processors: u32, generator: &mut Pcg64) -> f64 {
        let RunTimeParameters { short_share, short_share_per_processor, ln_longest, .. } = self.parameters;
        // No need to hold it between 0 and 1: it is compared with a number between them.
        let short_share = short_share + short_share_per_processor * f64::from(processors);
        loop {
            let gamma = if generator.random::<f64>() < short_share { &self.short } else { &self.long };
            let ln_seconds = gamma.sample(generator);
            if ln_seconds <= ln_longest {
                return ln_seconds;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use statrs::distribution::ContinuousCDF;

    use super::super::{GammaParameters, KindParameters, Kinds};
    use super::*;
    use crate::Machine;

    const DRAWS: u32 = 1_000_000;

    fn published() -> impl Iterator<Item = RunTimeParameters> {
        [Kinds::Batch, Kinds::Interactive, Kinds::Undivided]
            .into_iter()
            .map(|kinds| KindParameters::published(Machine { processors: 128 }, kinds)[0].run_times)
    }

    fn mean(mut draw: impl FnMut() -> f64) -> f64 {
        (0..DRAWS).map(|_| draw()).sum::<f64>() / f64::from(DRAWS)
    }

    /// The share of a gamma distribution below the longest, and its mean there: x times the density of shape a is
    /// a * scale times the density of shape a + 1.
    fn kept(gamma: GammaParameters, ln_longest: f64) -> (f64, f64) {
        let below = |gamma: GammaParameters| gamma.distribution("").unwrap().cdf(ln_longest);
        let share = below(gamma);
        (share, gamma.shape * gamma.scale * below(GammaParameters { shape: gamma.shape + 1.0, ..gamma }) / share)
    }

    #[test]
    fn the_mean_logarithm_of_each_component_is_shape_times_scale() {
        for parameters in published() {
            let run_times = RunTimes::new(&parameters).unwrap();
            for (given, gamma) in [(parameters.short, run_times.short), (parameters.long, run_times.long)] {
                let mut generator = Pcg64::seed_from_u64(21);
                let (measured, implied) = (mean(|| gamma.sample(&mut generator)), given.shape * given.scale);
                assert!((measured / implied - 1.0).abs() < 0.02, "{given:?}: {measured}");
            }
        }
    }

    #[test]
    fn the_mean_logarithm_follows_the_size_through_the_share_of_short_jobs() {
        for parameters in published() {
            let run_times = RunTimes::new(&parameters).unwrap();
            for processors in [1, 16, 64, 128, 1_000] {
                let mut generator = Pcg64::seed_from_u64(22);
                let measured = mean(|| run_times.ln_seconds(processors, &mut generator));
                let share = parameters.short_share + parameters.short_share_per_processor * f64::from(processors);
                let share = share.clamp(0.0, 1.0);
                let (short_kept, short_mean) = kept(parameters.short, parameters.ln_longest);
                let (long_kept, long_mean) = kept(parameters.long, parameters.ln_longest);
                let (short, long) = (share * short_kept, (1.0 - share) * long_kept);
                let implied = (short * short_mean + long * long_mean) / (short + long);
                assert!((measured / implied - 1.0).abs() < 0.01, "{processors}: {measured}, implied {implied}");
            }
        }
    }

    #[test]
    fn no_job_is_longer_than_allowed_or_shorter_than_a_second() {
        for mut parameters in published() {
            parameters.ln_longest = 9.0;
            let run_times = RunTimes::new(&parameters).unwrap();
            let mut generator = Pcg64::seed_from_u64(23);
            assert!((0..DRAWS).all(|_| (1..=8_103).contains(&run_times.draw(32, &mut generator).0)));
        }
    }
}
