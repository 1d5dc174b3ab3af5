//! How sure a figure is: the weeks of the log, drawn with replacement (R-P3).
//!
//! Jobs of one week err alike, so that jobs must not be drawn one by one. Two methods are compared on the same weeks.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::summary::Interval;
use super::sums::Sums;
use crate::Resampled;

const RESAMPLES: usize = 1_000;

/// A figure by name.
type Figure = (&'static str, fn(&Sums) -> f64);

/// The figures that get an interval.
const FIGURES: [Figure; 12] = [
    ("classes.single", |sums| sums.single / sums.jobs),
    ("classes.two", |sums| sums.two / sums.jobs),
    ("classes.three", |sums| sums.three / sums.jobs),
    ("classes.majority", |sums| sums.up_to_an_hour / sums.jobs),
    ("classes.single_over_1h", |sums| sums.single_over_an_hour / (sums.jobs - sums.up_to_an_hour)),
    ("classes.two_over_1h", |sums| sums.two_over_an_hour / (sums.jobs - sums.up_to_an_hour)),
    ("classes.three_over_1h", |sums| sums.three_over_an_hour / (sums.jobs - sums.up_to_an_hour)),
    ("error.mae_over_mean_wait", |sums| sums.error_seconds / sums.wait_seconds),
    ("error.over_response_time", |sums| sums.response_error / sums.response_jobs),
    ("bound95.coverage", |sums| sums.within_bound / sums.jobs),
    ("bound95.over_mean_wait", |sums| sums.bound_seconds / sums.wait_seconds),
    ("crps_over_mean_wait", |sums| sums.crps_seconds / sums.wait_seconds),
];

/// All of them, but for those of what no job was: the classes of long waits where nobody waited for long.
pub fn intervals(weeks: &[Sums], seed: u64) -> BTreeMap<&'static str, Interval> {
    let mut figures: Vec<Vec<f64>> = vec![Vec::new(); FIGURES.len()];
    draws(weeks.len(), seed, |drawn| {
        let total = total(drawn.iter().map(|week| &weeks[*week]));
        for (values, (_, figure)) in figures.iter_mut().zip(FIGURES) {
            values.push(figure(&total));
        }
    });
    let intervals = FIGURES.iter().zip(figures).map(|((name, _), values)| (*name, middle(values)));
    intervals.filter(|(_, interval)| interval.low95.is_finite()).collect()
}

/// How much larger a figure of one is than of the other, over the same weeks; `None` if the figure has no interval.
pub fn difference(weeks: &[[Sums; 2]], name: &str, seed: u64) -> Option<Resampled> {
    let (_, figure) = FIGURES.iter().find(|(known, _)| *known == name)?;
    let between = |chosen: &[usize]| {
        let side = |side: usize| figure(&total(chosen.iter().map(|week| &weeks[*week][side])));
        side(0) - side(1)
    };
    let mut values = Vec::new();
    draws(weeks.len(), seed, |drawn| values.push(between(drawn)));
    let Interval { low95, high95 } = middle(values);
    let all: Vec<usize> = (0..weeks.len()).collect();
    Some(Resampled { value: between(&all), low95, high95 })
}

fn total<'a>(weeks: impl Iterator<Item = &'a Sums>) -> Sums {
    weeks.fold(Sums::default(), |total, week| total.plus(week))
}

/// Draws as many weeks as there are, with replacement, a thousand times.
pub fn draws(weeks: usize, seed: u64, mut on_drawn: impl FnMut(&[usize])) {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut drawn = vec![0; weeks];
    if weeks == 0 {
        return;
    }
    for _ in 0..RESAMPLES {
        for week in &mut drawn {
            *week = generator.random_range(0..weeks);
        }
        on_drawn(&drawn);
    }
}

/// Where 95 % of the values lie.
pub fn middle(mut values: Vec<f64>) -> Interval {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let at = |per_mille: usize| values.get(values.len() * per_mille / 1_000).copied().unwrap_or(f64::NAN);
    Interval { low95: at(25), high95: at(975) }
}
