//! How likely a wait is to exceed each of a row of thresholds: one ensemble of boosted trees a threshold (ADR 0009).
//!
//! Trainings of thresholds do not know of each other, so they run side by side, each on one thread: the
//! same examples give the same trees, however many threads there are.

use forust_ml::data::Matrix;
use forust_ml::gradientbooster::GradientBooster;
use forust_ml::objective::ObjectiveType;
use forust_ml::sampler::SampleMethod;
use queuecast_workload::{Seconds, Time};
use rayon::prelude::*;

use super::examples::{Examples, InputRow};
use crate::circumstances::INPUTS;
use crate::distribution::WaitDistribution;

/// The bounds of the six classes, and more of them where waits are short and where they are long.
const THRESHOLDS: [Seconds; 9] = [
    Seconds(60),
    Seconds(600),
    Seconds(3_600),
    Seconds(3 * 3_600),
    Seconds(6 * 3_600),
    Seconds(12 * 3_600),
    Seconds(24 * 3_600),
    Seconds(48 * 3_600),
    Seconds(96 * 3_600),
];
/// With fewer jobs on either side of a threshold, their share is all that is said.
const LEAST_ON_EITHER_SIDE: usize = 20;
/// So many waits stand for all between two thresholds.
const WAITS_PER_BAND: usize = 16;

/// How trees are grown: what boosting libraries commonly do by themselves, with smaller steps and leaves. Not searched for.
mod growth {
    pub(super) const LEARNING_RATE: f32 = 0.08;
    pub(super) const DEPTH: usize = 6;
    pub(super) const LEAVES: usize = 31;
    pub(super) const LEAST_LEAF_WEIGHT: f32 = 3.0;
    pub(super) const SHARE_OF_JOBS: f32 = 0.7;
    pub(super) const SHARE_OF_INPUTS: f64 = 0.5;
    pub(super) const BINS: u16 = 128;
}

/// What was learnt for one threshold.
enum Learnt {
    /// The share of jobs that waited longer.
    Share(f64),
    Trees(Box<GradientBooster>),
}

/// What was learnt from a set of examples.
pub(super) struct Exceedances {
    learnt: Vec<Learnt>,
    /// The waits that stand for each band: up to the first threshold, between two, beyond the last.
    bands: Vec<Vec<f64>>,
}

impl Exceedances {
    pub(super) fn learn(examples: &Examples, now: Time, trees: u32, seed: u64) -> Self {
        let learnt = THRESHOLDS.par_iter().map(|threshold| learn(examples, *threshold, now, trees, seed));
        Self { learnt: learnt.collect(), bands: bands(examples.waits().collect()) }
    }

    /// The distribution of a job's wait.
    pub(super) fn distribution(&self, row: &InputRow) -> WaitDistribution {
        let mut above = 1.0_f64;
        let mut weighted = Vec::with_capacity(self.bands.len() * WAITS_PER_BAND);
        let ends = self.learnt.iter().map(|learnt| learnt.exceeds(row)).chain([0.0]);
        for (band, exceeds) in self.bands.iter().zip(ends) {
            // Thresholds were learnt one by one: to exceed the higher can still not be likelier than the lower.
            let exceeds = above.min(exceeds);
            let weight = (above - exceeds) / band.len() as f64;
            weighted.extend(band.iter().map(|wait| (*wait, weight)));
            above = exceeds;
        }
        WaitDistribution::weighted(weighted)
    }
}

impl Learnt {
    fn exceeds(&self, row: &InputRow) -> f64 {
        match self {
            Self::Share(share) => *share,
            Self::Trees(trees) => {
                let log_odds = trees.predict(&Matrix::new(row, 1, INPUTS), false);
                log_odds.first().map_or(0.0, |log_odds| 1.0 / (1.0 + (-log_odds).exp()))
            }
        }
    }
}

fn learn(examples: &Examples, longer_than: Seconds, now: Time, trees: u32, seed: u64) -> Learnt {
    let (rows, labels): (Vec<&InputRow>, Vec<f64>) =
        examples.labelled(longer_than, now).map(|(row, longer)| (row, f64::from(u8::from(longer)))).unzip();
    let longer = labels.iter().filter(|label| **label > 0.5).count();
    let share = Learnt::Share(longer as f64 / rows.len().max(1) as f64);
    if longer.min(rows.len() - longer) < LEAST_ON_EITHER_SIDE {
        return share;
    }
    // Column by column, as the library wants it.
    let columns: Vec<f64> = (0..INPUTS).flat_map(|input| rows.iter().map(move |row| row[input])).collect();
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::LogLoss)
        .set_iterations(trees as usize)
        .set_learning_rate(growth::LEARNING_RATE)
        .set_max_depth(growth::DEPTH)
        .set_max_leaves(growth::LEAVES)
        .set_min_leaf_weight(growth::LEAST_LEAF_WEIGHT)
        .set_sample_method(SampleMethod::Random)
        .set_subsample(growth::SHARE_OF_JOBS)
        .set_colsample_bytree(growth::SHARE_OF_INPUTS)
        .set_nbins(growth::BINS)
        .set_parallel(false)
        .set_seed(seed);
    match booster.fit_unweighted(&Matrix::new(&columns, rows.len(), INPUTS), &labels, None) {
        Ok(()) => Learnt::Trees(Box::new(booster)),
        // An input that is the same for all jobs is none to the library, and with nothing to ask it refuses.
        Err(_) => share,
    }
}

/// For each band evenly spaced waits of those on record within it; its middle where there are none.
fn bands(mut waits: Vec<f64>) -> Vec<Vec<f64>> {
    waits.sort_by(f64::total_cmp);
    let bounds: Vec<f64> = THRESHOLDS.iter().map(|threshold| threshold.as_f64()).collect();
    let mut from = 0;
    let mut lower = 0.0;
    let mut bands = Vec::with_capacity(bounds.len() + 1);
    for upper in bounds.into_iter().chain([f64::INFINITY]) {
        let to = waits.partition_point(|wait| *wait <= upper);
        let within = &waits[from..to];
        let middle = if upper.is_finite() { f64::midpoint(lower, upper) } else { 1.5 * lower };
        let spaced = (0..WAITS_PER_BAND).map(|place| (2 * place + 1) * within.len() / (2 * WAITS_PER_BAND));
        let band = if within.is_empty() { vec![middle] } else { spaced.map(|place| within[place]).collect() };
        bands.push(band);
        (from, lower) = (to, upper);
    }
    bands
}

#[cfg(test)]
mod tests {
    use queuecast_workload::JobId;

    use super::*;
    use crate::class::CLASS_BOUNDS;

    /// Two kinds of job: those whose first input is below 50 wait for half an hour, the others for ten.
    fn examples() -> Examples {
        let mut examples = Examples::new(10_000);
        for id in 0..600_u64 {
            let mut row = [f64::NAN; INPUTS];
            row[0] = (id % 100) as f64;
            row[1] = (id * 7 % 13) as f64;
            examples.arrive(JobId(id), Time(0), &row);
            examples.start(JobId(id), Seconds(if id % 100 < 50 { 1_800 } else { 36_000 }));
        }
        examples
    }

    fn row(first: f64) -> InputRow {
        let mut row = [f64::NAN; INPUTS];
        row[0] = first;
        row[1] = 4.0;
        row
    }

    #[test]
    fn what_decides_waits_is_found() {
        let learnt = Exceedances::learn(&examples(), Time(100_000), 100, 1);
        assert!(learnt.distribution(&row(10.0)).classes()[0] > 0.9);
        assert!(learnt.distribution(&row(90.0)).classes()[3] > 0.9);
    }

    #[test]
    fn threads_do_not_change_what_is_learnt() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| Exceedances::learn(&examples(), Time(100_000), 100, 1).distribution(&row(49.0)))
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn with_few_examples_their_shares_are_said() {
        let mut few = Examples::new(100);
        for id in 0..10 {
            few.arrive(JobId(id), Time(0), &[0.0; INPUTS]);
            few.start(JobId(id), Seconds(if id < 4 { 10 } else { 7_200 }));
        }
        let said = Exceedances::learn(&few, Time(100_000), 100, 1).distribution(&row(1.0));
        assert!((said.classes()[0] - 0.4).abs() < 1e-9 && (said.classes()[1] - 0.6).abs() < 1e-9, "{said:?}");
    }

    #[test]
    fn class_bounds_are_thresholds_so_classes_are_what_was_learnt() {
        assert!(CLASS_BOUNDS.iter().all(|bound| THRESHOLDS.contains(bound)));
    }
}
