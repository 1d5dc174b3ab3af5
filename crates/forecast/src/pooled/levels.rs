//! Ranges made to hold as often as they say: where outcomes lay in what was said decides which share has to be asked for.
//!
//! Only the outer shares are replaced. The middle is what the pool says: moving it by what came of a stretch of jobs that were all late
//! together makes the next forecasts worse.

use std::collections::VecDeque;

/// So many places are looked back on in each bin.
const OUTCOMES: usize = 400;
/// Fewer replace nothing.
const LEAST: usize = 20;
/// With so many they count half.
const HALF: f64 = 100.0;

/// Where outcomes lay, by bin of what was said.
#[derive(Clone, Debug)]
pub struct Levels {
    bins: Vec<Places>,
}

#[derive(Clone, Debug, Default)]
struct Places {
    latest: VecDeque<f32>,
    sorted: Vec<f32>,
}

impl Levels {
    /// Nothing is known yet.
    pub fn new(bins: usize) -> Self {
        Self { bins: vec![Places::default(); bins] }
    }

    /// The share to ask for, so that this share holds.
    pub fn replaced(&self, bin: usize, share: f64) -> f64 {
        let places = &self.bins[bin];
        let count = places.sorted.len();
        if count < LEAST {
            return share;
        }
        let rank = share * (count - 1) as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank")]
        let (below, part) = (rank as usize, rank.fract());
        let at = |rank: usize| f64::from(places.sorted[rank.min(count - 1)]);
        let seen = at(below) + part * (at(below + 1) - at(below));
        let weight = count as f64 / (count as f64 + HALF);
        let replaced = (weight * seen + (1.0 - weight) * share).clamp(0.001, 0.999);
        // Towards the middle the replacement fades out.
        let outer = ((share - 0.5).abs() * 4.0).min(1.0);
        let replaced = outer * replaced + (1.0 - outer) * share;
        if share < 0.5 { replaced.min(0.5) } else { replaced.max(0.5) }
    }

    /// An outcome lay here in what was said before anything was replaced.
    pub fn learn(&mut self, bin: usize, place: f64) {
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let place = place as f32;
        let places = &mut self.bins[bin];
        if places.latest.len() == OUTCOMES
            && let Some(oldest) = places.latest.pop_front()
        {
            let at = places.sorted.partition_point(|known| *known < oldest);
            places.sorted.remove(at);
        }
        places.latest.push_back(place);
        let at = places.sorted.partition_point(|known| *known < place);
        places.sorted.insert(at, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_narrow_is_widened_and_the_middle_stays() {
        let mut levels = Levels::new(1);
        assert!((levels.replaced(0, 0.9) - 0.9).abs() < 1e-9);
        // Half of the outcomes lie outside of everything that was said.
        for outcome in 0..1_000 {
            let outcome = f64::from(outcome % 100);
            levels.learn(
                0,
                if outcome < 25.0 {
                    0.001
                } else if outcome >= 75.0 {
                    0.999
                } else {
                    outcome / 100.0
                },
            );
        }
        assert!(levels.replaced(0, 0.9) > 0.97 && levels.replaced(0, 0.1) < 0.03);
        assert!((levels.replaced(0, 0.5) - 0.5).abs() < 1e-9);
    }
}
