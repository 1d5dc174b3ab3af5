//! A forest that keeps outcomes in its leaves, so that what it says is a distribution, the atom of those who do not wait included.
//!
//! Extremely randomised trees (Geurts, Ernst, Wehenkel 2006): at every node each input is cut at a random place, and the cut that tells the
//! logarithms of waits apart best is taken (`tree.rs`). What a leaf says are the outcomes of the rows in it (quantile regression forests:
//! Meinshausen 2006). None of the maintained libraries we know keeps them, and boosting learns one number a leaf; so this is ours
//! (`docs/adr/0014-one-forecaster.md`).
//!
//! What comes after a forest was grown is added to its leaves; which questions are asked stays as it was until the next one.
//!
//! The same rows, settings and seed give the same forest, on any number of threads.

use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::curve::{SPANS, WaitCurve};
use super::rows::{Rows, byte_of_cell};
use super::tree::Tree;

/// How a forest is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForestSettings {
    /// How many trees.
    pub trees: u32,
    /// The fewest rows of a leaf.
    pub least_leaf: usize,
    /// How many rows a tree is shown, as a share of all; they are drawn one by one, so that some come twice.
    pub rows_shown: f64,
    /// Below one, later rows are drawn more often: a drawn row's place is a random share of all, to this power.
    pub recency: f64,
    /// Decides every random number.
    pub seed: u64,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self { trees: 60, least_leaf: 2, rows_shown: 0.4, recency: 0.6, seed: 1 }
    }
}

/// What stands for an input that is not known: below everything that is.
pub const UNKNOWN: f32 = -3.0;

/// A forest.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    trees: Vec<Tree>,
    rows: usize,
}

impl Forest {
    /// Learns.
    pub fn learn(rows: &Rows, settings: &ForestSettings) -> Self {
        let tree = |number: u32| {
            let random = Pcg64::seed_from_u64(settings.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(number)));
            Tree::grow(rows, settings, random)
        };
        Self { trees: (0..settings.trees).into_par_iter().map(tree).collect(), rows: rows.len() }
    }

    /// How many rows it has learnt from.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How long a job with these inputs waits.
    pub fn curve(&self, row: &[f32]) -> WaitCurve {
        let mut counts = [0.0_f32; SPANS];
        for tree in &self.trees {
            let outcomes = tree.outcomes(row);
            let weight = 1.0 / outcomes.len().max(1) as f32;
            for outcome in outcomes {
                counts[usize::from(*outcome)] += weight;
            }
        }
        WaitCurve::of_counts(counts)
    }

    /// One more outcome, for the leaves as they are: until the next forest is grown nothing that has come is left out.
    pub fn add(&mut self, row: &[f32], wait_seconds: f64) {
        let outcome = byte_of_cell(wait_seconds);
        self.rows += 1;
        for tree in &mut self.trees {
            tree.add(row, outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever's first input is below 50 waits for half an hour or not at all, the others for ten hours; the second says nothing, the third
    /// is often not known.
    fn rows() -> Rows {
        let rows: Vec<([f32; 3], f64)> = (0..2_000_u16)
            .map(|row| {
                let first = f32::from(row % 100);
                let wait = if first >= 50.0 {
                    36_000.0
                } else if row % 3 == 0 {
                    0.0
                } else {
                    1_800.0
                };
                ([first, f32::from(row * 7 % 13), if row % 2 == 0 { f32::NAN } else { 1.0 }], wait)
            })
            .collect();
        Rows::of(rows.iter().map(|(row, wait)| (&row[..], *wait)))
    }

    #[test]
    fn what_decides_waits_is_found_with_those_who_do_not_wait() {
        let forest = Forest::learn(&rows(), &ForestSettings::default());
        // A leaf has two outcomes and more, so one job's share is rough.
        let at_once = |first: u16| forest.curve(&[f32::from(first), f32::from(first % 13), f32::NAN]).place_of(0.0).1;
        let mean_at_once = (0..50).map(at_once).sum::<f64>() / 50.0;
        assert!((mean_at_once - 1.0 / 3.0).abs() < 0.05, "{mean_at_once}");
        let short = forest.curve(&[20.0, 3.0, f32::NAN]);
        assert!((short.quantile(0.6) / 1_800.0 - 1.0).abs() < 0.16, "{}", short.quantile(0.6));
        let long = forest.curve(&[80.0, 3.0, 1.0]);
        assert!((long.quantile(0.5) / 36_000.0 - 1.0).abs() < 0.16, "{}", long.quantile(0.5));
    }

    #[test]
    fn what_comes_after_it_was_grown_counts_where_it_belongs() {
        let mut forest = Forest::learn(&rows(), &ForestSettings::default());
        // The leaf has hundreds of outcomes: nothing tells those who wait for ten hours apart.
        for _ in 0..4_000 {
            forest.add(&[80.0, 3.0, 1.0], 600.0);
        }
        let [long, short] = [80.0, 20.0].map(|first| forest.curve(&[first, 3.0, 1.0]).quantile(0.6));
        assert!((long / 600.0 - 1.0).abs() < 0.16, "{long}");
        assert!((short / 1_800.0 - 1.0).abs() < 0.16, "{short}");
    }

    /// Nothing tells them apart but when they came: half an hour at first, ten hours later.
    #[test]
    fn later_rows_are_drawn_more_often() {
        let rows: Vec<([f32; 1], f64)> =
            (0..2_000).map(|row| ([1.0], if row < 1_000 { 1_800.0 } else { 36_000.0 })).collect();
        let rows = Rows::of(rows.iter().map(|(row, wait)| (&row[..], *wait)));
        let [all_alike, later] = [1.0, 0.5].map(|recency| {
            let settings = ForestSettings { recency, ..ForestSettings::default() };
            1.0 - Forest::learn(&rows, &settings).curve(&[1.0]).place_of(7_200.0).1
        });
        assert!((all_alike - 0.5).abs() < 0.02, "{all_alike}");
        assert!((later - 0.75).abs() < 0.02, "a root of a half is what came before: {later}");
    }

    #[test]
    fn threads_do_not_change_what_is_learnt() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| Forest::learn(&rows(), &ForestSettings::default()).curve(&[49.0, 3.0, 1.0]))
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn few_rows_or_none_are_a_leaf() {
        let few = Rows::of([(&[1.0_f32][..], 600.0)].into_iter());
        assert!(
            (Forest::learn(&few, &ForestSettings::default()).curve(&[5.0]).quantile(0.5) / 600.0 - 1.0).abs() < 0.16
        );
        let none = Forest::learn(&Rows::default(), &ForestSettings::default());
        assert!(none.curve(&[5.0]).quantile(0.9).abs() < 1e-9);
    }
}
