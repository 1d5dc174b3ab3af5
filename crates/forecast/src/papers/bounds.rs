//! A wait that is not exceeded, from order statistics of past waits (BMBP and QBETS of Brevik, Nurmi and Wolski, 2006 and 2007).
//!
//! For: an upper bound on the 95 % quantile with 95 % confidence, whatever the distribution: the smallest order
//! statistic that lies above the quantile with that confidence. Histories are kept apart by processors (1-4, 5-16,
//! 17-64, more).
//!
//! Not for: which class a job falls in; the distribution is merely that of the history.
//!
//! After three misses in a row, which in independent waits happen once in 8,000, the past no longer counts and only
//! the last 59 waits are kept, the fewest that allow a bound. QBETS takes the threshold from the waits' autocorrelation
//! and finds its groups of sizes by clustering; neither table nor rule was at hand.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Submission, Time};
use rustc_hash::FxHashMap;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// The most processors of each bin but the last.
const BIN_PROCESSORS: [u32; 3] = [4, 16, 64];
/// A distribution is told in so many values: more would cost time and say nothing new.
const DISTRIBUTION_VALUES: usize = 1_000;

/// Which bound, and when the past stops counting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundSettings {
    /// The share of waits to be bounded.
    pub quantile: f64,
    /// How sure to be.
    pub confidence: f64,
    /// So many misses in a row are a change.
    pub misses_in_a_row: u32,
}

impl Default for BoundSettings {
    fn default() -> Self {
        Self { quantile: 0.95, confidence: 0.95, misses_in_a_row: 3 }
    }
}

/// Which of the sorted waits is the bound, counted from one, by how many there are: the smallest with
/// `P(Binomial(n, q) <= k - 1) >= c`. None where even the greatest is not sure enough.
#[derive(Clone, Debug)]
struct OrderStatistic {
    quantile: f64,
    confidence: f64,
    /// By the number of waits.
    places: Vec<Option<usize>>,
}

impl OrderStatistic {
    fn new(settings: BoundSettings) -> Self {
        Self { quantile: settings.quantile, confidence: settings.confidence, places: vec![None] }
    }

    fn sure(&self, waits: usize, place: usize) -> bool {
        Binomial::new(self.quantile, waits as u64)
            .is_ok_and(|binomial| place > 0 && binomial.cdf(place as u64 - 1) >= self.confidence)
    }

    fn place(&mut self, waits: usize) -> Option<usize> {
        while self.places.len() <= waits {
            let count = self.places.len();
            // With one wait more the place stays or is one further; the first one is the greatest of all.
            let place = match self.places[count - 1] {
                Some(before) => Some(if self.sure(count, before) { before } else { before + 1 }),
                None => self.sure(count, count).then_some(count),
            };
            self.places.push(place);
        }
        self.places[waits]
    }

    /// The fewest waits that allow a bound.
    fn fewest(&mut self) -> usize {
        // A quantile of one has no bound; nobody keeps more than this.
        (1..10_000).find(|waits| self.place(*waits).is_some()).unwrap_or(10_000)
    }
}

/// Waits of jobs of like size.
#[derive(Clone, Debug, Default)]
struct Bin {
    /// In order of starts.
    waits_seconds: VecDeque<f64>,
    sorted_seconds: Vec<f64>,
    misses: u32,
}

impl Bin {
    fn remember(&mut self, wait_seconds: f64) {
        self.waits_seconds.push_back(wait_seconds);
        let place = self.sorted_seconds.partition_point(|other| *other <= wait_seconds);
        self.sorted_seconds.insert(place, wait_seconds);
    }

    fn keep_last(&mut self, count: usize) {
        self.waits_seconds.drain(..self.waits_seconds.len().saturating_sub(count));
        self.sorted_seconds = self.waits_seconds.iter().copied().collect();
        self.sorted_seconds.sort_by(f64::total_cmp);
        self.misses = 0;
    }

    fn distribution(&self) -> WaitDistribution {
        let waits = self.sorted_seconds.len();
        if waits <= DISTRIBUTION_VALUES {
            return WaitDistribution::of(self.sorted_seconds.iter().copied());
        }
        // The middles of equal shares.
        let place = |value: usize| (2 * value + 1) * waits / (2 * DISTRIBUTION_VALUES);
        WaitDistribution::of((0..DISTRIBUTION_VALUES).map(|value| self.sorted_seconds[place(value)]))
    }
}

/// Forecasts bounds.
#[derive(Clone, Debug)]
pub struct BoundForecaster {
    settings: BoundSettings,
    order_statistic: OrderStatistic,
    /// How many waits are kept after a change.
    kept: usize,
    bins: [Bin; BIN_PROCESSORS.len() + 1],
    /// What those who wait were told, where it was a bound to be sure of.
    told_seconds: FxHashMap<JobId, f64>,
}

impl BoundForecaster {
    /// That has seen nothing.
    pub fn new(settings: BoundSettings) -> Self {
        let mut order_statistic = OrderStatistic::new(settings);
        let kept = order_statistic.fewest();
        Self { settings, order_statistic, kept, bins: Default::default(), told_seconds: FxHashMap::default() }
    }
}

impl Default for BoundForecaster {
    fn default() -> Self {
        Self::new(BoundSettings::default())
    }
}

fn bin_of(job: &Submission) -> usize {
    BIN_PROCESSORS.iter().filter(|most| job.request.processors > **most).count()
}

impl WaitForecaster for BoundForecaster {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        let bin = &self.bins[bin_of(job)];
        let sure = self.order_statistic.place(bin.sorted_seconds.len()).map(|place| bin.sorted_seconds[place - 1]);
        if let Some(bound_seconds) = sure {
            self.told_seconds.insert(job.job, bound_seconds);
        }
        // Too few waits for confidence: the longest is the best there is.
        let bound95_seconds = sure.or(bin.sorted_seconds.last().copied()).unwrap_or(0.0);
        WaitForecast { bound95_seconds, ..WaitForecast::from_distribution(bin.distribution()) }
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.told_seconds.remove(&job.job);
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        let wait_seconds = (now - job.submitted).as_f64().max(0.0);
        let told_seconds = self.told_seconds.remove(&job.job);
        let bin = &mut self.bins[bin_of(job)];
        bin.remember(wait_seconds);
        match told_seconds {
            Some(bound_seconds) if wait_seconds > bound_seconds => bin.misses += 1,
            Some(_) => bin.misses = 0,
            None => {}
        }
        if bin.misses >= self.settings.misses_in_a_row {
            bin.keep_last(self.kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn fifty_nine_waits_allow_a_bound_and_it_is_the_longest() {
        let mut order_statistic = OrderStatistic::new(BoundSettings::default());
        assert_eq!(order_statistic.fewest(), 59);
        assert_eq!(order_statistic.place(58), None);
        // 1 - 0.95^n - n 0.05 0.95^(n-1) first reaches 0.95 at n = 93: from there on the second longest will do.
        assert_eq!([59, 92, 93].map(|waits| order_statistic.place(waits)), [Some(59), Some(92), Some(92)]);
    }

    #[test]
    fn places_agree_with_a_search_from_the_beginning() {
        let mut order_statistic = OrderStatistic::new(BoundSettings::default());
        for waits in [60, 100, 500, 2_000] {
            let searched = (1..=waits).find(|place| order_statistic.clone().sure(waits, *place));
            assert_eq!(order_statistic.place(waits), searched, "{waits}");
        }
    }

    /// Jobs one after another, each told its bound before it waits.
    fn bounds_of(forecaster: &mut BoundForecaster, waits: impl IntoIterator<Item = i64>, processors: u32) -> Vec<f64> {
        let state = SiteState::new(Machine { processors: 128 });
        let mut tell = |(wait, job)| {
            let submission = submission(job, 0, processors, None);
            let forecast = forecaster.on_arrival(&submission, &state, Time(0));
            forecaster.on_start(&submission, Time(wait));
            forecast.bound95_seconds
        };
        waits.into_iter().zip(0..).map(&mut tell).collect()
    }

    #[test]
    fn three_misses_in_a_row_leave_the_last_59() {
        let mut forecaster = BoundForecaster::default();
        bounds_of(&mut forecaster, 0..1_000, 1);
        // Rising waits miss all along: every third one starts anew.
        assert!((59..62).contains(&forecaster.bins[0].waits_seconds.len()));
        let steady = (0..1_000).map(|job| job * 7_919 % 1_000);
        let mut forecaster = BoundForecaster::default();
        bounds_of(&mut forecaster, steady.chain([5_000, 5_000]), 1);
        assert_eq!(forecaster.bins[0].waits_seconds.len(), 1_002);
        bounds_of(&mut forecaster, [5_000], 1);
        assert_eq!(forecaster.bins[0].waits_seconds.len(), 59);
        assert!(forecaster.bins[0].sorted_seconds.ends_with(&[5_000.0; 3]));
        assert!(forecaster.bins[0].sorted_seconds.is_sorted());
    }

    #[test]
    fn sizes_do_not_mix() {
        let mut forecaster = BoundForecaster::default();
        bounds_of(&mut forecaster, [70_000; 100], 65);
        assert!(bounds_of(&mut forecaster, [10, 20], 64)[1] < 11.0);
        assert!((bounds_of(&mut forecaster, [1], 1_000)[0] - 70_000.0).abs() < 1e-9);
    }
}
