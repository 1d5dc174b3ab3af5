//! Who is believed how much: a linear pool whose weights follow the score.
//!
//! The weights move against the gradient of the continuous ranked probability score, in the logarithm of waits (exponentiated gradient: Kivinen
//! and Warmuth 1997); a little goes back to the beginning every time, so that nobody is forgotten for good. The score is a sum over spans of
//! waiting. Each span is learnt from as soon as it is known on which side of it the wait lies: while a job waits those it has passed, when it starts the
//! rest. If everything were learnt at the start, the quick would teach first, and whoever says "soon" would be believed as long as a queue grows. There are weights for each regime, which is how long the model says it takes, and weights for all; a regime's own count the more, the
//! more it has seen.

use std::ops::Range;

use super::curve::{SPAN_SECONDS, SPANS, WaitCurve, measure};

const RATE: f64 = 0.2;
const BACK_TO_PRIOR: f64 = 0.002;
/// With so many outcomes a regime's own weights count half.
const HALF: f64 = 30.0;
/// No single outcome moves a weight by more than this in the exponent.
const LARGEST_STEP: f64 = 3.0;

/// The weights of a number of experts, by regime.
#[derive(Clone, Debug)]
pub struct Weights {
    prior: Vec<f64>,
    /// The last is for all.
    regimes: Vec<Learnt>,
    measure: [f32; SPANS],
}

#[derive(Clone, Debug)]
struct Learnt {
    weights: Vec<f64>,
    outcomes: f64,
}

impl Weights {
    /// As many experts as there are prior weights, which are made to sum to one.
    pub fn new(prior: &[f64], regimes: usize) -> Self {
        let total: f64 = prior.iter().sum();
        let prior: Vec<f64> = prior.iter().map(|weight| weight / total).collect();
        let learnt = Learnt { weights: prior.clone(), outcomes: 0.0 };
        Self { prior, regimes: vec![learnt; regimes + 1], measure: measure() }
    }

    /// Of this regime.
    pub fn of(&self, regime: usize) -> Vec<f64> {
        let (own, all) = (&self.regimes[regime], &self.regimes[self.regimes.len() - 1]);
        let share = own.outcomes / (own.outcomes + HALF);
        own.weights.iter().zip(&all.weights).map(|(own, all)| share * own + (1.0 - share) * all).collect()
    }

    /// A job started after this wait, of which the experts had said that. Up to the span `passed` that was learnt while it waited.
    pub fn finish(&mut self, regime: usize, said: &[WaitCurve], wait_seconds: f64, passed: usize) {
        self.learn(regime, said, wait_seconds, passed..SPANS);
        for place in [regime, self.regimes.len() - 1] {
            self.regimes[place].outcomes += 1.0;
        }
    }

    /// A job that still waits has waited longer than these spans: whoever said that it would start within them was wrong.
    pub fn pass(&mut self, regime: usize, said: &[WaitCurve], spans: Range<usize>) {
        self.learn(regime, said, f64::INFINITY, spans);
    }

    fn learn(&mut self, regime: usize, said: &[WaitCurve], wait_seconds: f64, spans: Range<usize>) {
        let back = BACK_TO_PRIOR * spans.len() as f64 / SPANS as f64;
        for place in [regime, self.regimes.len() - 1] {
            let weights = &mut self.regimes[place].weights;
            let mut slopes = vec![0.0; weights.len()];
            for span in spans.clone() {
                let came = if SPAN_SECONDS[span] >= wait_seconds { 1.0 } else { 0.0 };
                let shares = said.iter().map(|curve| f64::from(curve.0[span]));
                let mixed: f64 = shares.clone().zip(weights.iter()).map(|(share, weight)| share * weight).sum();
                let wrong = 2.0 * (mixed - came) * f64::from(self.measure[span]);
                slopes.iter_mut().zip(shares).for_each(|(slope, share)| *slope += share * wrong);
            }
            let mean: f64 = slopes.iter().zip(weights.iter()).map(|(slope, weight)| slope * weight).sum();
            for (weight, slope) in weights.iter_mut().zip(&slopes) {
                *weight *= (-RATE * (slope - mean).clamp(-LARGEST_STEP, LARGEST_STEP)).exp();
            }
            let total: f64 = weights.iter().sum();
            for (weight, prior) in weights.iter_mut().zip(&self.prior) {
                *weight = (1.0 - back) * *weight / total + back * prior;
            }
        }
    }

    /// What was learnt, regime by regime: the weights, and from how many outcomes.
    pub fn learnt(&self) -> impl Iterator<Item = (&[f64], f64)> {
        self.regimes.iter().map(|learnt| (&learnt.weights[..], learnt.outcomes))
    }

    /// Goes on from what was learnt. Refused, and left as it was, if that is of other experts or regimes, or no weights at all.
    pub fn recall(&mut self, learnt: Vec<(Vec<f64>, f64)>) -> bool {
        let is_sound = |(weights, outcomes): &(Vec<f64>, f64)| {
            // A weight never becomes nothing, unless its expert is left out.
            weights.len() == self.prior.len()
                && weights.iter().all(|weight| (0.0..=1.0).contains(weight))
                && weights.iter().zip(&self.prior).all(|(weight, prior)| (*weight > 0.0) == (*prior > 0.0))
                && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-3
                && *outcomes >= 0.0
        };
        let is_taken = learnt.len() == self.regimes.len() && learnt.iter().all(is_sound);
        if is_taken {
            self.regimes = learnt.into_iter().map(|(weights, outcomes)| Learnt { weights, outcomes }).collect();
        }
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_right_in_a_regime_is_believed_there_and_who_was_wrong_comes_back() {
        let mut weights = Weights::new(&[1.0, 1.0], 2);
        let said = [WaitCurve::of([100.0]), WaitCurve::of([10_000.0])];
        for _ in 0..200 {
            weights.finish(0, &said, 100.0, 0);
            weights.finish(1, &said, 10_000.0, 0);
        }
        assert!(weights.of(0)[0] > 0.8 && weights.of(1)[1] > 0.8, "{:?} {:?}", weights.of(0), weights.of(1));
        for _ in 0..60 {
            weights.finish(0, &said, 10_000.0, 0);
        }
        assert!(weights.of(0)[1] > 0.7, "{:?}", weights.of(0));
        assert!((weights.of(0).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    /// While it waits, and then when it starts, comes to about the same as all at once.
    #[test]
    fn what_is_learnt_in_parts_is_what_is_learnt_at_the_end() {
        let said = [WaitCurve::of([100.0]), WaitCurve::of([10_000.0]), WaitCurve::of([0.0])];
        let [mut in_parts, mut at_the_end] = [(); 2].map(|()| Weights::new(&[1.0; 3], 1));
        let passed = SPAN_SECONDS.partition_point(|span| *span < 9_000.0);
        for span in 0..passed {
            in_parts.pass(0, &said, span..span + 1);
        }
        assert!(in_parts.of(0)[1] > 0.4, "who said that it takes long was right already: {:?}", in_parts.of(0));
        in_parts.finish(0, &said, 9_000.0, passed);
        at_the_end.finish(0, &said, 9_000.0, 0);
        for (one, other) in in_parts.of(0).iter().zip(at_the_end.of(0)) {
            assert!((one - other).abs() < 0.1, "{:?} {:?}", in_parts.of(0), at_the_end.of(0));
        }
    }

    #[test]
    fn what_is_not_of_these_experts_is_not_taken() {
        let mut weights = Weights::new(&[1.0, 1.0], 1);
        let before = weights.of(0);
        for other in [
            vec![],
            vec![(vec![1.0], 3.0); 2],
            vec![(vec![0.5, f64::NAN], 3.0); 2],
            vec![(vec![0.5, 0.9], 3.0); 2],
            vec![(vec![0.0, 1.0], 3.0); 2],
            vec![(vec![0.5, 0.5], -1.0); 2],
        ] {
            assert!(!weights.recall(other.clone()), "{other:?}");
        }
        assert_eq!(weights.of(0), before);
        assert!(weights.recall(vec![(vec![0.25, 0.75], 3.0); 2]));
        assert_eq!(weights.of(0), [0.25, 0.75]);
    }
}
