//! What to plan for a job that outlived its prediction (R-SIM-5).
//!
//! Tsafrir, Etsion and Feitelson first raise the prediction to the user's estimate and only then by fixed steps
//! added to the previous prediction. The simulator behind the golden schedules adds the same steps to the *first*
//! prediction and never goes beyond the estimate. The two differ by several per cent in slowdown, so both exist.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::{Seconds, UnknownName};

use crate::Outlived;

/// Tsafrir's steps: 1, 5, 15, 30 minutes, then 1, 2, 5, 10, 20, 50, 100 hours.
pub const CORRECTION_STEPS: [Seconds; 11] = [
    Seconds(60),
    Seconds(300),
    Seconds(900),
    Seconds(1_800),
    Seconds(3_600),
    Seconds(7_200),
    Seconds(18_000),
    Seconds(36_000),
    Seconds(72_000),
    Seconds(180_000),
    Seconds(360_000),
];

/// How a prediction that was too short is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// To the user's limit; beyond it (or without one) by [`Correction::Steps`].
    Raise,
    /// The n-th miss adds the n-th step to the previous prediction (Tsafrir's report).
    Steps,
    /// The n-th miss plans the first prediction plus the n-th step (the golden schedules).
    OffsetSteps,
    /// Ten times the previous prediction (Talby et al. without estimates, "unbalanced").
    Tenfold,
    /// The same up to a threshold, and by [`Correction::Steps`] beyond it ("balanced").
    TenfoldUntil(Seconds),
}

impl Correction {
    /// The new plan: beyond the job's age, and not beyond its limit while the job is younger than that.
    pub fn correct(self, miss: &Outlived, limit: Option<Seconds>) -> Seconds {
        let below_limit = limit.filter(|limit| *limit > miss.age);
        let raised = match (self, below_limit) {
            (Self::Raise, Some(limit)) => return limit,
            (Self::OffsetSteps, _) => offset(miss),
            (Self::Tenfold, _) => tenfold(miss),
            (Self::TenfoldUntil(threshold), _) if threshold > miss.previous.max(miss.age) => {
                tenfold(miss).min(threshold)
            }
            (Self::Raise | Self::Steps | Self::TenfoldUntil(_), _) => {
                miss.previous.max(miss.age) + step(miss.earlier_misses)
            }
        };
        debug_assert!(raised > miss.age, "{self} left a plan of {raised} for a job aged {}", miss.age);
        raised.min(below_limit.unwrap_or(Seconds::MAX))
    }
}

fn step(misses: u32) -> Seconds {
    let index = (misses as usize).min(CORRECTION_STEPS.len() - 1);
    CORRECTION_STEPS[index]
}

fn tenfold(miss: &Outlived) -> Seconds {
    Seconds(miss.previous.max(miss.age).0.max(1).saturating_mul(10))
}

/// Propagated revisions may have carried the job beyond several steps, so the step is the first that lies beyond
/// its age. Past the last one, it is added once more at every miss.
fn offset(miss: &Outlived) -> Seconds {
    let remaining = CORRECTION_STEPS.iter().skip(miss.earlier_misses as usize);
    let beyond_age = remaining.map(|step| miss.first + *step).find(|planned| *planned > miss.age);
    beyond_age.unwrap_or(miss.previous.max(miss.age) + CORRECTION_STEPS[CORRECTION_STEPS.len() - 1])
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raise => f.write_str("raise"),
            Self::Steps => f.write_str("steps"),
            Self::OffsetSteps => f.write_str("offset-steps"),
            Self::Tenfold => f.write_str("x10"),
            Self::TenfoldUntil(threshold) => write!(f, "x10:{}", threshold.0),
        }
    }
}

impl FromStr for Correction {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "raise" => Ok(Self::Raise),
            "steps" => Ok(Self::Steps),
            "offset-steps" => Ok(Self::OffsetSteps),
            "x10" => Ok(Self::Tenfold),
            _ => {
                let threshold = text.strip_prefix("x10:").and_then(|seconds| seconds.parse().ok());
                let threshold = threshold.filter(|seconds| (1..=Seconds::MAX.0).contains(seconds));
                threshold.map(|seconds| Self::TenfoldUntil(Seconds(seconds))).ok_or_else(|| {
                    UnknownName::new("correction", text, "raise, steps, offset-steps, x10, x10:THRESHOLD_SECONDS")
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn miss(first: i64, previous: i64, earlier_misses: u32) -> Outlived {
        Outlived { age: Seconds(previous), first: Seconds(first), previous: Seconds(previous), earlier_misses }
    }

    #[test]
    fn raise_goes_to_the_limit_and_then_by_steps() {
        let limit = Some(Seconds(3_600));
        assert_eq!(Correction::Raise.correct(&miss(100, 100, 0), limit), Seconds(3_600));
        assert_eq!(Correction::Raise.correct(&miss(100, 3_600, 1), limit), Seconds(3_900));
        assert_eq!(Correction::Raise.correct(&miss(100, 100, 0), None), Seconds(160));
    }

    #[test]
    fn steps_add_up_and_offset_steps_do_not() {
        let limit = Some(Seconds(100_000));
        assert_eq!(Correction::Steps.correct(&miss(100, 160, 1), limit), Seconds(460));
        assert_eq!(Correction::OffsetSteps.correct(&miss(100, 160, 1), limit), Seconds(400));
    }

    #[test]
    fn no_correction_passes_a_limit_the_job_has_not_reached() {
        for correction in [Correction::Steps, Correction::OffsetSteps, Correction::Tenfold] {
            assert_eq!(correction.correct(&miss(100, 100, 5), Some(Seconds(130))), Seconds(130));
        }
    }

    #[test]
    fn every_correction_passes_the_age_however_often_it_is_asked() {
        let until = Correction::TenfoldUntil(Seconds(500));
        for correction in [Correction::Raise, Correction::Steps, Correction::OffsetSteps, Correction::Tenfold, until] {
            let mut planned = Seconds(1);
            for earlier_misses in 0..10 {
                let miss = Outlived { age: planned, first: Seconds(1), previous: planned, earlier_misses };
                let next = correction.correct(&miss, Some(Seconds(50)));
                assert!(next > planned, "{correction}: {next} after {planned}");
                planned = next;
            }
        }
    }

    #[test]
    fn balanced_growth_stops_at_its_threshold() {
        let balanced = Correction::TenfoldUntil(Seconds(5_000));
        assert_eq!(balanced.correct(&miss(1, 100, 2), None), Seconds(1_000));
        assert_eq!(balanced.correct(&miss(1, 1_000, 3), None), Seconds(5_000));
        assert_eq!(balanced.correct(&miss(1, 5_000, 4), None), Seconds(5_000 + 3_600));
        assert_eq!(Correction::Tenfold.correct(&miss(1, 5_000, 4), None), Seconds(50_000));
    }

    #[test]
    fn a_correction_reads_back_as_itself() {
        for name in ["raise", "steps", "offset-steps", "x10", "x10:64800"] {
            assert_eq!(name.parse::<Correction>().expect(name).to_string(), name);
        }
        assert!("x10:0".parse::<Correction>().is_err() && "x10:".parse::<Correction>().is_err());
    }

    #[test]
    fn a_step_already_passed_by_propagation_is_skipped() {
        let miss = Outlived { age: Seconds(1_000), first: Seconds(100), previous: Seconds(1_000), earlier_misses: 0 };
        assert_eq!(Correction::OffsetSteps.correct(&miss, None), Seconds(1_900));
    }
}
