//! Keeps the score as jobs start.

use std::collections::BTreeMap;

use queuecast_workload::Time;

use super::ScoredForecast;
use super::figures::{Breakdown, Score};
use super::month::Month;
use super::tally::{Judged, Tally};
use crate::class::{WAIT_CLASSES, WaitClass};

/// Adds forecasts up, one after the other, those of a job one behind the other.
///
/// It holds the last 100,000 values of four figures of every group, some 2 MB of each: of a site with twenty partitions, whose first
/// forecasts and all make 54 groups, some 110 MB once they are full. Experts take 70 kB of each, the last month 6 MB. A [`Score`] is small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scorekeeper {
    first: Groups,
    all: Groups,
    /// Jobs so far; the number of the one whose forecasts are being added.
    job: u64,
    last: Option<(Time, Time)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Groups {
    overall: Tally,
    by_partition: BTreeMap<String, Tally>,
    by_wait_left: [Tally; WAIT_CLASSES],
    month: Month,
}

impl Scorekeeper {
    /// Nothing added yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a forecast whose job has started.
    pub fn add(&mut self, forecast: &ScoredForecast) {
        let times = (forecast.submitted, forecast.started);
        if forecast.first || self.last != Some(times) {
            self.job += 1;
            self.last = Some(times);
        }
        let judged = Judged::of(forecast);
        self.all.add(forecast, &judged, self.job);
        if forecast.first {
            self.first.add(forecast, &judged, self.job);
        }
    }

    /// What it comes to. Takes as long as the medians: all kept values are gone through.
    pub fn score(&self) -> Score {
        Score { first: self.first.breakdown(), all: self.all.breakdown() }
    }
}

impl Groups {
    fn add(&mut self, forecast: &ScoredForecast, judged: &Judged, job: u64) {
        self.overall.add(judged, job);
        match self.by_partition.get_mut(&forecast.partition) {
            Some(tally) => tally.add(judged, job),
            None => self.by_partition.entry(forecast.partition.clone()).or_default().add(judged, job),
        }
        // One that was made after the start had nothing left to wait.
        let left = (forecast.started - forecast.made).as_f64();
        self.by_wait_left[WaitClass::of(left).index()].add(judged, job);
        self.month.add(judged, forecast.made);
    }

    fn breakdown(&self) -> Breakdown {
        Breakdown {
            overall: self.overall.figures(),
            by_partition: self.by_partition.iter().map(|(name, tally)| (name.clone(), tally.figures())).collect(),
            by_wait_left: self.by_wait_left.each_ref().map(Tally::figures),
            better_for_a_month: self.month.better(),
        }
    }
}
