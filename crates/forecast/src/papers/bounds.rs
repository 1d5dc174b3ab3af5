//! A wait that is not exceeded, from order statistics of past waits (BMBP and QBETS of Brevik, Nurmi and Wolski, 2006 and 2007).
//!
//! For: an upper bound on the 95 % quantile with 95 % confidence, whatever the distribution: the smallest order
//! statistic that lies above the quantile with that confidence. Histories are kept apart by processors: 1-4, 5-16,
//! 17-64 and more, or in groups that are found in the sizes themselves ([`SizeGrouping`]).
//!
//! Not for: which class a job falls in; the distribution is merely that of the history.
//!
//! After three misses in a row, which in independent waits happen once in 8,000, the past no longer counts and only
//! the last 59 waits are kept, the fewest that allow a bound. QBETS takes the threshold from the waits' autocorrelation;
//! its table was not at hand.

use std::collections::{BTreeMap, VecDeque};

use queuecast_workload::{JobId, Submission, Time};
use rustc_hash::FxHashMap;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::papers::size_groups::group_edges;
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
    /// Which jobs are of like size.
    pub sizes: SizeGrouping,
    /// Clusters are found anew after so many starts.
    pub starts_between_groupings: u64,
}

/// Which jobs are of like size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeGrouping {
    /// 1-4, 5-16, 17-64 processors, and more.
    Fixed,
    /// As they cluster, found anew every thousand starts.
    Clusters,
}

impl Default for BoundSettings {
    fn default() -> Self {
        Self {
            quantile: 0.95,
            confidence: 0.95,
            misses_in_a_row: 3,
            sizes: SizeGrouping::Fixed,
            starts_between_groupings: 1_000,
        }
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

/// A wait that is over.
#[derive(Clone, Copy, Debug)]
struct PastWait {
    /// How many started before.
    place: u64,
    processors: u32,
    seconds: f64,
}

/// Waits of jobs of like size.
#[derive(Clone, Debug, Default)]
struct Bin {
    /// In order of starts.
    waits: VecDeque<PastWait>,
    sorted_seconds: Vec<f64>,
    misses: u32,
}

impl Bin {
    /// Of waits in order of starts.
    fn of(waits: VecDeque<PastWait>) -> Self {
        let mut sorted_seconds: Vec<f64> = waits.iter().map(|wait| wait.seconds).collect();
        sorted_seconds.sort_by(f64::total_cmp);
        Self { waits, sorted_seconds, misses: 0 }
    }

    fn remember(&mut self, wait: PastWait) {
        self.waits.push_back(wait);
        let place = self.sorted_seconds.partition_point(|other| *other <= wait.seconds);
        self.sorted_seconds.insert(place, wait.seconds);
    }

    fn keep_last(&mut self, count: usize) {
        self.waits.drain(..self.waits.len().saturating_sub(count));
        *self = Self::of(std::mem::take(&mut self.waits));
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
    /// The most processors of each bin but the last.
    edges: Vec<u32>,
    bins: Vec<Bin>,
    starts: u64,
    /// What those who wait were told, where it was a bound to be sure of.
    told_seconds: FxHashMap<JobId, f64>,
}

impl BoundForecaster {
    /// That has seen nothing.
    pub fn new(settings: BoundSettings) -> Self {
        let mut order_statistic = OrderStatistic::new(settings);
        let kept = order_statistic.fewest();
        let edges = match settings.sizes {
            SizeGrouping::Fixed => BIN_PROCESSORS.to_vec(),
            SizeGrouping::Clusters => Vec::new(),
        };
        let bins = vec![Bin::default(); edges.len() + 1];
        Self { settings, order_statistic, kept, edges, bins, starts: 0, told_seconds: FxHashMap::default() }
    }

    fn bin_of(&self, processors: u32) -> usize {
        self.edges.iter().filter(|most| processors > **most).count()
    }

    /// Deals all waits that are remembered into groups as they cluster now. Groups that stay as they are keep their misses.
    fn group_anew(&mut self) {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for wait in self.bins.iter().flat_map(|bin| &bin.waits) {
            *counts.entry(wait.processors).or_default() += 1;
        }
        let counts: Vec<(u32, usize)> = counts.into_iter().collect();
        let edges = group_edges(&counts, self.kept);
        if edges == self.edges {
            return;
        }
        self.edges = edges;
        let mut waits: Vec<PastWait> = self.bins.drain(..).flat_map(|bin| bin.waits).collect();
        waits.sort_by_key(|wait| wait.place);
        let mut dealt = vec![VecDeque::new(); self.edges.len() + 1];
        for wait in waits {
            dealt[self.bin_of(wait.processors)].push_back(wait);
        }
        self.bins = dealt.into_iter().map(Bin::of).collect();
    }
}

impl Default for BoundForecaster {
    fn default() -> Self {
        Self::new(BoundSettings::default())
    }
}

impl WaitForecaster for BoundForecaster {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        let bin = &self.bins[self.bin_of(job.request.processors)];
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
        let processors = job.request.processors;
        let place = self.starts;
        self.starts += 1;
        let bin_of = self.bin_of(processors);
        let bin = &mut self.bins[bin_of];
        bin.remember(PastWait { place, processors, seconds: wait_seconds });
        match told_seconds {
            Some(bound_seconds) if wait_seconds > bound_seconds => bin.misses += 1,
            Some(_) => bin.misses = 0,
            None => {}
        }
        if bin.misses >= self.settings.misses_in_a_row {
            bin.keep_last(self.kept);
        }
        if self.settings.sizes == SizeGrouping::Clusters
            && self.starts.is_multiple_of(self.settings.starts_between_groupings)
        {
            self.group_anew();
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
        assert!((59..62).contains(&forecaster.bins[0].waits.len()));
        let steady = (0..1_000).map(|job| job * 7_919 % 1_000);
        let mut forecaster = BoundForecaster::default();
        bounds_of(&mut forecaster, steady.chain([5_000, 5_000]), 1);
        assert_eq!(forecaster.bins[0].waits.len(), 1_002);
        bounds_of(&mut forecaster, [5_000], 1);
        assert_eq!(forecaster.bins[0].waits.len(), 59);
        assert!(forecaster.bins[0].sorted_seconds.ends_with(&[5_000.0; 3]));
        assert!(forecaster.bins[0].sorted_seconds.is_sorted());
    }

    #[test]
    fn sizes_that_cluster_do_not_mix_either() {
        let settings = BoundSettings { sizes: SizeGrouping::Clusters, ..BoundSettings::default() };
        let mut forecaster = BoundForecaster::new(settings);
        for _ in 0..5 {
            bounds_of(&mut forecaster, [70_000; 100], 96);
            bounds_of(&mut forecaster, [10; 100], 1);
        }
        assert!(bounds_of(&mut forecaster, [10], 1)[0] < 11.0);
        assert!((bounds_of(&mut forecaster, [70_000], 128)[0] - 70_000.0).abs() < 1e-9);
    }

    #[test]
    fn sizes_do_not_mix() {
        let mut forecaster = BoundForecaster::default();
        bounds_of(&mut forecaster, [70_000; 100], 65);
        assert!(bounds_of(&mut forecaster, [10, 20], 64)[1] < 11.0);
        assert!((bounds_of(&mut forecaster, [1], 1_000)[0] - 70_000.0).abs() < 1e-9);
    }
}
