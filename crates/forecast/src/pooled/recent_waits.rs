//! The simplest expert: it waits as long as the last hundred of its kind did. Also what any forecaster has to beat.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::curve::WaitCurve;

/// How many are looked back on.
const JOBS: usize = 100;
/// Fewer than so many who waited longer than a job has, say nothing of what is left.
const LEAST_BEYOND: usize = 3;

/// The last waits by kind of job.
#[derive(Clone, Debug)]
pub struct RecentWaits<K> {
    seconds: FxHashMap<K, VecDeque<f32>>,
}

impl<K> Default for RecentWaits<K> {
    fn default() -> Self {
        Self { seconds: FxHashMap::default() }
    }
}

impl<K: Hash + Eq> RecentWaits<K> {
    /// One of this kind started.
    pub fn add(&mut self, kind: K, wait_seconds: f64) {
        let waits = self.seconds.entry(kind).or_default();
        if waits.len() == JOBS {
            waits.pop_front();
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole seconds below 2^24, or years")]
        waits.push_back(wait_seconds as f32);
    }

    /// The wait in the middle, in seconds; of an even number the lower. `None` if none is known.
    pub fn median(&self, kind: &K) -> Option<f64> {
        let mut sorted: Vec<f32> = self.seconds.get(kind)?.iter().copied().collect();
        sorted.sort_by(f32::total_cmp);
        sorted.get((sorted.len() - 1) / 2).map(|wait| f64::from(*wait))
    }

    /// How long one that has waited so long already still waits; `None` if too little is known.
    pub fn curve(&self, kind: &K, waited_seconds: f64) -> Option<WaitCurve> {
        let waits = self.seconds.get(kind)?.iter().map(|wait| f64::from(*wait));
        if waited_seconds <= 0.0 {
            return Some(WaitCurve::of(waits));
        }
        let left: Vec<f64> = waits.filter(|wait| *wait > waited_seconds).map(|wait| wait - waited_seconds).collect();
        (left.len() >= LEAST_BEYOND).then(|| WaitCurve::of(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_hundred_of_the_kind_count_and_of_them_those_who_waited_longer() {
        let mut recent = RecentWaits::default();
        assert!(recent.curve(&1, 0.0).is_none());
        (0..100).for_each(|_| recent.add(1, 90_000.0));
        recent.add(2, 5.0);
        (1..=60).for_each(|wait| recent.add(1, f64::from(wait)));
        assert_eq!((recent.median(&1), recent.median(&2), recent.median(&3)), (Some(50.0), Some(5.0), None));
        let middle = recent.curve(&1, 0.0).expect("known").quantile(0.5);
        assert!((45.0..60.0).contains(&middle), "{middle}");
        let left = recent.curve(&1, 1_000.0).expect("forty waited longer").quantile(0.5);
        assert!((left / 89_000.0 - 1.0).abs() < 0.15, "{left}");
        assert!(recent.curve(&2, 10.0).is_none());
    }
}
