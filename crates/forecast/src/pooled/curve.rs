//! Distributions of waits in the one form all experts give them: the share of waits up to each of a row of spans.
//!
//! For: mixing. A weighted sum of curves is a curve, and so is the score of a mixture found span by span. The spans are seconds at first
//! and then 15 % apart, up to weeks; between two of them a curve is taken to rise evenly in the logarithm.
//!
//! Not for: keeping exact values ([`crate::WaitDistribution`]).

use crate::distribution::WaitDistribution;

/// How many spans.
pub const SPANS: usize = 90;

/// Seconds before the logarithm is taken of: below a minute waits are all alike.
const OFFSET_SECONDS: f64 = 60.0;

/// The spans in seconds.
pub const SPAN_SECONDS: [f64; SPANS] = spans();

const fn spans() -> [f64; SPANS] {
    let mut spans = [0.0; SPANS];
    let first = [0.0, 5.0, 10.0, 20.0, 30.0, 45.0];
    let mut place = 0;
    while place < first.len() {
        spans[place] = first[place];
        place += 1;
    }
    let mut span = 60.0;
    while place < SPANS {
        spans[place] = span;
        span *= 1.15;
        place += 1;
    }
    spans
}

fn logarithm(seconds: f64) -> f64 {
    (seconds + OFFSET_SECONDS).ln()
}

/// The share of waits up to each span. Never falls; the last is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaitCurve(pub [f32; SPANS]);

impl WaitCurve {
    /// Of waits in seconds that all count alike; without any it is certain that nobody waits.
    pub fn of(waits: impl IntoIterator<Item = f64>) -> Self {
        let mut counts = [0.0; SPANS];
        for wait in waits {
            counts[cell(wait)] += 1.0;
        }
        Self::of_counts(counts)
    }

    /// Of so much weight in each cell; of none it is certain that nobody waits.
    pub fn of_counts(counts: [f32; SPANS]) -> Self {
        let total: f32 = counts.iter().sum();
        if total <= 0.0 {
            return Self([1.0; SPANS]);
        }
        let mut sum = 0.0;
        let mut curve = counts.map(|count| {
            sum += count;
            (sum / total).min(1.0)
        });
        curve[SPANS - 1] = 1.0;
        Self(curve)
    }

    /// A mixture. Weights sum to one.
    pub fn mixed<'a>(curves: impl IntoIterator<Item = (&'a Self, f64)>) -> Self {
        let mut mixed = [0.0_f32; SPANS];
        for (curve, weight) in curves {
            #[expect(clippy::cast_possible_truncation, reason = "a share")]
            let weight = weight as f32;
            for (sum, share) in mixed.iter_mut().zip(&curve.0) {
                *sum += weight * share;
            }
        }
        mixed[SPANS - 1] = 1.0;
        Self(mixed)
    }

    /// The wait up to which this share lies.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = self.0.partition_point(|sum| f64::from(*sum) < share - 1e-9);
        if place == 0 {
            return 0.0;
        }
        if place >= SPANS {
            return SPAN_SECONDS[SPANS - 1];
        }
        let (below, here) = (f64::from(self.0[place - 1]), f64::from(self.0[place]));
        let part = ((share - below) / (here - below).max(1e-9)).clamp(0.0, 1.0);
        let (from, to) = (logarithm(SPAN_SECONDS[place - 1]), logarithm(SPAN_SECONDS[place]));
        ((from + part * (to - from)).exp() - OFFSET_SECONDS).max(0.0)
    }

    /// The shares below a wait and up to it, within a cell in proportion; at no wait at all from nothing to what is there.
    pub fn place_of(&self, wait_seconds: f64) -> (f64, f64) {
        let here = cell(wait_seconds);
        let up_to = f64::from(self.0[here]);
        let Some(below) = here.checked_sub(1).map(|place| f64::from(self.0[place])) else { return (0.0, up_to) };
        let (from, to) = (logarithm(SPAN_SECONDS[here - 1]), logarithm(SPAN_SECONDS[here]));
        let part = ((logarithm(wait_seconds) - from) / (to - from)).clamp(0.0, 1.0);
        let place = below + part * (up_to - below);
        (place, place)
    }

    /// The same as values at evenly spaced shares, each as it is to be said.
    pub fn distribution(&self, said: impl Fn(&Self, f64) -> f64) -> WaitDistribution {
        const VALUES: u32 = 100;
        let mut longest = 0.0_f64;
        WaitDistribution::of((0..VALUES).map(|value| {
            let share = (f64::from(value) + 0.5) / f64::from(VALUES);
            longest = longest.max(said(self, share));
            longest
        }))
    }
}

/// A wait as exact as the model has it: where some of its futures, which must be sorted, end within the same span, one of them. A span is
/// up to 15 % wide, and a model that is sure says a second.
pub fn refined(wait_seconds: f64, futures: &[f64]) -> f64 {
    let here = cell(wait_seconds);
    let from = here.checked_sub(1).map_or(f64::NEG_INFINITY, |before| SPAN_SECONDS[before]);
    let to = if here == SPANS - 1 { f64::INFINITY } else { SPAN_SECONDS[here] };
    let within = &futures[futures.partition_point(|wait| *wait <= from)..futures.partition_point(|wait| *wait <= to)];
    let part = if from.is_finite() && to.is_finite() {
        (logarithm(wait_seconds) - logarithm(from)) / (logarithm(to) - logarithm(from))
    } else {
        0.5
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
    let place = (part.clamp(0.0, 1.0) * within.len() as f64) as usize;
    within.get(place.min(within.len().saturating_sub(1))).copied().unwrap_or(wait_seconds)
}

/// The first span that holds a wait; the last for any longer one.
pub fn cell(wait_seconds: f64) -> usize {
    SPAN_SECONDS.partition_point(|span| *span < wait_seconds).min(SPANS - 1)
}

/// How much a difference at each span counts in a score: as much as it spans in the logarithm, four in all.
pub fn measure() -> [f32; SPANS] {
    let next = |place: usize| SPAN_SECONDS.get(place + 1).map_or(SPAN_SECONDS[place] * 1.15, |next| *next);
    let widths: [f64; SPANS] = std::array::from_fn(|place| logarithm(next(place)) - logarithm(SPAN_SECONDS[place]));
    let total: f64 = widths.iter().sum();
    #[expect(clippy::cast_possible_truncation, reason = "a share of four")]
    widths.map(|width| (4.0 * width / total) as f32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn who_does_not_wait_is_an_atom_and_the_rest_lies_between_spans() {
        let curve = WaitCurve::of([0.0, 0.0, 100.0, 4_000.0]);
        assert!(curve.quantile(0.4).abs() < 1e-9 && curve.place_of(0.0) == (0.0, 0.5));
        let middle = curve.quantile(0.75);
        assert!((90.0..106.0).contains(&middle), "{middle}");
        assert!((curve.quantile(1.0) / 4_000.0 - 1.0).abs() < 0.15);
        assert_eq!(WaitCurve::of([]), WaitCurve::of([0.0]));
    }

    #[test]
    fn what_the_model_says_to_the_second_is_said_to_the_second() {
        assert!((refined(5_100.0, &[5_000.0; 40]) - 5_000.0).abs() < 1e-9);
        assert!((refined(9_000.0, &[5_000.0; 40]) - 9_000.0).abs() < 1e-9, "elsewhere it says nothing");
        assert!((refined(0.0, &[0.0, 0.0]) - 0.0).abs() < 1e-9);
        assert!((refined(9e9, &[4e9]) - 4e9).abs() < 1e-9);
        assert!((refined(7.0, &[]) - 7.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn refining_keeps_the_order_and_the_span(
            mut futures in proptest::collection::vec(0.0..1e5_f64, 0..60),
            waits in proptest::collection::vec(0.0..1e5_f64, 2),
        ) {
            futures.sort_by(f64::total_cmp);
            let [low, high] = [waits[0].min(waits[1]), waits[0].max(waits[1])];
            prop_assert!(refined(low, &futures) <= refined(high, &futures));
            prop_assert_eq!(cell(refined(low, &futures)), cell(low));
        }

        #[test]
        fn a_quantile_lies_within_a_step_of_the_exact_one(waits in proptest::collection::vec(0.0..2e6_f64, 1..60), share in 0.01..0.99_f64) {
            let exact = WaitDistribution::of(waits.iter().copied()).quantile(share);
            let found = WaitCurve::of(waits.iter().copied()).quantile(share);
            prop_assert!(found <= exact * 1.16 + 16.0 && found >= exact / 1.16 - 16.0, "{} for {}", found, exact);
        }

        #[test]
        fn quantiles_and_places_are_each_others_inverse(waits in proptest::collection::vec(0.0..2e6_f64, 1..60), share in 0.01..0.99_f64) {
            let curve = WaitCurve::of(waits);
            let (low, high) = curve.place_of(curve.quantile(share));
            prop_assert!(low <= share + 0.02 && high >= share - 0.02, "{} to {} for {}", low, high, share);
        }
    }
}
