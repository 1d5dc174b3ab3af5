//! Who is believed how much: a linear pool whose weights follow the score.
//!
//! After every start the weights move against the gradient of the continuous ranked probability score, in the logarithm of waits
//! (exponentiated gradient: Kivinen and Warmuth 1997); a little goes back to the beginning every time, so that nobody is forgotten for
//! good. There are weights for each regime, which is how long the model says it takes, and weights for all; a regime's own count the more, the
//! more it has seen.

use super::curve::{SPAN_SECONDS, SPANS, WaitCurve, measure};

const RATE: f64 = 0.6;
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

    /// A job started after this wait, of which the experts had said that.
    pub fn learn(&mut self, regime: usize, said: &[WaitCurve], wait_seconds: f64) {
        let last = self.regimes.len() - 1;
        for place in [regime, last] {
            let learnt = &mut self.regimes[place];
            let mixed = WaitCurve::mixed(said.iter().zip(learnt.weights.iter().copied()));
            let mut wrong = [0.0_f32; SPANS];
            for (span, wrong) in wrong.iter_mut().enumerate() {
                let came = if SPAN_SECONDS[span] >= wait_seconds { 1.0 } else { 0.0 };
                *wrong = 2.0 * (mixed.0[span] - came) * self.measure[span];
            }
            let slopes: Vec<f64> = said
                .iter()
                .map(|curve| curve.0.iter().zip(&wrong).map(|(share, wrong)| f64::from(share * wrong)).sum())
                .collect();
            let mean: f64 = slopes.iter().zip(&learnt.weights).map(|(slope, weight)| slope * weight).sum();
            for (weight, slope) in learnt.weights.iter_mut().zip(&slopes) {
                *weight *= (-RATE * (slope - mean).clamp(-LARGEST_STEP, LARGEST_STEP)).exp();
            }
            let total: f64 = learnt.weights.iter().sum();
            for (weight, prior) in learnt.weights.iter_mut().zip(&self.prior) {
                *weight = (1.0 - BACK_TO_PRIOR) * *weight / total + BACK_TO_PRIOR * prior;
            }
            learnt.outcomes += 1.0;
        }
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
            weights.learn(0, &said, 100.0);
            weights.learn(1, &said, 10_000.0);
        }
        assert!(weights.of(0)[0] > 0.8 && weights.of(1)[1] > 0.8, "{:?} {:?}", weights.of(0), weights.of(1));
        for _ in 0..60 {
            weights.learn(0, &said, 10_000.0);
        }
        assert!(weights.of(0)[1] > 0.7, "{:?}", weights.of(0));
        assert!((weights.of(0).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
