//! What a schedule's figures would be with other weeks of the same log, or other users.
//!
//! Shaking says how much of a figure is the chaos of one schedule. It says nothing of other workloads: every replicate has the same jobs. Here jobs are
//! added up by the week of their submission and by their user, and weeks or users are drawn with replacement (R-P3), the same ones for
//! both sides of a comparison.
//!
//! Not for: replaying what was drawn. The schedule is that of the whole log, so what one week does to the next stays as it was.

use std::collections::BTreeMap;

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::{Seconds, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::accuracy::AccuracySums;
use crate::weekly::{RESAMPLES, WEEK_SECONDS};
use crate::{Replicates, bounded_slowdown};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Weeks.
    Weeks,
    /// Users; jobs without one are one more.
    Users,
}

/// Observes a simulation, and adds up its figures by week and by user.
#[derive(Clone, Debug)]
pub struct OtherWorkloads {
    slowdown_threshold: Seconds,
    weeks: BTreeMap<i64, Sums>,
    users: BTreeMap<Option<UserId>, Sums>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    jobs: f64,
    wait: f64,
    slowdown: f64,
    backfilled: f64,
    predicted: f64,
    absolute: f64,
    relative: f64,
}

/// The figures, by the names of [`crate::FIGURES`].
const FIGURES: [&str; 5] =
    ["wait.mean", "bounded_slowdown.mean", "backfilled", "accuracy.weighted.absolute", "accuracy.weighted.relative"];

impl OtherWorkloads {
    /// Nothing yet.
    pub fn new(slowdown_threshold: Seconds) -> Self {
        Self { slowdown_threshold, weeks: BTreeMap::new(), users: BTreeMap::new() }
    }

    /// One of the five figures on a thousand workloads. With the same seed and the same jobs the same weeks or users are drawn.
    ///
    /// # Panics
    /// If there is no figure of that name.
    pub fn of(&self, figure: &str, drawn: Drawn, seed: u64) -> Replicates {
        let figure = FIGURES.iter().position(|name| *name == figure).expect("a figure that exists");
        let groups: Vec<Sums> = match drawn {
            Drawn::Weeks => self.weeks.values().copied().collect(),
            Drawn::Users => self.users.values().copied().collect(),
        };
        let mut generator = Pcg64::seed_from_u64(seed);
        let drawn = (0..RESAMPLES).map(|_| {
            let mut sums = Sums::default();
            for _ in 0..groups.len() {
                sums = sums.plus(&groups[generator.random_range(0..groups.len())]);
            }
            sums.figures()[figure]
        });
        drawn.collect()
    }
}

impl Sums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            jobs: self.jobs + other.jobs,
            wait: self.wait + other.wait,
            slowdown: self.slowdown + other.slowdown,
            backfilled: self.backfilled + other.backfilled,
            predicted: self.predicted + other.predicted,
            absolute: self.absolute + other.absolute,
            relative: self.relative + other.relative,
        }
    }

    fn figures(&self) -> [f64; FIGURES.len()] {
        let Self { jobs, wait, slowdown, backfilled, predicted, absolute, relative } = *self;
        [wait / jobs, slowdown / jobs, backfilled, absolute / predicted, relative / predicted]
    }
}

impl Observer for OtherWorkloads {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let run = job.outcome.run();
        let mut accuracy = AccuracySums::default();
        accuracy.add(run, &job.accuracy);
        let accuracy = accuracy.summary();
        let own = Sums {
            jobs: 1.0,
            wait: job.wait().as_f64(),
            slowdown: bounded_slowdown(job.wait(), run, self.slowdown_threshold),
            backfilled: f64::from(u8::from(job.backfilled)),
            predicted: if accuracy.without_prediction > 0 { 0.0 } else { 1.0 },
            absolute: accuracy.weighted.absolute,
            relative: accuracy.weighted.relative,
        };
        let week = self.weeks.entry(job.submission.submitted.0.div_euclid(WEEK_SECONDS)).or_default();
        *week = week.plus(&own);
        let user = self.users.entry(job.submission.user).or_default();
        *user = user.plus(&own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weeks(waits: &[f64]) -> OtherWorkloads {
        let week = |wait: &f64| Sums { jobs: 10.0, wait: *wait, ..Sums::default() };
        let weeks = (0..).zip(waits.iter().map(week)).collect();
        OtherWorkloads { weeks, ..OtherWorkloads::new(Seconds(10)) }
    }

    #[test]
    fn weeks_that_are_alike_leave_no_doubt_and_others_do() {
        let of = |waits: &[f64]| weeks(waits).of("wait.mean", Drawn::Weeks, 1).middle95().expect("there are some");
        let (low, high) = of(&[50.0; 8]);
        assert!((low - 5.0).abs() < 1e-12 && (high - 5.0).abs() < 1e-12);
        let (low, high) = of(&[10.0, 90.0, 30.0, 70.0]);
        assert!(low < 4.0 && high > 6.0, "{low} {high}");
    }

    /// Both swing from week to week, but one is always half the other.
    #[test]
    fn a_comparison_draws_the_same_weeks_for_both_sides() {
        let [own, other] =
            [[10.0, 90.0, 30.0], [20.0, 180.0, 60.0]].map(|waits| weeks(&waits).of("wait.mean", Drawn::Weeks, 7));
        let (low, high) = own.percent_over(&other).middle95().expect("there are some");
        assert!((low + 50.0).abs() < 1e-9 && (high + 50.0).abs() < 1e-9, "{low} {high}");
    }
}
