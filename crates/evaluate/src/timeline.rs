//! How many jobs waited and how many processors were busy, over time.
//!
//! For: curves of a schedule. Every bin holds the exact mean over its seconds, and memory is that of the bins,
//! however many jobs there are.
//!
//! Not for: figures over the whole schedule ([`crate::Measures`]).

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::{Machine, Seconds, Time};

/// The most bins a span is divided into.
const BINS_MAX: i64 = 200;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Widths a person can think in.
const WIDTHS: [i64; 20] = [
    1,
    5,
    10,
    30,
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
    7 * DAY,
    14 * DAY,
    28 * DAY,
    100 * DAY,
    1_000 * DAY,
];

/// Equal bins of time that all the configurations of a comparison share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBins {
    /// Where the first bin begins.
    pub origin: Time,
    /// How long each is.
    pub width: Seconds,
    /// How many there are.
    pub count: usize,
}

impl TimeBins {
    /// At most 200 bins of a width a person can think in, from `origin` on for at least `span`.
    pub fn covering(origin: Time, span: Seconds) -> Self {
        let span = span.0.max(1);
        let least = (span - 1) / BINS_MAX + 1;
        let width = WIDTHS.into_iter().find(|width| *width >= least).unwrap_or(least);
        let count = usize::try_from((span - 1) / width + 1).expect("at most two hundred");
        Self { origin, width: Seconds(width), count }
    }
}

/// Observes a simulation and adds up what went on in each bin. What lies outside of the bins is not counted.
#[derive(Clone, Debug)]
pub struct Timeline {
    bins: TimeBins,
    waiting: Levels,
    busy: Levels,
}

impl Timeline {
    /// Nothing observed yet.
    pub fn new(bins: TimeBins) -> Self {
        Self { bins, waiting: Levels::new(bins), busy: Levels::new(bins) }
    }

    /// The bins.
    pub fn bins(&self) -> TimeBins {
        self.bins
    }

    /// The mean number of waiting jobs in each bin.
    pub fn waiting(&self) -> Vec<f64> {
        self.waiting.means()
    }

    /// The mean share of the machine's processors that were busy in each bin.
    pub fn utilisation(&self, machine: Machine) -> Vec<f64> {
        self.busy.means().into_iter().map(|busy| busy / f64::from(machine.processors)).collect()
    }
}

impl Observer for Timeline {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let (submission, outcome) = (job.submission, &job.outcome);
        self.waiting.add(submission.submitted, outcome.started, 1);
        self.busy.add(outcome.started, outcome.ended, submission.request.processors);
    }
}

/// A level over time, as the sum of many steps up and down. Integers, so that no order of jobs rounds differently; wide
/// ones, because processors times seconds pass 2^63.
#[derive(Clone, Debug)]
struct Levels {
    bins: TimeBins,
    /// What filled only a part of its bin, in units times seconds.
    partly: Vec<i128>,
    /// By how much the level that fills whole bins changes at the beginning of each.
    steps: Vec<i128>,
}

impl Levels {
    fn new(bins: TimeBins) -> Self {
        Self { bins, partly: vec![0; bins.count], steps: vec![0; bins.count] }
    }

    /// The level is higher by `units` from `from` until `until`.
    fn add(&mut self, from: Time, until: Time, units: u32) {
        let width = self.bins.width.0;
        let end = width * self.bins.count as i64;
        let from = (from - self.bins.origin).0.clamp(0, end);
        let until = (until - self.bins.origin).0.clamp(0, end);
        let units = i128::from(units);
        let (first, last) = (from / width, until / width);
        if first == last {
            self.fill_partly(first, until - from, units);
            return;
        }
        self.fill_partly(first, (first + 1) * width - from, units);
        self.step(first + 1, units);
        self.step(last, -units);
        self.fill_partly(last, until - last * width, units);
    }

    fn fill_partly(&mut self, bin: i64, seconds: i64, units: i128) {
        if let Some(partly) = usize::try_from(bin).ok().and_then(|bin| self.partly.get_mut(bin)) {
            *partly += units * i128::from(seconds);
        }
    }

    fn step(&mut self, bin: i64, units: i128) {
        if let Some(step) = usize::try_from(bin).ok().and_then(|bin| self.steps.get_mut(bin)) {
            *step += units;
        }
    }

    fn means(&self) -> Vec<f64> {
        let width = i128::from(self.bins.width.0);
        let mut level = 0;
        let sums = self.steps.iter().zip(&self.partly).map(|(step, partly)| {
            level += step;
            level * width + partly
        });
        sums.map(|sum| sum as f64 / width as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second of every interval, one by one.
    fn second_by_second(bins: TimeBins, intervals: &[(i64, i64, u32)]) -> Vec<f64> {
        let mut sums = vec![0.0; bins.count];
        for &(from, until, units) in intervals {
            for second in from..until {
                let bin = (second - bins.origin.0).div_euclid(bins.width.0);
                if let Some(sum) = usize::try_from(bin).ok().and_then(|bin| sums.get_mut(bin)) {
                    *sum += f64::from(units);
                }
            }
        }
        sums.into_iter().map(|sum| sum / bins.width.as_f64()).collect()
    }

    #[test]
    fn levels_are_those_counted_second_by_second() {
        for (origin, width, count) in [(0, 1, 40), (5, 7, 13), (10, 100, 1), (-20, 3, 50), (0, 60, 3)] {
            let bins = TimeBins { origin: Time(origin), width: Seconds(width), count };
            // Lengths of zero, within a bin, over many bins and beyond both ends.
            let intervals: Vec<_> = (0..400_u32)
                .map(|n| {
                    let from = i64::from(n * 7919 % 173) - 40;
                    (from, from + i64::from(n * 104_729 % 90), 1 + n % 5)
                })
                .collect();
            let mut levels = Levels::new(bins);
            for &(from, until, units) in &intervals {
                levels.add(Time(from), Time(until), units);
            }
            assert_eq!(levels.means(), second_by_second(bins, &intervals), "{bins:?}");
        }
    }

    #[test]
    fn bins_cover_the_span_and_are_not_too_many() {
        for span in [0, 1, 199, 200, 201, 5_000, 28_900_000, 63_000_000, Seconds::MAX.0] {
            let bins = TimeBins::covering(Time(3), Seconds(span));
            assert!((1..=200).contains(&bins.count), "{bins:?}");
            assert!(bins.width.0 * bins.count as i64 >= span, "{bins:?} for {span}");
        }
        // Eleven months, as the archive's older logs.
        assert_eq!(TimeBins::covering(Time(0), Seconds(28_900_000)).width, Seconds(2 * DAY));
    }
}
