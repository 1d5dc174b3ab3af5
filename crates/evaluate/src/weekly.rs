//! Prediction errors week by week, and how sure a figure made of them is.
//!
//! Errors of neighbouring jobs are alike, so jobs must not be resampled one by one. Weeks are: a figure's interval comes
//! from resampling the log's weeks with replacement (R-P3), the same weeks for both sides of a
//! comparison.

use std::collections::BTreeMap;

use queuecast_simulate::{FinishedJob, Observer, absolute_inaccuracy};
use queuecast_workload::Seconds;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

pub(crate) const WEEK_SECONDS: i64 = 7 * 24 * 3_600;
pub(crate) const RESAMPLES: usize = 1_000;

/// Errors of first predictions, added up by the week of submission.
#[derive(Clone, Debug, Default)]
pub struct WeeklyErrors {
    score_from: u64,
    weeks: BTreeMap<i64, Week>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Week {
    jobs: f64,
    error_seconds: f64,
    run_seconds: f64,
}

/// A figure with the 95 % interval of its resamples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampled {
    /// On the log as it is.
    pub value: f64,
    /// Lower end.
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
}

impl WeeklyErrors {
    /// Scores the jobs with this handle and later ones.
    pub fn from_job(score_from: u64) -> Self {
        Self { score_from, weeks: BTreeMap::new() }
    }

    /// Jobs scored.
    pub fn jobs(&self) -> f64 {
        self.total().jobs
    }

    /// The mean run time of the jobs scored.
    pub fn mean_run_seconds(&self) -> f64 {
        let total = self.total();
        total.run_seconds / total.jobs.max(1.0)
    }

    /// The mean absolute error.
    pub fn mean_error_seconds(&self) -> f64 {
        let total = self.total();
        total.error_seconds / total.jobs.max(1.0)
    }

    /// The mean absolute error as a share of the mean run time.
    pub fn relative_error(&self, seed: u64) -> Resampled {
        let pairs: Vec<[Week; 2]> = self.weeks.values().map(|week| [*week; 2]).collect();
        resampled(&pairs, seed, |[own, _]| own.error_seconds / own.run_seconds)
    }

    /// By what share the error is smaller than `other`'s on the same jobs.
    pub fn improvement_over(&self, other: &Self, seed: u64) -> Resampled {
        let of_other = |week: &i64| other.weeks.get(week).copied().unwrap_or_default();
        let pairs: Vec<[Week; 2]> = self.weeks.iter().map(|(week, own)| [*own, of_other(week)]).collect();
        resampled(&pairs, seed, |[own, other]| {
            1.0 - (own.error_seconds / own.jobs) / (other.error_seconds / other.jobs)
        })
    }

    fn total(&self) -> Week {
        self.weeks.values().fold(Week::default(), |total, week| total.plus(week))
    }
}

impl Week {
    fn plus(&self, other: &Self) -> Self {
        Self {
            jobs: self.jobs + other.jobs,
            error_seconds: self.error_seconds + other.error_seconds,
            run_seconds: self.run_seconds + other.run_seconds,
        }
    }
}

fn resampled(weeks: &[[Week; 2]], seed: u64, figure: impl Fn([Week; 2]) -> f64) -> Resampled {
    let sum = |chosen: &mut dyn Iterator<Item = &[Week; 2]>| {
        chosen.fold([Week::default(); 2], |sums, week| [sums[0].plus(&week[0]), sums[1].plus(&week[1])])
    };
    let value = figure(sum(&mut weeks.iter()));
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut figures: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let mut drawn = (0..weeks.len()).map(|_| &weeks[generator.random_range(0..weeks.len())]);
            figure(sum(&mut drawn))
        })
        .filter(|figure| figure.is_finite())
        .collect();
    figures.sort_by(f64::total_cmp);
    let at = |per_mille: usize| figures.get(figures.len() * per_mille / 1_000).copied().unwrap_or(f64::NAN);
    Resampled { value, low95: at(25), high95: at(975) }
}

impl Observer for WeeklyErrors {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let first = job.accuracy.first;
        // Planned for ever: said by nobody, and no error can be measured from it.
        if job.submission.job.0 < self.score_from || first == Seconds::MAX {
            return;
        }
        let run = job.outcome.run();
        let week = self.weeks.entry(job.submission.submitted.0.div_euclid(WEEK_SECONDS)).or_default();
        let own = Week { jobs: 1.0, error_seconds: absolute_inaccuracy(run, first), run_seconds: run.as_f64() };
        *week = week.plus(&own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(weeks: &[(f64, f64)]) -> WeeklyErrors {
        let week = |(error_seconds, run_seconds)| Week { jobs: 10.0, error_seconds, run_seconds };
        WeeklyErrors { score_from: 0, weeks: (0..).zip(weeks.iter().copied().map(week)).collect() }
    }

    #[test]
    fn weeks_that_are_all_alike_leave_no_doubt() {
        let figure = errors(&[(50.0, 100.0); 8]).relative_error(1);
        assert!((figure.value - 0.5).abs() < 1e-12 && (figure.high95 - figure.low95).abs() < 1e-12);
    }

    #[test]
    fn weeks_that_differ_widen_the_interval_around_the_figure() {
        let figure = errors(&[(10.0, 100.0), (90.0, 100.0), (30.0, 100.0), (70.0, 100.0)]).relative_error(1);
        assert!((figure.value - 0.5).abs() < 1e-12);
        assert!(figure.low95 < 0.4 && figure.high95 > 0.6, "{figure:?}");
    }

    /// Both swing from week to week, but one is always half the other.
    #[test]
    fn a_comparison_draws_the_same_weeks_for_both_sides() {
        let other = errors(&[(20.0, 100.0), (180.0, 100.0), (60.0, 100.0)]);
        let improvement = errors(&[(10.0, 100.0), (90.0, 100.0), (30.0, 100.0)]).improvement_over(&other, 1);
        assert!((improvement.value - 0.5).abs() < 1e-12 && (improvement.low95 - 0.5).abs() < 1e-12);
    }
}
