//! The ranges, corrected by how good they were: where the model does not explain what Slurm does, what it was off by is learnt.
//!
//! Each of the nine kept shares is moved by itself so that starts come before it as often as it says, told apart by how far
//! ahead the forecast looked (`queuecast_forecast::AdaptiveBound`). Before anything was scored the ranges are made a little
//! wider than the futures are: a future knows nothing of the seconds between a node's release and the next job on it.

use std::array;

use queuecast_forecast::score::SHARES;
use queuecast_forecast::{AdaptiveBound, WAIT_BINS, wait_bin};
use queuecast_workload::{Seconds, Time};

/// Start times as the futures gave them, at [`SHARES`].
pub type Raw = [Time; SHARES.len()];

/// The middle of the shares.
const MEDIAN: usize = SHARES.len() / 2;

/// How many made-up scores stand at the beginning of each bin, and how far they are spread, as a share of the wait and ten
/// minutes. Chosen after looking at CTC in `experiments/slurm-live`.
const BELIEFS: i32 = 20;
const SPREAD: f64 = 0.2;
/// Of a wait this long the made-up scores are, so that they can lie below it as well as above.
const LONG_SECONDS: f64 = 10_000.0;

/// Moves each share by what starts were off.
#[derive(Clone, Debug)]
pub struct Correction {
    bounds: [AdaptiveBound; SHARES.len()],
}

impl Default for Correction {
    fn default() -> Self {
        Self::new()
    }
}

impl Correction {
    /// Nothing scored yet.
    pub fn new() -> Self {
        // Every bin has its beliefs, and goes by its own scores from the first on.
        let new = |share| AdaptiveBound::with_bins(share, WAIT_BINS).with_least_in_bin(1);
        let mut bounds = SHARES.map(new);
        for bound in &mut bounds {
            for belief in 0..BELIEFS {
                // Evenly from two spreads below to two above.
                let off = SPREAD * (4.0 * f64::from(belief) / f64::from(BELIEFS - 1) - 2.0);
                for bin in 0..WAIT_BINS {
                    bound.learn(LONG_SECONDS, bin, (LONG_SECONDS + 600.0) * off.exp() - 600.0);
                }
            }
        }
        Self { bounds }
    }

    /// What is said in the place of the raw forecast made now.
    pub fn correct(&self, raw: &Raw, made: Time) -> Raw {
        let bin = wait_bin((raw[MEDIAN] - made).as_f64());
        let mut latest = made;
        array::from_fn(|place| {
            let ahead_seconds = (raw[place] - made).as_f64().max(0.0);
            let corrected_seconds = self.bounds[place].bound(ahead_seconds, bin).max(0.0);
            #[expect(clippy::cast_possible_truncation, reason = "bounded by the correction itself")]
            let said = made + Seconds(corrected_seconds.round() as i64);
            latest = latest.max(said);
            latest
        })
    }

    /// A job started of which this was said, raw.
    pub fn learn(&mut self, raw: &Raw, made: Time, started: Time) {
        let bin = wait_bin((raw[MEDIAN] - made).as_f64());
        let actual_seconds = (started - made).as_f64().max(0.0);
        for (bound, said) in self.bounds.iter_mut().zip(raw) {
            bound.learn((*said - made).as_f64().max(0.0), bin, actual_seconds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_never_holds_is_moved_to_where_starts_are() {
        let mut correction = Correction::new();
        let raw = [Time(1_000); 9];
        let before = correction.correct(&raw, Time(0));
        assert!(before[2] < Time(1_000) && before[6] > Time(1_000), "{before:?}");
        for job in 0..400 {
            correction.learn(&raw, Time(0), Time(4_000 + job % 100));
        }
        let after = correction.correct(&raw, Time(0));
        assert!(after[2] >= Time(3_900) && after[6] <= Time(4_200), "{after:?}");
        assert!(after.is_sorted());
    }

    #[test]
    fn nothing_starts_before_it_was_said() {
        let said = Correction::new().correct(&[Time(500); 9], Time(500));
        assert!(said.iter().all(|time| *time >= Time(500)) && said.is_sorted(), "{said:?}");
    }
}
