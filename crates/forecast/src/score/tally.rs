//! What is added up of one group of forecasts.
//!
//! Sums are whole numbers, so that the order of adding does not matter.

use queuecast_workload::Time;

use super::few_users::{FewUsers, UserMark};
use super::figures::{Coverage, Covered, Errors, ExpertFigures, Figures, RoughErrors, SlurmFigures};
use super::last_values::LastValues;
use super::{MEDIAN, ScoredForecast};
use crate::durations::DurationCounts;
use crate::pooled::EXPERTS;

/// Where the ends of the 50, 80, 90 and 95 % ranges are in [`super::SHARES`].
const RANGES: [(usize, usize); 4] = [(3, 5), (2, 6), (1, 7), (0, 8)];
const TEN_MINUTES: i64 = 600;

/// A forecast's part in every group it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub user: UserMark,
    is_first: bool,
    covered: [bool; RANGES.len()],
    width: i64,
    pub error: i64,
    slurm: Option<JudgedSlurm>,
    pub experts: Option<[i64; EXPERTS.len()]>,
}

#[derive(Clone, Copy, Debug)]
struct JudgedSlurm {
    error: i64,
    is_too_late: bool,
}

impl Judged {
    pub fn of(forecast: &ScoredForecast) -> Self {
        let said = forecast.said.map(|said| said.max(forecast.made));
        let started = forecast.started;
        let error = |said: Time| (said - started).0.abs();
        Self {
            user: UserMark::of(&forecast.user),
            is_first: forecast.first,
            covered: RANGES.map(|(low, high)| said[low] <= started && started <= said[high]),
            width: (said[RANGES[1].1] - said[RANGES[1].0]).0.max(0),
            error: error(said[MEDIAN]),
            slurm: forecast.slurm_said.map(|slurm_said| JudgedSlurm {
                error: error(slurm_said.max(forecast.made)),
                is_too_late: slurm_said > started,
            }),
            experts: forecast.experts.map(|experts| experts.map(|said| error(said.max(forecast.made)))),
        }
    }

    pub fn is_within_range80(&self) -> bool {
        self.covered[1]
    }

    /// How far off the manager's plan was.
    pub fn plan_error(&self) -> Option<i64> {
        self.slurm.map(|slurm| slurm.error)
    }
}

/// One group's sums.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally {
    forecasts: u64,
    jobs: u64,
    /// The job counted last, by the scorekeeper's numbering.
    last_job: Option<u64>,
    users: Users,
    covered: [u64; RANGES.len()],
    width_sum: i128,
    widths: LastValues,
    errors: ErrorTally,
    slurm_too_late: u64,
    slurm_errors: ErrorTally,
    our_errors_beside_slurm: ErrorTally,
    /// Taken up by the first of which the experts are known: most groups of an old store have none.
    experts: Option<Box<ExpertTally>>,
}

/// Errors of the experts, and ours beside them.
#[derive(Clone, Debug, Default, PartialEq)]
struct ExpertTally {
    ours: RoughTally,
    each: [RoughTally; EXPERTS.len()],
}

#[derive(Clone, Debug, Default, PartialEq)]
struct RoughTally {
    count: u64,
    sum: i128,
    counts: DurationCounts,
}

/// Whose forecasts the figures are of, and whose the difference of two of them could be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Users {
    all: FewUsers,
    not_first: FewUsers,
    planned: FewUsers,
    blank: FewUsers,
    with_experts: FewUsers,
    without_experts: FewUsers,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ErrorTally {
    count: u64,
    sum: i128,
    within_ten_minutes: u64,
    last: LastValues,
}

impl Tally {
    pub fn add(&mut self, judged: &Judged, job: u64) {
        self.forecasts += 1;
        if self.last_job != Some(job) {
            self.jobs += 1;
            self.last_job = Some(job);
        }
        self.users.add(judged);
        for (count, &is_covered) in self.covered.iter_mut().zip(&judged.covered) {
            *count += u64::from(is_covered);
        }
        self.width_sum += i128::from(judged.width);
        self.widths.add(judged.width);
        self.errors.add(judged.error);
        if let Some(slurm) = judged.slurm {
            self.slurm_too_late += u64::from(slurm.is_too_late);
            self.slurm_errors.add(slurm.error);
            self.our_errors_beside_slurm.add(judged.error);
        }
        if let Some(experts) = judged.experts {
            let tally = self.experts.get_or_insert_default();
            tally.ours.add(judged.error);
            for (each, error) in tally.each.iter_mut().zip(experts) {
                each.add(error);
            }
        }
    }

    pub fn figures(&self) -> Figures {
        let [range50, range80, range90, range95] = self.covered.map(|hits| Covered::of(hits, self.forecasts));
        let coverage = match (range50, range80, range90, range95) {
            (Some(range50), Some(range80), Some(range90), Some(range95)) => {
                Some(Coverage { range50, range80, range90, range95 })
            }
            _ => None,
        };
        let estimates = self.slurm_errors.count;
        Figures {
            forecasts: self.forecasts,
            jobs: self.jobs,
            users: self.users.fewest(),
            coverage,
            mean_width_seconds: (self.forecasts > 0).then(|| self.width_sum as f64 / self.forecasts as f64),
            median_width_seconds: self.widths.median(),
            errors: self.errors.errors(),
            slurm: SlurmFigures {
                estimates,
                share_blank: share(self.forecasts - estimates, self.forecasts),
                share_too_late: share(self.slurm_too_late, estimates),
                errors: self.slurm_errors.errors(),
                our_errors: self.our_errors_beside_slurm.errors(),
            },
            experts: self.experts.as_deref().map(ExpertTally::figures),
        }
    }
}

impl Users {
    fn add(&mut self, judged: &Judged) {
        self.all.add(judged.user);
        if !judged.is_first {
            self.not_first.add(judged.user);
        }
        if judged.slurm.is_some() {
            self.planned.add(judged.user);
        } else {
            self.blank.add(judged.user);
        }
        if judged.experts.is_some() {
            self.with_experts.add(judged.user);
        } else {
            self.without_experts.add(judged.user);
        }
    }

    /// Where there is nobody there is nothing to be had by subtraction.
    fn fewest(&self) -> u64 {
        let Self { all, not_first, planned, blank, with_experts, without_experts } = self;
        let counts = [all, not_first, planned, blank, with_experts, without_experts].map(FewUsers::count);
        counts.into_iter().filter(|count| *count > 0).min().unwrap_or(0)
    }
}

impl ExpertTally {
    fn figures(&self) -> ExpertFigures {
        ExpertFigures {
            forecasts: self.ours.count,
            ours: self.ours.errors(),
            each: self.each.each_ref().map(RoughTally::errors),
        }
    }
}

impl RoughTally {
    fn add(&mut self, error: i64) {
        self.count += 1;
        self.sum += i128::from(error);
        self.counts.add(error as f64);
    }

    fn errors(&self) -> RoughErrors {
        RoughErrors {
            median_seconds: self.counts.median_seconds().unwrap_or(0.0),
            mean_seconds: self.sum as f64 / self.count.max(1) as f64,
        }
    }
}

impl ErrorTally {
    fn add(&mut self, error: i64) {
        self.count += 1;
        self.sum += i128::from(error);
        self.within_ten_minutes += u64::from(error <= TEN_MINUTES);
        self.last.add(error);
    }

    fn errors(&self) -> Option<Errors> {
        Some(Errors {
            median_seconds: self.last.median()?,
            mean_seconds: self.sum as f64 / self.count as f64,
            within_ten_minutes: share(self.within_ten_minutes, self.count)?,
        })
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
