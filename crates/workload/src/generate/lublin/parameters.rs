//! What the model is told: the published numbers, and what is refused.
//!
//! For: the three published sets of parameters, fitted to a machine, and whoever wants to change one of them. A
//! longer or shorter mean gap between jobs ([`ArrivalParameters::gap`]) is the authors' way to change the load, and
//! [`KindParameters::at_load`] finds it.
//!
//! Not for: drawing anything.
//!
//! Source: the constants of the authors' program `lublin99.c` (Parallel Workloads Archive), for a machine of 128
//! processors. For other machines the distances from the machine's size are kept: the widest batch job has the whole
//! machine (2^7 there) and the widest interactive job 1.5 powers of two less (2^5.5), as published.

use statrs::distribution::{ContinuousCDF, Gamma};
use thiserror::Error;

use crate::{Machine, QueueId};

/// Which jobs to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Batch jobs alone.
    Batch,
    /// Interactive jobs alone.
    Interactive,
    /// Batch and interactive jobs, each with their own parameters.
    Both,
    /// Jobs of logs that do not tell the two apart, with one set of parameters for all.
    Undivided,
}

impl Kinds {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Batch, Self::Interactive, Self::Both, Self::Undivided];
}

/// A gamma distribution; its mean is `shape * scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GammaParameters {
    /// Called a or alpha.
    pub shape: f64,
    /// Called b or beta.
    pub scale: f64,
}

/// How many processors jobs ask for. The logarithm (to base two) of a parallel job's size is uniform in two stages:
/// between `log2_low` and `log2_middle` with probability `lower_stage`, else between `log2_middle` and `log2_high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeParameters {
    /// The share of jobs with one processor.
    pub serial: f64,
    /// The share (of all jobs) whose size is made a power of two; a few more become one by chance.
    pub power_of_two: f64,
    /// Where the first stage begins.
    pub log2_low: f64,
    /// Where the first stage ends and the second begins.
    pub log2_middle: f64,
    /// Where the second stage ends.
    pub log2_high: f64,
    /// The probability of the first stage.
    pub lower_stage: f64,
}

/// How long jobs run. The natural logarithm of the seconds comes from one of two gamma distributions: the short one
/// with probability `short_share + short_share_per_processor * processors`, held between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunTimeParameters {
    /// The distribution of short jobs.
    pub short: GammaParameters,
    /// The distribution of long jobs.
    pub long: GammaParameters,
    /// The share of short jobs among jobs of no processors, if there were any.
    pub short_share: f64,
    /// What each processor adds to that share; negative, for wide jobs are long. The published slopes are for 128
    /// processors and are not fitted to the machine: batch jobs of more than 232 processors are all long.
    pub short_share_per_processor: f64,
    /// The natural logarithm of the longest run time in seconds; what exceeds it is drawn again.
    pub ln_longest: f64,
}

/// When jobs arrive. The natural logarithm of the seconds between two jobs comes from a gamma distribution; time then
/// passes faster or slower with the hour, so that the share of jobs in each half-hour follows another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrivalParameters {
    /// The distribution of gaps in the rush hours.
    pub gap: GammaParameters,
    /// What its shape is multiplied by to stand for the whole day.
    pub rush_to_day: f64,
    /// The distribution of arrivals over the half-hours of a day, which begins at the eleventh.
    pub day: GammaParameters,
    /// The natural logarithm of the longest gap in seconds; what exceeds it is drawn again.
    pub ln_longest_gap: f64,
}

/// All about one kind of jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindParameters {
    /// The queue they are said to be submitted to.
    pub queue: Option<QueueId>,
    /// Their sizes.
    pub sizes: SizeParameters,
    /// Their run times.
    pub run_times: RunTimeParameters,
    /// Their arrivals.
    pub arrivals: ArrivalParameters,
}

/// Why no jobs can be generated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// The machine is empty.
    #[error("the machine has 0 processors; at least 1 is needed")]
    NoProcessors,
    /// No kind was asked for.
    #[error("no kind of jobs is selected; select batch jobs, interactive jobs or both")]
    NoKinds,
    /// Shape or scale of a gamma distribution is not a positive number.
    #[error("{what}: shape {} and scale {} must be positive numbers", .given.shape, .given.scale)]
    NoGamma {
        /// Which distribution.
        what: &'static str,
        /// What was given.
        given: GammaParameters,
    },
    /// A share is not between 0 and 1.
    #[error("{what}: {given} is not between 0 and 1")]
    NoShare {
        /// Which share.
        what: &'static str,
        /// What was given.
        given: f64,
    },
    /// A number that must be finite is not.
    #[error("{what}: {given} is not a number")]
    NoNumber {
        /// Which number.
        what: &'static str,
        /// What was given.
        given: f64,
    },
    /// The two stages of the sizes are out of order.
    #[error("sizes: {low}, {middle} and {high} must be in ascending order between 0 and 32")]
    Stages {
        /// Where the first stage begins.
        low: f64,
        /// Where they meet.
        middle: f64,
        /// Where the second stage ends.
        high: f64,
    },
    /// The longest span allowed is out of reason: too long to compute with, or hardly anything is shorter.
    #[error(
        "{what}: the longest span of e^{ln_longest} s must be at most e^20 s and exceed nearly all generated spans"
    )]
    Longest {
        /// Of what.
        what: &'static str,
        /// What was given.
        ln_longest: f64,
    },
    /// No gaps between jobs make the load.
    #[error("a load of {load} cannot be reached by scaling the gaps between jobs; the unscaled load is {own:.2}")]
    LoadOutOfReach {
        /// What was asked for.
        load: f64,
        /// What the parameters make as they are.
        own: f64,
    },
    /// The gamma distribution of the day leaves no arrivals in it.
    #[error("the distribution of arrivals over the day has no arrivals within the day")]
    EmptyDay,
}

/// About fifteen years: as long as a run or a gap may be.
const LN_LONGEST_OF_ALL: f64 = 20.0;
/// At least this share of what is drawn must be short enough, or drawing again takes for ever.
const LEAST_KEPT: f64 = 0.001;

impl KindParameters {
    /// The published parameters of the given kinds, interactive before batch as in the authors' program.
    pub fn published(machine: Machine, kinds: Kinds) -> Vec<Self> {
        match kinds {
            Kinds::Batch => vec![Self::batch(machine)],
            Kinds::Interactive => vec![Self::interactive(machine)],
            Kinds::Both => vec![Self::interactive(machine), Self::batch(machine)],
            Kinds::Undivided => vec![Self::undivided(machine)],
        }
    }

    /// Batch jobs, in queue 1.
    pub fn batch(machine: Machine) -> Self {
        Self {
            queue: Some(QueueId(1)),
            sizes: SizeParameters {
                serial: 0.2927,
                power_of_two: 0.6686,
                lower_stage: 0.875,
                ..SizeParameters::stages(machine, 1.2, 2.0, 0.0)
            },
            run_times: RunTimeParameters {
                short: GammaParameters { shape: 6.57, scale: 0.823 },
                long: GammaParameters { shape: 639.1, scale: 0.0156 },
                short_share: 0.6986,
                short_share_per_processor: -0.003,
                ln_longest: 12.0,
            },
            arrivals: ArrivalParameters {
                gap: GammaParameters { shape: 6.0415, scale: 0.8531 },
                rush_to_day: 1.0519,
                day: GammaParameters { shape: 6.1271, scale: 5.2740 },
                ln_longest_gap: 13.0,
            },
        }
    }

    /// Interactive jobs, in queue 0.
    pub fn interactive(machine: Machine) -> Self {
        Self {
            queue: Some(QueueId(0)),
            sizes: SizeParameters {
                serial: 0.1541,
                power_of_two: 0.625,
                lower_stage: 0.705,
                ..SizeParameters::stages(machine, 1.0, 4.0, 1.5)
            },
            run_times: RunTimeParameters {
                short: GammaParameters { shape: 3.8351, scale: 0.6605 },
                long: GammaParameters { shape: 7.073, scale: 0.6856 },
                short_share: 0.9156,
                short_share_per_processor: -0.0118,
                ln_longest: 12.0,
            },
            arrivals: ArrivalParameters {
                gap: GammaParameters { shape: 6.5510, scale: 0.6621 },
                rush_to_day: 0.9797,
                day: GammaParameters { shape: 8.9186, scale: 3.6680 },
                ln_longest_gap: 13.0,
            },
        }
    }

    /// Jobs not told apart, in no queue.
    pub fn undivided(machine: Machine) -> Self {
        Self {
            queue: None,
            sizes: SizeParameters {
                serial: 0.244,
                power_of_two: 0.576,
                lower_stage: 0.86,
                ..SizeParameters::stages(machine, 0.8, 2.5, 0.0)
            },
            run_times: RunTimeParameters {
                short: GammaParameters { shape: 4.2, scale: 0.94 },
                long: GammaParameters { shape: 312.0, scale: 0.03 },
                short_share: 0.78,
                short_share_per_processor: -0.0054,
                ln_longest: 12.0,
            },
            arrivals: ArrivalParameters {
                gap: GammaParameters { shape: 10.2303, scale: 0.4871 },
                rush_to_day: 1.0225,
                day: GammaParameters { shape: 8.1737, scale: 3.9631 },
                ln_longest_gap: 13.0,
            },
        }
    }

    /// Whether jobs can be drawn with these parameters.
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        self.sizes.check()?;
        self.run_times.check()?;
        self.arrivals.check()
    }
}

impl SizeParameters {
    /// Two stages for a machine: from `low` to `middle_below` and `high_below` under the logarithm of its size. On
    /// machines too small for that the stages shrink to nothing, from below.
    fn stages(machine: Machine, low: f64, middle_below: f64, high_below: f64) -> Self {
        let whole = f64::from(machine.processors.max(1)).log2();
        let log2_high = (whole - high_below).max(0.0);
        let log2_low = low.min(log2_high);
        let log2_middle = (whole - middle_below).clamp(log2_low, log2_high);
        Self { serial: 0.0, power_of_two: 0.0, log2_low, log2_middle, log2_high, lower_stage: 0.0 }
    }

    fn check(&self) -> Result<(), ParameterError> {
        share("share of serial jobs", self.serial)?;
        share("share of powers of two", self.power_of_two)?;
        share("shares of serial jobs and powers of two together", self.serial + self.power_of_two)?;
        share("probability of the lower sizes", self.lower_stage)?;
        let (low, middle, high) = (self.log2_low, self.log2_middle, self.log2_high);
        if 0.0 <= low && low <= middle && middle <= high && high <= 32.0 {
            Ok(())
        } else {
            Err(ParameterError::Stages { low, middle, high })
        }
    }
}

impl RunTimeParameters {
    fn check(&self) -> Result<(), ParameterError> {
        number("share of short jobs", self.short_share)?;
        number("share of short jobs per processor", self.short_share_per_processor)?;
        longest("run times of short jobs", self.short, self.ln_longest)?;
        longest("run times of long jobs", self.long, self.ln_longest)
    }
}

impl ArrivalParameters {
    /// The distribution of gaps over the whole day.
    pub(super) fn gap_of_the_day(&self) -> GammaParameters {
        GammaParameters { shape: self.gap.shape * self.rush_to_day, ..self.gap }
    }

    fn check(&self) -> Result<(), ParameterError> {
        longest("gaps between jobs", self.gap_of_the_day(), self.ln_longest_gap)?;
        self.day.distribution("arrivals over the day").map(|_| ())
    }
}

impl GammaParameters {
    /// The distribution, for its distribution function.
    pub(super) fn distribution(self, what: &'static str) -> Result<Gamma, ParameterError> {
        let refused = ParameterError::NoGamma { what, given: self };
        if !(self.shape.is_finite() && self.scale.is_finite() && self.scale > 0.0) {
            return Err(refused);
        }
        Gamma::new(self.shape, self.scale.recip()).map_err(|_| refused)
    }

    /// The distribution, for drawing from it.
    pub(super) fn sampler(self, what: &'static str) -> Result<rand_distr::Gamma<f64>, ParameterError> {
        rand_distr::Gamma::new(self.shape, self.scale).map_err(|_| ParameterError::NoGamma { what, given: self })
    }
}

fn share(what: &'static str, given: f64) -> Result<(), ParameterError> {
    if (0.0..=1.0).contains(&given) { Ok(()) } else { Err(ParameterError::NoShare { what, given }) }
}

fn number(what: &'static str, given: f64) -> Result<(), ParameterError> {
    if given.is_finite() { Ok(()) } else { Err(ParameterError::NoNumber { what, given }) }
}

fn longest(what: &'static str, gamma: GammaParameters, ln_longest: f64) -> Result<(), ParameterError> {
    let kept = gamma.distribution(what)?.cdf(ln_longest);
    if ln_longest <= LN_LONGEST_OF_ALL && kept >= LEAST_KEPT {
        Ok(())
    } else {
        Err(ParameterError::Longest { what, ln_longest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPERS: Machine = Machine { processors: 128 };

    #[test]
    fn on_the_papers_machine_the_stages_are_the_published_ones() {
        for (kind, [log2_low, log2_middle, log2_high]) in [
            (KindParameters::batch(PAPERS), [1.2, 5.0, 7.0]),
            (KindParameters::interactive(PAPERS), [1.0, 3.0, 5.5]),
            (KindParameters::undivided(PAPERS), [0.8, 4.5, 7.0]),
        ] {
            assert_eq!(kind.sizes, SizeParameters { log2_low, log2_middle, log2_high, ..kind.sizes });
        }
    }

    #[test]
    fn published_parameters_are_sound_on_every_machine() {
        for processors in (0..1_000).chain([u32::MAX]) {
            for kinds in Kinds::ALL {
                for kind in KindParameters::published(Machine { processors }, kinds) {
                    assert_eq!(kind.check(), Ok(()), "{processors} processors");
                }
            }
        }
    }

    #[test]
    fn parameters_that_mean_nothing_are_refused() {
        let refused = |change: fn(&mut KindParameters)| {
            let mut kind = KindParameters::batch(PAPERS);
            change(&mut kind);
            kind.check().unwrap_err().to_string()
        };
        assert_eq!(refused(|kind| kind.sizes.serial = -0.1), "share of serial jobs: -0.1 is not between 0 and 1");
        assert!(
            refused(|kind| kind.sizes.serial = 0.5).starts_with("shares of serial jobs and powers of two together")
        );
        assert!(refused(|kind| kind.sizes.lower_stage = f64::NAN).starts_with("probability of the lower sizes"));
        assert_eq!(
            refused(|kind| kind.sizes.log2_low = 6.0),
            "sizes: 6, 5 and 7 must be in ascending order between 0 and 32"
        );
        assert!(refused(|kind| kind.sizes.log2_high = f64::NAN).starts_with("sizes"));
        assert!(refused(|kind| kind.run_times.short_share = f64::INFINITY).starts_with("share of short jobs"));
        assert!(refused(|kind| kind.run_times.short.shape = 0.0).contains("shape 0 and scale 0.823"));
        assert!(refused(|kind| kind.run_times.long.scale = f64::INFINITY).starts_with("run times of long jobs"));
        assert!(
            refused(|kind| kind.run_times.ln_longest = 5.0).starts_with("run times of long jobs: the longest span")
        );
        assert!(refused(|kind| kind.run_times.ln_longest = f64::NAN).contains("the longest span"));
        assert!(refused(|kind| kind.arrivals.ln_longest_gap = 21.0).starts_with("gaps between jobs: the longest span"));
        assert!(refused(|kind| kind.arrivals.rush_to_day = -1.0).starts_with("gaps between jobs: shape -6.0415"));
        assert!(refused(|kind| kind.arrivals.day.scale = 0.0).starts_with("arrivals over the day"));
    }
}
