//! The jobs that have started last: their features at arrival and their waits.
//!
//! For: everything that learns from the 19 features. A job enters when it starts and not before (R-K6, E-S1.7); the
//! oldest makes room.
//!
//! Features lie column by column, so that a distance to all of them is a few long loops over plain numbers.

use queuecast_workload::{JobId, Submission, Time};
use rustc_hash::FxHashMap;

use super::feature_row::{ARE_SECONDS, FEATURES, FeatureRow};

/// How many jobs the paper's history holds.
pub const HISTORY_JOBS: usize = 5_000;

/// Started jobs, and those that have arrived and not started, whose features wait for their waits.
#[derive(Clone, Debug)]
pub(crate) struct History {
    capacity: usize,
    arrived: FxHashMap<JobId, FeatureRow>,
    columns: [Vec<f64>; FEATURES],
    /// The sum of each job's features that are counts.
    count_sums: Vec<f64>,
    /// The sum of each job's features that are seconds.
    second_sums: Vec<f64>,
    waits_seconds: Vec<f64>,
    /// Where the next job goes once there is no more room.
    oldest: usize,
    least: FeatureRow,
    most: FeatureRow,
}

impl History {
    /// Of at most so many jobs, at least one.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            arrived: FxHashMap::default(),
            columns: std::array::from_fn(|_| Vec::new()),
            count_sums: Vec::new(),
            second_sums: Vec::new(),
            waits_seconds: Vec::new(),
            oldest: 0,
            least: [f64::INFINITY; FEATURES],
            most: [f64::NEG_INFINITY; FEATURES],
        }
    }

    /// A job arrived and looked like this.
    pub(crate) fn arrive(&mut self, job: JobId, features: FeatureRow) {
        self.arrived.insert(job, features);
    }

    /// A job will not start here.
    pub(crate) fn withdraw(&mut self, job: JobId) {
        self.arrived.remove(&job);
    }

    /// A job started; says whether it was known.
    pub(crate) fn start(&mut self, job: &Submission, now: Time) -> bool {
        let Some(features) = self.arrived.remove(&job.job) else { return false };
        self.remember(&features, (now - job.submitted).as_f64().max(0.0));
        true
    }

    fn remember(&mut self, features: &FeatureRow, wait_seconds: f64) {
        let full = self.waits_seconds.len() == self.capacity;
        let oldest = self.oldest;
        let put = |column: &mut Vec<f64>, value: f64| {
            if full {
                column[oldest] = value;
            } else {
                column.push(value);
            }
        };
        for (column, value) in self.columns.iter_mut().zip(features) {
            put(column, *value);
        }
        let (counts, seconds) = sums_of(features);
        put(&mut self.count_sums, counts);
        put(&mut self.second_sums, seconds);
        put(&mut self.waits_seconds, wait_seconds);
        if full {
            self.oldest = (oldest + 1) % self.capacity;
        }
        for (place, value) in features.iter().enumerate() {
            self.least[place] = self.least[place].min(*value);
            self.most[place] = self.most[place].max(*value);
        }
    }

    pub(crate) fn columns(&self) -> &[Vec<f64>; FEATURES] {
        &self.columns
    }

    /// The sum of each job's counts, and of its seconds.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.count_sums.iter().copied().zip(self.second_sums.iter().copied())
    }

    pub(crate) fn waits_seconds(&self) -> &[f64] {
        &self.waits_seconds
    }

    /// How far apart the values of each feature have been, ever; zero where they have all been the same.
    pub(crate) fn ranges(&self) -> FeatureRow {
        std::array::from_fn(|place| (self.most[place] - self.least[place]).max(0.0))
    }

    /// The features of the job in this place.
    pub(crate) fn row(&self, place: usize) -> FeatureRow {
        std::array::from_fn(|column| self.columns[column][place])
    }
}

/// The sum of the features that are counts, and of those that are seconds.
pub(crate) fn sums_of(features: &FeatureRow) -> (f64, f64) {
    let sum =
        |seconds: bool| features.iter().zip(ARE_SECONDS).filter(|(_, is)| *is == seconds).map(|(value, _)| value).sum();
    (sum(false), sum(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    fn row(first: f64) -> FeatureRow {
        let mut row = [1.0; FEATURES];
        row[0] = first;
        row
    }

    #[test]
    fn the_oldest_makes_room_and_ranges_remember_it() {
        let mut history = History::new(2);
        for (job, first) in [(0, 5.0), (1, 7.0), (2, 6.0)] {
            history.arrive(JobId(job), row(first));
            assert!(history.start(&submission(job, 0, 1, None), Time(i64::try_from(job).unwrap())));
        }
        assert_eq!(history.columns()[0], [6.0, 7.0]);
        assert_eq!(history.waits_seconds(), [2.0, 1.0]);
        assert_eq!(history.sums().collect::<Vec<_>>(), [(15.0, 9.0), (16.0, 9.0)]);
        assert_eq!(history.ranges()[..2], [2.0, 0.0]);
    }

    #[test]
    fn a_job_that_was_never_asked_about_is_no_history() {
        let mut history = History::new(2);
        assert!(!history.start(&submission(9, 0, 1, None), Time(4)));
        assert!(history.waits_seconds().is_empty());
    }
}
