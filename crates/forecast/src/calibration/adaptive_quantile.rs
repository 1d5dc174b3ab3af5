//! One quantile of scores, at a level that is moved until it is exceeded as often as it should be.
//!
//! For: every conformal correction here. Whoever uses it says what the score of an answer is; the correction is the quantile of
//! the last 3,000 scores at a level that is itself moved after every answer (Gibbs and Candès, adaptive conformal inference): up
//! by a little after a miss, down by less after a hit, so that misses become as frequent as they should be whatever happens.
//!
//! Not for: what is corrected by it ([`crate::AdaptiveBound`], and the daemon's ranges).

use std::collections::VecDeque;

/// How many scores count, the newest.
const WINDOW_JOBS: usize = 3_000;
/// How far one answer moves the level.
const RATE: f64 = 0.002;

/// The last scores, and the level whose quantile is the correction.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveQuantile {
    target: f64,
    in_order_of_start: VecDeque<f64>,
    sorted: Vec<f64>,
    /// The share of scores to be exceeded.
    alpha: f64,
}

impl AdaptiveQuantile {
    /// A quantile that scores shall not exceed with this probability. Nothing is scored yet.
    pub fn new(target: f64) -> Self {
        Self { target, in_order_of_start: VecDeque::new(), sorted: Vec::new(), alpha: 1.0 - target }
    }

    /// How many scores count now.
    pub fn scores(&self) -> usize {
        self.sorted.len()
    }

    /// Something came out with this score: whether that is beyond the quantile moves the level, and the score counts.
    pub fn learn(&mut self, score: f64) {
        self.adapt(score > self.quantile());
        self.push(score);
    }

    /// Moves the level after a miss or a hit. Kept between zero and one: where waits of zero are most of all waits no bound can
    /// be missed often enough, and the level must not wander off meanwhile.
    pub fn adapt(&mut self, missed: bool) {
        let error = if missed { 1.0 } else { 0.0 };
        self.alpha = (self.alpha + RATE * (1.0 - self.target - error)).clamp(0.0, 1.0);
    }

    /// One more score; the oldest is forgotten once there are too many.
    pub fn push(&mut self, score: f64) {
        if self.in_order_of_start.len() == WINDOW_JOBS
            && let Some(oldest) = self.in_order_of_start.pop_front()
        {
            let place = self.sorted.partition_point(|value| *value < oldest);
            self.sorted.remove(place);
        }
        self.in_order_of_start.push_back(score);
        let place = self.sorted.partition_point(|value| *value < score);
        self.sorted.insert(place, score);
    }

    /// The order statistic of conformal prediction, ceil((n + 1) (1 - alpha)). While there are too few scores for it
    /// the raw bound stands unless the greatest score asks for more.
    pub fn quantile(&self) -> f64 {
        let Some(greatest) = self.sorted.last() else { return 0.0 };
        let wanted = ((self.sorted.len() + 1) as f64 * (1.0 - self.alpha)).ceil();
        if wanted > self.sorted.len() as f64 {
            return greatest.max(0.0);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from zero to the number of scores"
        )]
        let place = (wanted as usize).saturating_sub(1);
        self.sorted[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_scores_are_forgotten() {
        let mut quantile = AdaptiveQuantile::new(0.5);
        for score in [5.0, 0.0] {
            for _ in 0..WINDOW_JOBS {
                quantile.learn(score);
            }
        }
        assert_eq!(quantile.scores(), WINDOW_JOBS);
        assert!(quantile.quantile().abs() < 1e-9);
    }

    #[test]
    fn misses_ask_for_a_higher_quantile_and_hits_for_a_lower_one() {
        let mut even = AdaptiveQuantile::new(0.5);
        for score in 0..100 {
            even.push(f64::from(score));
        }
        let (mut missed, mut hit) = (even.clone(), even.clone());
        for _ in 0..20 {
            missed.adapt(true);
            hit.adapt(false);
        }
        assert!(missed.quantile() > even.quantile() && hit.quantile() < even.quantile());
    }
}
