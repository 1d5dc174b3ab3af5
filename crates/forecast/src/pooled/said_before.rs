//! An expert that has seen the model be wrong: what came when the model said about this.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::curve::WaitCurve;
use super::word::Word;

/// How many of a kind are looked back on.
const JOBS: usize = 100;
/// Fewer are nothing to go by.
const LEAST: usize = 5;
/// With so many of a kind they count as much as the model itself.
const HALF: f64 = 30.0;
/// Beyond this, what came is taken by how far off the model was, in proportion; below, as it came.
const PROPORTIONAL_SECONDS: f64 = 1_800.0;
/// Added to both sides of a proportion.
const OFFSET_SECONDS: f64 = 600.0;

/// What the model said of a job, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Kind {
    regime: usize,
    is_at_once: bool,
}

impl Kind {
    fn of(word: &Word, regime: usize) -> Self {
        Self { regime, is_at_once: word.at_once > 0.5 }
    }
}

/// The same in a form that can be kept: by kind what was said and what came, in seconds, from the oldest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptOutcomes(Vec<(Kind, Vec<(f64, f64)>)>);

/// What the model said, and what came.
#[derive(Clone, Debug, Default)]
pub struct SaidBefore {
    outcomes: FxHashMap<Kind, VecDeque<(f64, f64)>>,
}

impl SaidBefore {
    /// What comes, going by what came.
    pub fn curve(&self, word: &Word, regime: usize) -> Option<WaitCurve> {
        let outcomes = self.outcomes.get(&Kind::of(word, regime)).filter(|outcomes| outcomes.len() >= LEAST)?;
        let median = word.median_seconds;
        let came = WaitCurve::of(outcomes.iter().map(|(said, came)| {
            if median > PROPORTIONAL_SECONDS {
                ((came + OFFSET_SECONDS) * (median + OFFSET_SECONDS) / (said + OFFSET_SECONDS) - OFFSET_SECONDS)
                    .max(0.0)
            } else {
                *came
            }
        }));
        let weight = outcomes.len() as f64 / (outcomes.len() as f64 + HALF);
        Some(WaitCurve::mixed([(&came, weight), (&word.curve, 1.0 - weight)]))
    }

    /// A job started of which the model had said this.
    pub fn learn(&mut self, word: &Word, regime: usize, wait_seconds: f64) {
        let outcomes = self.outcomes.entry(Kind::of(word, regime)).or_default();
        if outcomes.len() == JOBS {
            outcomes.pop_front();
        }
        outcomes.push_back((word.median_seconds, wait_seconds));
    }

    /// All that has to be kept.
    pub fn kept(&self) -> KeptOutcomes {
        let mut kept: Vec<_> =
            self.outcomes.iter().map(|(kind, outcomes)| (*kind, outcomes.iter().copied().collect())).collect();
        kept.sort_unstable_by_key(|(kind, _): &(Kind, Vec<(f64, f64)>)| *kind);
        KeptOutcomes(kept)
    }

    /// Goes on from what was kept.
    pub fn recall(&mut self, KeptOutcomes(kept): KeptOutcomes) {
        let latest = |outcomes: Vec<(f64, f64)>| {
            let skipped = outcomes.len().saturating_sub(JOBS);
            outcomes.into_iter().skip(skipped).filter(|(said, came)| said.is_finite() && came.is_finite()).collect()
        };
        self.outcomes = kept.into_iter().map(|(kind, outcomes)| (kind, latest(outcomes))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_always_twice_too_late_is_seen_through() {
        let mut before = SaidBefore::default();
        let word = |seconds: f64| Word::of(&mut [seconds]);
        assert!(before.curve(&word(7_200.0), 4).is_none());
        for said in 0..100 {
            let said = 7_000.0 + 10.0 * f64::from(said);
            before.learn(&word(said), 4, said / 2.0);
        }
        let middle = before.curve(&word(7_200.0), 4).expect("known").quantile(0.5);
        assert!((middle / 3_600.0 - 1.0).abs() < 0.2, "{middle}");
        assert!(before.curve(&word(7_200.0), 5).is_none(), "of others nothing is known");
    }
}
