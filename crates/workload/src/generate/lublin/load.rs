//! The load that parameters make, and parameters that make a load.
//!
//! For: `KindParameters::at_load`, the authors' own way to change the load: the shape of the gamma distribution of the
//! logarithm of the gaps, their `aarr`. The mean gap of every kind is changed by the same factor, so that batch and
//! interactive jobs keep their proportion, and the daily cycle stays where it is, for gaps are spent on the day's
//! weights.
//!
//! Not for: multiplying all gaps by a number, the common way, which stretches nights and days with them.
//!
//! Source: the notes of the authors' program, read as `GridSim`'s `WorkloadLublin99` quotes them: `load = r * n / (P *
//! a)`, and to change the mean gap `a`, change `aarr` or `barr`. With the shape the gaps' spread changes as well as
//! their mean: the coefficient of variation of their logarithm is one over its root.

use statrs::distribution::ContinuousCDF;

use super::{GammaParameters, KindParameters, ParameterError, RunTimeParameters, SizeParameters};
use crate::Machine;

/// Steps of an integral over the logarithm of a span, or over the logarithm of a size.
const STEPS: u32 = 2_000;
/// Halvings of the interval in which a shape lies: more than a double has digits.
const HALVINGS: u32 = 60;
/// Shapes are looked for between the published one divided and multiplied by this.
const SHAPE_FACTOR_MAX: f64 = 64.0;

impl KindParameters {
    /// The load that jobs of these kinds together offer to the machine in the long run.
    pub fn offered_load(machine: Machine, kinds: &[Self]) -> Result<f64, ParameterError> {
        if machine.processors == 0 {
            return Err(ParameterError::NoProcessors);
        }
        let mut busy_processors = 0.0;
        for kind in kinds {
            kind.check()?;
            let (_, gap) = kept_and_mean(kind.arrivals.gap_of_the_day(), kind.arrivals.ln_longest_gap)?;
            busy_processors += mean_work(machine, &kind.sizes, &kind.run_times)? / gap;
        }
        Ok(busy_processors / f64::from(machine.processors))
    }

    /// These kinds with other gaps between their jobs, so that together they offer the load; nothing else changes.
    pub fn at_load(machine: Machine, kinds: &[Self], load: f64) -> Result<Vec<Self>, ParameterError> {
        let own = Self::offered_load(machine, kinds)?;
        if !(load.is_finite() && load > 0.0) || own <= 0.0 {
            return Err(ParameterError::LoadOutOfReach { load, own });
        }
        let stretched = |kind: &Self| kind.with_gaps_stretched(own / load);
        let kinds: Option<Vec<Self>> = kinds.iter().map(stretched).collect::<Result<_, _>>()?;
        kinds.ok_or(ParameterError::LoadOutOfReach { load, own })
    }

    /// With a mean gap `factor` times as long, or `None` if no shape gives it.
    fn with_gaps_stretched(&self, factor: f64) -> Result<Option<Self>, ParameterError> {
        let with_shape = |shape: f64| {
            let mut kind = *self;
            kind.arrivals.gap.shape = shape;
            kind
        };
        let mean_gap = |shape: f64| {
            let arrivals = with_shape(shape).arrivals;
            kept_and_mean(arrivals.gap_of_the_day(), arrivals.ln_longest_gap).map(|(_, mean)| mean)
        };
        let published = self.arrivals.gap.shape;
        let wanted = factor * mean_gap(published)?;
        let (mut low, mut high) = (published / SHAPE_FACTOR_MAX, published * SHAPE_FACTOR_MAX);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            // A shape so large that hardly any gap is short enough is too large in any case.
            if with_shape(middle).check().is_err() || mean_gap(middle)? > wanted {
                high = middle;
            } else {
                low = middle;
            }
        }
        let found = with_shape(low);
        let reached = found.check().is_ok() && (mean_gap(low)? / wanted - 1.0).abs() < 1e-6;
        Ok(reached.then_some(found))
    }
}

/// What share of a gamma distribution is not above `ln_longest`, and the mean of the exponential of that part.
fn kept_and_mean(gamma: GammaParameters, ln_longest: f64) -> Result<(f64, f64), ParameterError> {
    let distribution = gamma.distribution("logarithms of spans")?;
    let width = ln_longest / f64::from(STEPS);
    let (mut below, mut sum) = (0.0, 0.0);
    for step in 1..=STEPS {
        let end = f64::from(step) * width;
        let reached = distribution.cdf(end);
        sum += (reached - below) * (end - width / 2.0).exp();
        below = reached;
    }
    Ok((below, if below > 0.0 { sum / below } else { f64::INFINITY }))
}

/// The mean processor seconds of a job.
fn mean_work(machine: Machine, sizes: &SizeParameters, runs: &RunTimeParameters) -> Result<f64, ParameterError> {
    let short = kept_and_mean(runs.short, runs.ln_longest)?;
    let long = kept_and_mean(runs.long, runs.ln_longest)?;
    let work = |processors: f64| {
        let short_share = (runs.short_share + runs.short_share_per_processor * processors).clamp(0.0, 1.0);
        let (short_kept, long_kept) = (short_share * short.0, (1.0 - short_share) * long.0);
        processors * (short_kept * short.1 + long_kept * long.1) / (short_kept + long_kept)
    };
    let most = f64::from(machine.processors);
    let widest_power = f64::from(machine.processors.ilog2());
    let others = 1.0 - sizes.serial - sizes.power_of_two;
    let mut mean = sizes.serial * work(1.0);
    for (from, to, share) in [
        (sizes.log2_low, sizes.log2_middle, sizes.lower_stage),
        (sizes.log2_middle, sizes.log2_high, 1.0 - sizes.lower_stage),
    ] {
        for step in 0..STEPS {
            let log2 = from + (to - from) * (f64::from(step) + 0.5) / f64::from(STEPS);
            let power = log2.round().min(widest_power).exp2();
            let other = log2.exp2().round().clamp(1.0, most);
            mean += share / f64::from(STEPS) * (sizes.power_of_two * work(power) + others * work(other));
        }
    }
    Ok(mean)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::super::{Kinds, LublinJobs};
    use super::*;
    use crate::describe::offered_load;
    use crate::{Seconds, Time, TracedJob};

    const PAPERS: Machine = Machine { processors: 128 };

    /// Of so many jobs on the paper's machine.
    fn measured(machine: Machine, jobs: impl Iterator<Item = TracedJob>) -> f64 {
        let (mut work, mut last) = (0.0, Time(0));
        for job in jobs {
            work += f64::from(job.submission.request.processors) * job.recorded.run.as_f64();
            last = job.submission.submitted;
        }
        offered_load(work, machine, last - Time(0)).expect("jobs span a time")
    }

    #[test]
    fn the_load_foretold_is_the_load_drawn() {
        for processors in [128, 1_000] {
            let machine = Machine { processors };
            for kinds in Kinds::ALL {
                let parameters = KindParameters::published(machine, kinds);
                let foretold = KindParameters::offered_load(machine, &parameters).unwrap();
                let jobs = LublinJobs::new(machine, kinds, Pcg64::seed_from_u64(41)).unwrap();
                let drawn = measured(machine, jobs.take(3_000_000));
                assert!((drawn / foretold - 1.0).abs() < 0.04, "{processors} {kinds:?}: {drawn}, foretold {foretold}");
            }
        }
    }

    /// So many jobs because gaps are so uneven: over ten seeds the standard deviation is 6 to 7 % with 100,000 jobs
    /// and 2 to 3 % with 500,000, so that five per cent of a shorter workload would be a matter of the seed.
    #[test]
    fn a_load_asked_for_is_offered_in_the_long_run() {
        for kinds in [Kinds::Batch, Kinds::Both, Kinds::Undivided] {
            for load in [0.5, 0.9] {
                let jobs = LublinJobs::with_load(PAPERS, kinds, load, Pcg64::seed_from_u64(42)).unwrap();
                let drawn = measured(PAPERS, jobs.take(3_000_000));
                assert!((drawn / load - 1.0).abs() < 0.04, "{kinds:?}: {drawn} for {load}");
            }
        }
    }

    #[test]
    fn batch_and_interactive_jobs_keep_their_proportion_and_the_day_its_cycle() {
        let counts = |jobs: LublinJobs| {
            let (mut interactive, mut morning) = (0.0, 0.0);
            for job in jobs.take(500_000) {
                interactive += f64::from(u8::from(job.submission.queue.is_some_and(|queue| queue.0 == 0)));
                morning += f64::from(u8::from(job.submission.submitted.0 % 86_400 < 43_200));
            }
            (interactive / 500_000.0, morning / 500_000.0)
        };
        let generator = || Pcg64::seed_from_u64(43);
        let published = counts(LublinJobs::new(PAPERS, Kinds::Both, generator()).unwrap());
        let fuller = counts(LublinJobs::with_load(PAPERS, Kinds::Both, 0.9, generator()).unwrap());
        assert!((published.0 - fuller.0).abs() < 0.02, "{published:?} {fuller:?}");
        assert!((published.1 - fuller.1).abs() < 0.02, "{published:?} {fuller:?}");
    }

    #[test]
    fn the_load_that_is_there_changes_nothing() {
        let kinds = KindParameters::published(PAPERS, Kinds::Both);
        let own = KindParameters::offered_load(PAPERS, &kinds).unwrap();
        for (before, after) in kinds.iter().zip(KindParameters::at_load(PAPERS, &kinds, own).unwrap()) {
            assert!((before.arrivals.gap.shape - after.arrivals.gap.shape).abs() < 1e-9);
            assert_eq!(KindParameters { arrivals: before.arrivals, ..after }, *before);
        }
    }

    #[test]
    fn a_load_out_of_reach_is_refused() {
        let refused = |load| LublinJobs::with_load(PAPERS, Kinds::Both, load, Pcg64::seed_from_u64(1)).unwrap_err();
        for load in [0.0, -0.5, f64::NAN, f64::INFINITY, 1e-9, 1e9] {
            let message = refused(load).to_string();
            assert!(message.starts_with("a load of") && message.contains("cannot be reached"), "{load}: {message}");
        }
        let nobody = Machine { processors: 0 };
        assert_eq!(
            LublinJobs::with_load(nobody, Kinds::Both, 0.5, Pcg64::seed_from_u64(1)).unwrap_err(),
            ParameterError::NoProcessors
        );
        assert!(offered_load(1.0, nobody, Seconds(1)).is_none());
    }
}
