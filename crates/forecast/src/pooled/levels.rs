//! Ranges made to hold as often as they say: where outcomes lay in what was said decides which share has to be asked for.
//!
//! Who still waits counts as far as it has waited (`still_waiting.rs`). Only the outer shares are replaced. The middle is what the pool says:
//! moving it by what came of a stretch of jobs that were all late together makes the next forecasts worse.

use std::collections::VecDeque;

use super::still_waiting::shares;

/// So many places are looked back on in each bin.
const OUTCOMES: usize = 400;
/// Fewer replace nothing.
const LEAST: usize = 20;
/// With so many they count half.
const HALF: f64 = 100.0;
/// Nobody asks for less or more.
const LEAST_SHARE: f64 = 0.001;

/// Where outcomes lay, by bin of what was said.
#[derive(Clone, Debug)]
pub struct Levels {
    bins: Vec<Places>,
}

#[derive(Clone, Debug, Default)]
struct Places {
    latest: VecDeque<f32>,
    sorted: Vec<f32>,
    /// Who still waits has come this far.
    not_over: Vec<f32>,
    /// Which share of outcomes lay below a place, in order.
    below: Vec<(f64, f64)>,
    is_stale: bool,
}

impl Levels {
    /// Nothing is known yet.
    pub fn new(bins: usize) -> Self {
        Self { bins: vec![Places::default(); bins] }
    }

    /// The share to ask for, so that this share holds. As it was when it was last [brought up to date](Levels::refresh).
    pub fn replaced(&self, bin: usize, share: f64) -> f64 {
        let places = &self.bins[bin];
        let count = places.sorted.len() as f64;
        if places.below.len() < LEAST {
            return share;
        }
        let seen = between(&places.below, share);
        let weight = count / (count + HALF);
        let replaced = (weight * seen + (1.0 - weight) * share).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        // Towards the middle the replacement fades out.
        let outer = ((share - 0.5).abs() * 4.0).min(1.0);
        let replaced = outer * replaced + (1.0 - outer) * share;
        if share < 0.5 { replaced.min(0.5) } else { replaced.max(0.5) }
    }

    /// An outcome lay here in what was said before anything was replaced.
    pub fn learn(&mut self, bin: usize, place: f64) {
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let place = place.clamp(0.0, 1.0) as f32;
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
        places.is_stale = true;
    }

    /// How far those have come who still wait, by bin.
    pub fn still_waiting(&mut self, not_over: Vec<Vec<f32>>) {
        for (places, mut not_over) in self.bins.iter_mut().zip(not_over) {
            not_over.sort_by(f32::total_cmp);
            places.is_stale |= places.not_over != not_over;
            places.not_over = not_over;
        }
    }

    /// Takes in what has become known.
    pub fn refresh(&mut self) {
        for places in self.bins.iter_mut().filter(|places| places.is_stale) {
            places.is_stale = false;
            let (spread, _) = shares(&places.sorted, &places.not_over);
            let mut below = 0.0;
            let middle = |(place, share): (f32, f64)| {
                below += share;
                (below - 0.5 * share, f64::from(place))
            };
            places.below = spread.into_iter().map(middle).collect();
        }
    }

    /// The places in each bin, from the oldest: all that has to be kept.
    pub fn latest(&self) -> impl Iterator<Item = impl Iterator<Item = f32>> {
        self.bins.iter().map(|places| places.latest.iter().copied())
    }
}

/// Between two points in proportion; before the first and behind the last, as at the ends of everything.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let place = points.partition_point(|(below, _)| *below < at);
    let before = place.checked_sub(1).map_or((0.0, 0.0), |before| points[before]);
    let behind = points.get(place).copied().unwrap_or((1.0, 1.0));
    let part = (at - before.0) / (behind.0 - before.0).max(1e-12);
    before.1 + part.clamp(0.0, 1.0) * (behind.1 - before.1)
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
        levels.refresh();
        assert!(levels.replaced(0, 0.9) > 0.97 && levels.replaced(0, 0.1) < 0.03);
        assert!((levels.replaced(0, 0.5) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn outcomes_where_they_should_be_replace_hardly_anything() {
        let mut levels = Levels::new(1);
        (0..400).for_each(|outcome| levels.learn(0, (f64::from(outcome % 100) + 0.5) / 100.0));
        levels.refresh();
        for share in [0.025, 0.1, 0.25, 0.75, 0.9, 0.975] {
            assert!((levels.replaced(0, share) - share).abs() < 0.01, "{share}: {}", levels.replaced(0, share));
        }
    }

    /// A hundred started early in what was said of them. As many more were told the same, and have waited beyond nearly all of it.
    #[test]
    fn who_still_waits_beyond_what_was_said_widens_the_range_before_it_starts() {
        let mut levels = Levels::new(1);
        (0..100).for_each(|outcome| levels.learn(0, f64::from(outcome) / 200.0));
        levels.refresh();
        let before = levels.replaced(0, 0.9);
        levels.still_waiting(vec![vec![0.95; 100]]);
        levels.refresh();
        assert!(levels.replaced(0, 0.9) > before + 0.2, "{} after {before}", levels.replaced(0, 0.9));
    }
}
