//! Bounds that hold as often as they say: adaptive conformal correction of forecast waits (R-O5).
//!
//! For: a forecaster's quantiles are too low or too high in ways that change over months. [`AdaptiveBound`] watches
//! how far actual waits lay from what was said and moves one quantile accordingly; [`QuantileCalibrator`] does so for
//! a whole distribution. The score of a wait is ln((wait + 600) / (said + 600)): ten minutes are as bad at half an
//! hour as an hour is at six, and nothing is made of seconds. The corrected bound is an [`AdaptiveQuantile`] of the scores.
//!
//! Not for: making the forecasts. Nothing is learnt of a job before it has started, but for one thing: a job that has
//! waited longer than its bound is a miss already, and waiting for its start would report the worst waits last
//! ([`AdaptiveBound::overdue`]).

use crate::calibration::adaptive_quantile::AdaptiveQuantile;
use crate::distribution::WaitDistribution;

/// Added to waits before they are compared.
const OFFSET_SECONDS: f64 = 600.0;
/// With fewer scores than this a bin goes by the scores of all bins.
const BIN_JOBS: usize = 200;
/// The longest bound that is ever given, about 300 years; what is to be corrected may be anything.
const LONGEST_SECONDS: f64 = 1e10;

/// The levels that are corrected one by one.
pub const CALIBRATED_LEVELS: [f64; 21] = [
    0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975,
    0.99,
];

/// The upper ends of the bins of [`wait_bin`], in seconds.
const BIN_BOUNDS_SECONDS: [f64; 6] = [60.0, 1_800.0, 7_200.0, 21_600.0, 43_200.0, 86_400.0];

/// The bin of a forecast wait, from zero: for coverage that holds for short and for long forecasts alike.
pub fn wait_bin(raw_seconds: f64) -> usize {
    BIN_BOUNDS_SECONDS.iter().filter(|bound| raw_seconds > **bound).count()
}

/// How many bins [`wait_bin`] tells apart.
pub const WAIT_BINS: usize = BIN_BOUNDS_SECONDS.len() + 1;

/// A bound that was given for a job, to be handed back when more is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IssuedBound {
    raw_seconds: f64,
    bin: usize,
    seconds: f64,
    /// Whether it has been counted as a miss while the job still waited.
    counted: bool,
}

impl IssuedBound {
    /// The bound, in seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Corrects one quantile.
#[derive(Clone, Debug)]
pub struct AdaptiveBound {
    everything: AdaptiveQuantile,
    bins: Vec<AdaptiveQuantile>,
}

impl AdaptiveBound {
    /// A bound that waits shall not exceed with this probability, with one bin. Nothing is corrected yet.
    pub fn new(target: f64) -> Self {
        Self::with_bins(target, 1)
    }

    /// The same, told apart by this many bins (Mondrian); a bin beyond the last counts as the last.
    pub fn with_bins(target: f64, bins: usize) -> Self {
        let target = target.clamp(0.0, 1.0);
        // A single bin is everything.
        let apart = if bins > 1 { bins } else { 0 };
        Self { everything: AdaptiveQuantile::new(target), bins: vec![AdaptiveQuantile::new(target); apart] }
    }

    /// The corrected bound of a raw one, in seconds.
    pub fn bound(&self, raw_seconds: f64, bin: usize) -> f64 {
        shifted(raw_seconds, self.correction(bin))
    }

    /// The corrected bound, to be handed back.
    pub fn issue(&self, raw_seconds: f64, bin: usize) -> IssuedBound {
        IssuedBound { raw_seconds, bin, seconds: self.bound(raw_seconds, bin), counted: false }
    }

    /// By how much raw bounds are moved: the logarithm of the factor.
    pub fn correction(&self, bin: usize) -> f64 {
        let place = bin.min(self.bins.len().saturating_sub(1));
        let scores = self.bins.get(place).filter(|scores| scores.scores() >= BIN_JOBS).unwrap_or(&self.everything);
        scores.quantile()
    }

    /// A job that still waits has waited for this long: if that is beyond its bound, the miss counts now and no more
    /// later. Says whether the bound is missed by now.
    pub fn overdue(&mut self, issued: &mut IssuedBound, waited_seconds: f64) -> bool {
        let missed = waited_seconds > issued.seconds;
        if missed && !issued.counted {
            issued.counted = true;
            self.each(issued.bin, |scores| scores.adapt(true));
        }
        missed
    }

    /// A job started after `actual_seconds`; `issued` is what was said of it.
    pub fn started(&mut self, issued: IssuedBound, actual_seconds: f64) {
        let score = score(issued.raw_seconds, actual_seconds);
        self.each(issued.bin, |scores| {
            if !issued.counted {
                scores.adapt(actual_seconds > issued.seconds);
            }
            scores.push(score);
        });
    }

    /// The same for whoever does not keep what was said: as if the raw bound had been corrected just now.
    pub fn learn(&mut self, raw_seconds: f64, bin: usize, actual_seconds: f64) {
        self.started(self.issue(raw_seconds, bin), actual_seconds);
    }

    fn each(&mut self, bin: usize, mut learn: impl FnMut(&mut AdaptiveQuantile)) {
        learn(&mut self.everything);
        let place = bin.min(self.bins.len().saturating_sub(1));
        if let Some(scores) = self.bins.get_mut(place) {
            learn(scores);
        }
    }
}

fn score(raw_seconds: f64, actual_seconds: f64) -> f64 {
    let sound = |seconds: f64| if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, LONGEST_SECONDS) };
    ((sound(actual_seconds) + OFFSET_SECONDS) / (sound(raw_seconds) + OFFSET_SECONDS)).ln()
}

fn shifted(raw_seconds: f64, correction: f64) -> f64 {
    let raw_seconds = if raw_seconds.is_nan() { 0.0 } else { raw_seconds.clamp(0.0, LONGEST_SECONDS) };
    ((raw_seconds + OFFSET_SECONDS) * correction.exp() - OFFSET_SECONDS).clamp(0.0, LONGEST_SECONDS)
}

/// What was said of a job at every level, to be handed back.
#[derive(Clone, Debug, PartialEq)]
pub struct IssuedQuantiles([IssuedBound; CALIBRATED_LEVELS.len()]);

/// Corrects whole distributions: every level of [`CALIBRATED_LEVELS`] by itself, what lies between in proportion.
#[derive(Clone, Debug)]
pub struct QuantileCalibrator {
    levels: [AdaptiveBound; CALIBRATED_LEVELS.len()],
}

impl Default for QuantileCalibrator {
    fn default() -> Self {
        Self::with_bins(1)
    }
}

impl QuantileCalibrator {
    /// Nothing is corrected yet; told apart by this many bins.
    pub fn with_bins(bins: usize) -> Self {
        Self { levels: CALIBRATED_LEVELS.map(|level| AdaptiveBound::with_bins(level, bins)) }
    }

    /// The corrected distribution of a raw one, and what to hand back once its job has started.
    pub fn correct(&self, raw: &WaitDistribution, bin: usize) -> (WaitDistribution, IssuedQuantiles) {
        let corrections = self.levels.each_ref().map(|level| level.correction(bin));
        // Every raw point is cut where a level lies inside its share, so that each level has a point of its own.
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut levels = CALIBRATED_LEVELS.iter().copied().peekable();
        let mut share_before = 0.0;
        let mut longest = 0.0_f64;
        for (seconds, share) in raw.points() {
            let cuts = std::iter::from_fn(|| levels.next_if(|level| *level < share - 1e-12));
            for cut in cuts.chain([share]) {
                // Corrections of neighbouring levels may cross; quantiles may not.
                longest = longest.max(shifted(seconds, interpolated(&corrections, cut)));
                points.push((longest, cut - share_before));
                share_before = cut;
            }
            while levels.next_if(|level| *level <= share + 1e-12).is_some() {}
        }
        let corrected = WaitDistribution::weighted(points);
        let mut place = 0;
        let issued = self.levels.each_ref().map(|level| {
            let target = CALIBRATED_LEVELS[place];
            place += 1;
            let raw_seconds = raw.quantile(target);
            IssuedBound { seconds: corrected.quantile(target), ..level.issue(raw_seconds, bin) }
        });
        (corrected, IssuedQuantiles(issued))
    }

    /// A job that still waits has waited for this long: levels it has outlived count as missed.
    pub fn overdue(&mut self, issued: &mut IssuedQuantiles, waited_seconds: f64) {
        for (level, issued) in self.levels.iter_mut().zip(&mut issued.0) {
            level.overdue(issued, waited_seconds);
        }
    }

    /// A job started.
    pub fn started(&mut self, issued: &IssuedQuantiles, actual_seconds: f64) {
        for (level, issued) in self.levels.iter_mut().zip(issued.0) {
            level.started(issued, actual_seconds);
        }
    }
}

/// The correction at a share, on a straight line between levels and level beyond them.
fn interpolated(corrections: &[f64; CALIBRATED_LEVELS.len()], share: f64) -> f64 {
    let above = CALIBRATED_LEVELS.partition_point(|level| *level < share - 1e-12);
    if above == 0 {
        return corrections[0];
    }
    if above == CALIBRATED_LEVELS.len() {
        return corrections[above - 1];
    }
    let (low, high) = (CALIBRATED_LEVELS[above - 1], CALIBRATED_LEVELS[above]);
    let part = ((share - low) / (high - low)).clamp(0.0, 1.0);
    corrections[above - 1] + part * (corrections[above] - corrections[above - 1])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// Waits of which the forecaster thinks they are spread evenly up to 10,000 s, while their spread triples and
    /// shrinks again.
    fn drifting_wait(job: u32, generator: &mut Pcg64) -> f64 {
        let drift = 2.0 + (f64::from(job) / 4_000.0).sin();
        generator.random::<f64>() * 10_000.0 * drift
    }

    #[test]
    fn coverage_converges_to_the_target_while_waits_drift() {
        let generator = &mut Pcg64::seed_from_u64(1);
        for target in [0.5, 0.8, 0.95] {
            let mut bound = AdaptiveBound::new(target);
            let mut covered = [0.0, 0.0];
            for job in 0..40_000 {
                let raw_seconds = target * 10_000.0;
                let issued = bound.issue(raw_seconds, 0);
                let actual_seconds = drifting_wait(job, generator);
                covered[0] += f64::from(u8::from(actual_seconds <= raw_seconds)) / 40_000.0;
                covered[1] += f64::from(u8::from(actual_seconds <= issued.seconds())) / 40_000.0;
                bound.started(issued, actual_seconds);
            }
            assert!((covered[1] - target).abs() < 0.01, "{target}: {covered:?}");
            assert!((covered[0] - target).abs() > 0.1, "{target}: there was nothing to correct, {covered:?}");
        }
    }

    #[test]
    fn bins_are_covered_each_by_itself() {
        let generator = &mut Pcg64::seed_from_u64(2);
        for (bins, closest) in [(1, false), (2, true)] {
            let mut bound = AdaptiveBound::with_bins(0.9, bins);
            let (mut covered, mut jobs) = ([0.0, 0.0], [0.0, 0.0]);
            for job in 0..30_000 {
                let bin = job % 2;
                let raw_seconds = [1_000.0, 20_000.0][bin];
                let actual_seconds = generator.random::<f64>() * [6_000.0, 20_000.0][bin];
                if job > 3_000 {
                    jobs[bin] += 1.0;
                    covered[bin] += f64::from(u8::from(actual_seconds <= bound.bound(raw_seconds, bin)));
                }
                bound.learn(raw_seconds, bin, actual_seconds);
            }
            let near = (0..2).all(|bin| (covered[bin] / jobs[bin] - 0.9_f64).abs() < 0.02);
            assert_eq!(near, closest, "{bins} bins: {covered:?} of {jobs:?}");
        }
    }

    #[test]
    fn nothing_is_learnt_before_a_job_starts_but_that_it_is_overdue() {
        let mut bound = AdaptiveBound::new(0.9);
        for _ in 0..100 {
            bound.learn(1_000.0, 0, 500.0);
        }
        let before = bound.clone();
        let mut issued = bound.issue(1_000.0, 0);
        let promised_seconds = issued.seconds();
        assert!(!bound.overdue(&mut issued, promised_seconds), "it may still keep its bound");
        assert_eq!(bound.everything, before.everything);
        let mut expected = before.everything;
        expected.adapt(true);
        assert!(bound.overdue(&mut issued, promised_seconds + 1.0));
        assert_eq!(bound.everything, expected);
        assert!(bound.overdue(&mut issued, 90_000.0));
        assert_eq!(bound.everything, expected, "a miss counts once");
        bound.started(issued, 100_000.0);
        expected.push(score(1_000.0, 100_000.0));
        assert_eq!(bound.everything, expected, "its score comes with the start");
    }

    #[test]
    fn without_experience_the_raw_bound_stands() {
        let bound = AdaptiveBound::with_bins(0.95, WAIT_BINS);
        assert!((bound.bound(1_234.0, wait_bin(1_234.0)) - 1_234.0).abs() < 1e-9);
        let raw = WaitDistribution::weighted([(0.0, 3.0), (60.0, 2.0), (5_000.0, 1.0)]);
        let (corrected, _) = QuantileCalibrator::default().correct(&raw, 0);
        for step in 0..=100 {
            let share = f64::from(step) / 100.0;
            assert!((corrected.quantile(share) - raw.quantile(share)).abs() < 1e-6, "{share}");
        }
    }

    #[test]
    fn a_whole_distribution_is_calibrated_at_every_level() {
        let generator = &mut Pcg64::seed_from_u64(3);
        let mut calibrator = QuantileCalibrator::default();
        let raw = WaitDistribution::of((1..=64).map(|future| f64::from(future) * 10_000.0 / 64.0));
        let shares = [0.1, 0.5, 0.8, 0.9, 0.95, 0.99];
        let mut covered = [0.0; 6];
        for job in 0..23_000 {
            let (corrected, issued) = calibrator.correct(&raw, 0);
            let actual_seconds = drifting_wait(job, generator);
            if job >= 3_000 {
                for (covered, share) in covered.iter_mut().zip(shares) {
                    *covered += f64::from(u8::from(actual_seconds <= corrected.quantile(share))) / 20_000.0;
                }
            }
            calibrator.started(&issued, actual_seconds);
        }
        for (covered, share) in covered.into_iter().zip(shares) {
            assert!((covered - share).abs() < 0.012, "{share}: {covered}");
        }
    }

    proptest! {
        #[test]
        fn corrected_quantiles_rise_whatever_happened(
            waits in proptest::collection::vec((0.0..50_000.0_f64, 0.0..50_000.0_f64), 0..60),
            values in proptest::collection::vec((0.0..200_000.0_f64, 0.1..3.0_f64), 1..40),
        ) {
            let mut calibrator = QuantileCalibrator::with_bins(WAIT_BINS);
            for (said, actual) in waits {
                let (_, issued) = calibrator.correct(&WaitDistribution::of([said, 2.0 * said]), wait_bin(said));
                calibrator.started(&issued, actual);
            }
            let raw = WaitDistribution::weighted(values);
            let (corrected, issued) = calibrator.correct(&raw, wait_bin(raw.quantile(0.5)));
            prop_assert!(issued.0.iter().map(IssuedBound::seconds).is_sorted());
            let quantiles: Vec<f64> = (0..=50).map(|step| corrected.quantile(f64::from(step) / 50.0)).collect();
            prop_assert!(quantiles.is_sorted() && quantiles.iter().all(|seconds| seconds.is_finite()));
            prop_assert!((corrected.points().map(|(_, share)| share).last().unwrap_or(0.0) - 1.0).abs() < 1e-12);
        }
    }
}
