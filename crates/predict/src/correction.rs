//! What to plan for a job that outlived its prediction (R-SIM-5).
//!
//! Tsafrir, Etsion and Feitelson first raise the prediction to the user's estimate and only then by fixed steps
//! added to the previous prediction. The simulator behind the golden schedules adds the same steps to the *first*
//! prediction and never goes beyond the estimate. The two differ by several per cent in slowdown, so both exist.
//! Nor does anybody say which step follows the raise: the second, since it is the second miss ([`Correction::Raise`]),
//! or the first, since no step was taken yet ([`Correction::RaiseThenFirst`]). Both exist.

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

const KNOWN: &str = "raise, raise-then-first, steps, offset-steps, x10, x10:THRESHOLD_SECONDS, x10:longest";

/// How a prediction that was too short is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// To the user's limit; beyond it (or without one) by [`Correction::Steps`]: the raise counts as a step.
    Raise,
    /// To the user's limit; beyond it by all the steps from the first, added up from the limit. Without a limit as
    /// [`Correction::Steps`].
    RaiseThenFirst,
    /// The n-th miss adds the n-th step to the previous prediction (Tsafrir's report).
    Steps,
    /// The n-th miss plans the first prediction plus the n-th step (the golden schedules).
    OffsetSteps,
    /// Ten times the previous prediction (Talby et al. without estimates, "unbalanced").
    Tenfold,
    /// The same up to a threshold, and by [`Correction::Steps`] beyond it ("balanced").
    TenfoldUntil(Seconds),
    /// The same; the threshold is the longest limit anybody has asked for so far, or [`UNKNOWN_LONGEST`] where nobody
    /// has given one. A site's longest limit is no secret, and this is as near to it as a log comes without looking ahead.
    TenfoldUntilLongest,
}

/// Stands for a site's longest limit where no job has a limit: the longest of the papers' four logs' sites.
pub const UNKNOWN_LONGEST: Seconds = Seconds(36 * 3_600);

impl Correction {
    /// The same, now that this is the longest limit seen.
    #[must_use]
    pub fn knowing(self, longest: Option<Seconds>) -> Self {
        match self {
            Self::TenfoldUntilLongest => Self::TenfoldUntil(longest.unwrap_or(UNKNOWN_LONGEST)),
            other => other,
        }
    }

    /// The new plan: beyond the job's age, and not beyond its limit while the job is younger than that.
    pub fn correct(self, miss: &Outlived, limit: Option<Seconds>) -> Seconds {
        let below_limit = limit.filter(|limit| *limit > miss.age);
        if let (Self::RaiseThenFirst, Some(limit)) = (self, limit) {
            return below_limit.unwrap_or_else(|| steps_beyond(limit, miss));
        }
        let raised = match (self.knowing(None), below_limit) {
            (Self::Raise, Some(limit)) => return limit,
            (Self::OffsetSteps, _) => offset(miss),
            (Self::Tenfold, _) => tenfold(miss),
            (Self::TenfoldUntil(threshold), _) if threshold > miss.previous.max(miss.age) => {
                tenfold(miss).min(threshold)
            }
            (
                Self::Raise | Self::RaiseThenFirst | Self::Steps | Self::TenfoldUntil(_) | Self::TenfoldUntilLongest,
                _,
            ) => miss.previous.max(miss.age) + step(miss.earlier_misses),
        };
        debug_assert!(raised > miss.age, "{self} left a plan of {raised} for a job aged {}", miss.age);
        raised.min(below_limit.unwrap_or(Seconds::MAX))
    }
}

fn step(misses: u32) -> Seconds {
    let index = (misses as usize).min(CORRECTION_STEPS.len() - 1);
    CORRECTION_STEPS[index]
}

/// The limit and the fewest steps, from the first, that together pass the job's age. From the limit and not by the
/// number of misses: propagation may have lowered the plan and so made a job miss more often.
fn steps_beyond(limit: Seconds, miss: &Outlived) -> Seconds {
    let past = miss.previous.max(miss.age);
    let mut planned = limit;
    for step in CORRECTION_STEPS {
        planned += step;
        if planned > past {
            return planned;
        }
    }
    past + CORRECTION_STEPS[CORRECTION_STEPS.len() - 1]
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
            Self::RaiseThenFirst => f.write_str("raise-then-first"),
            Self::Steps => f.write_str("steps"),
            Self::OffsetSteps => f.write_str("offset-steps"),
            Self::Tenfold => f.write_str("x10"),
            Self::TenfoldUntil(threshold) => write!(f, "x10:{}", threshold.0),
            Self::TenfoldUntilLongest => f.write_str("x10:longest"),
        }
    }
}

impl FromStr for Correction {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "raise" => Ok(Self::Raise),
            "raise-then-first" => Ok(Self::RaiseThenFirst),
            "steps" => Ok(Self::Steps),
            "offset-steps" => Ok(Self::OffsetSteps),
            "x10" => Ok(Self::Tenfold),
            "x10:longest" => Ok(Self::TenfoldUntilLongest),
            _ => {
                let threshold = text.strip_prefix("x10:").and_then(|seconds| seconds.parse().ok());
                let threshold = threshold.filter(|seconds| (1..=Seconds::MAX.0).contains(seconds));
                threshold
                    .map(|seconds| Self::TenfoldUntil(Seconds(seconds)))
                    .ok_or_else(|| UnknownName::new("correction", text, KNOWN))
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
    fn after_the_raise_comes_the_second_step_or_the_first() {
        let limit = Some(Seconds(3_600));
        let beyond = |correction: Correction| {
            let mut plans = vec![Seconds(100)];
            for earlier_misses in 0..4 {
                let previous = plans[plans.len() - 1];
                plans.push(correction.correct(&miss(100, previous.0, earlier_misses), limit));
            }
            plans[1..].iter().map(|plan| plan.0 - 3_600).collect::<Vec<_>>()
        };
        assert_eq!(beyond(Correction::Raise), [0, 300, 1_200, 3_000], "5, then 15, then 30 minutes");
        assert_eq!(beyond(Correction::RaiseThenFirst), [0, 60, 360, 1_260], "1, then 5, then 15 minutes");
        assert_eq!(Correction::RaiseThenFirst.correct(&miss(100, 100, 0), None), Seconds(160), "no limit, no raise");
    }

    #[test]
    fn a_raise_that_propagation_undid_costs_no_step() {
        let missed_twice = miss(100, 3_600, 2);
        assert_eq!(Correction::RaiseThenFirst.correct(&missed_twice, Some(Seconds(3_600))), Seconds(3_660));
    }

    #[test]
    fn growth_until_the_longest_stops_at_the_longest_limit_known_so_far() {
        let longest = Correction::TenfoldUntilLongest;
        let known = longest.knowing(Some(Seconds(5_000)));
        assert_eq!(known.correct(&miss(1, 1_000, 3), None), Seconds(5_000));
        assert_eq!(longest.knowing(None).correct(&miss(1, 100_000, 5), None), UNKNOWN_LONGEST);
        assert_eq!(Correction::Steps.knowing(Some(Seconds(5_000))), Correction::Steps, "nobody else asks");
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
        let raises = [Correction::Raise, Correction::RaiseThenFirst];
        let others = [Correction::Steps, Correction::OffsetSteps, Correction::Tenfold];
        for correction in raises.into_iter().chain(others).chain([until, Correction::TenfoldUntilLongest]) {
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
        for name in ["raise", "raise-then-first", "steps", "offset-steps", "x10", "x10:64800", "x10:longest"] {
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
