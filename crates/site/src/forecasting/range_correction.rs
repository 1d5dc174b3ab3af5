//! The ranges, made as wide as they have to be: where the model does not explain what Slurm does, how far starts lay outside is
//! learnt.
//!
//! For each of the four ranges the score of a start is how far the range would have had to be stretched to hold it, below zero if
//! it did: conformalized quantile regression (Romano, Patterson, Candès 2019), in logarithms of the wait and ten minutes, with
//! the adaptive level of [`AdaptiveQuantile`]. The middle is left alone. Moving every share by itself so that
//! starts came before it as often as it said was tried first: errors of a whole queue come together (one long job that does not
//! end), and what was learnt from one such stretch made the next forecasts worse (`experiments/slurm-live`).

use queuecast_forecast::AdaptiveQuantile;
use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Time};

/// Start times as the futures gave them, at [`SHARES`].
pub type Raw = [Time; SHARES.len()];

/// Ranges: the first and the last share, the second and the last but one, and so on.
const RANGES: usize = SHARES.len() / 2;

/// Added to waits before they are compared: a minute matters less of an hour than of a minute.
const OFFSET_SECONDS: f64 = 600.0;
/// How many made-up scores stand at the beginning, and between which they lie. Chosen after looking at CTC in
/// `experiments/slurm-live`: with them an 80 % range is a third wider at both ends than the futures are.
const BELIEFS: i32 = 30;
const LEAST_BELIEF: f64 = -0.25;
const LARGEST_BELIEF: f64 = 0.45;

/// Stretches ranges by how far starts lay outside.
#[derive(Clone, Debug)]
pub struct RangeCorrection {
    stretches: [AdaptiveQuantile; RANGES],
}

impl Default for RangeCorrection {
    fn default() -> Self {
        Self::new()
    }
}

impl RangeCorrection {
    /// Nothing scored yet.
    pub fn new() -> Self {
        let stretches: [AdaptiveQuantile; RANGES] =
            std::array::from_fn(|range| AdaptiveQuantile::new(SHARES[SHARES.len() - 1 - range] - SHARES[range]));
        let mut correction = Self { stretches };
        for belief in 0..BELIEFS {
            let share = f64::from(belief) / f64::from(BELIEFS - 1);
            let score = LEAST_BELIEF + share * (LARGEST_BELIEF - LEAST_BELIEF);
            for stretch in &mut correction.stretches {
                stretch.learn(score);
            }
        }
        correction
    }

    /// What is said in the place of the raw forecast made now.
    pub fn correct(&self, raw: &Raw, made: Time) -> Raw {
        let mut said = raw.map(|time| time.max(made));
        let middle = said[RANGES];
        for (range, stretch) in self.stretches.iter().enumerate() {
            let by = stretch.quantile();
            let (low, high) = (range, SHARES.len() - 1 - range);
            said[low] = stretched(said[low], made, -by).min(middle);
            said[high] = stretched(said[high], made, by).max(middle);
        }
        // Of ranges that are learnt one by one, a narrower one must not reach beyond a wider one.
        for range in (0..RANGES).rev() {
            let (low, high) = (range, SHARES.len() - 1 - range);
            said[low] = said[low].min(said[low + 1]);
            said[high] = said[high].max(said[high - 1]);
        }
        said
    }

    /// A job started of which this was said, raw.
    pub fn learn(&mut self, raw: &Raw, made: Time, started: Time) {
        let actual = logarithm(started, made);
        for (range, stretch) in self.stretches.iter_mut().enumerate() {
            let (low, high) = (logarithm(raw[range], made), logarithm(raw[SHARES.len() - 1 - range], made));
            stretch.learn((low - actual).max(actual - high));
        }
    }
}

fn logarithm(time: Time, made: Time) -> f64 {
    ((time - made).as_f64().max(0.0) + OFFSET_SECONDS).ln()
}

fn stretched(time: Time, made: Time, by: f64) -> Time {
    let ahead_seconds = (logarithm(time, made) + by).exp() - OFFSET_SECONDS;
    #[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
    let ahead = Seconds(ahead_seconds.clamp(0.0, Seconds::MAX.as_f64() / 4.0).round() as i64);
    made + ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_never_holds_is_stretched_until_it_does_and_its_middle_stays() {
        let mut correction = RangeCorrection::new();
        let raw = [Time(1_000); 9];
        let before = correction.correct(&raw, Time(0));
        assert!(before[2] < Time(1_000) && before[6] > Time(1_000), "{before:?}");
        for job in 0..400 {
            correction.learn(&raw, Time(0), Time(4_000 + job % 100));
        }
        let after = correction.correct(&raw, Time(0));
        assert!(after[6] >= Time(3_950) && after[4] == Time(1_000) && after.is_sorted(), "{after:?}");
    }

    #[test]
    fn a_range_that_always_holds_is_drawn_in() {
        let mut correction = RangeCorrection::new();
        let raw = std::array::from_fn(|place| Time(10_000 + 2_000 * place as i64));
        let before = correction.correct(&raw, Time(0));
        for _ in 0..2_000 {
            correction.learn(&raw, Time(0), Time(18_000));
        }
        let after = correction.correct(&raw, Time(0));
        assert!(after[2] > before[2] && after[6] < before[6] && after.is_sorted(), "{before:?} {after:?}");
    }

    #[test]
    fn nothing_starts_before_it_was_said() {
        let said = RangeCorrection::new().correct(&[Time(500); 9], Time(500));
        assert!(said.iter().all(|time| *time >= Time(500)) && said.is_sorted(), "{said:?}");
    }
}
