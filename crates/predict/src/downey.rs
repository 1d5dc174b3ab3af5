//! Downey's predictor: run times of a queue spread evenly over the logarithm of time (R-S11, E-S2.6, E-S3.4; section 4
//! of Smith, Foster and Taylor).
//!
//! For: a published predictor to be compared with. The cdf of the run times of all jobs that have ended in the queue is
//! modelled as `b0 + b1 ln t`; the prediction is the conditional median or average of a job that has run for a second.
//!
//! Not for: jobs that have run for longer, which are corrected as everybody's are.
//!
//! What the paper leaves open:
//!
//! - A queue has no opinion before two jobs have ended in it. Two or more that all took the same time predict that
//!   time, which is where the model goes as run times draw together. A line that falls (`b1 <= 0`) does not occur.
//! - An unknown queue is one queue.
//! - The model's longest run time may lie far beyond any seen: where most jobs of a queue run for hours and some end
//!   within a minute, the line is too flat. The average suffers (on the SDSC Paragon log of 1996 its mean error is 781
//!   minutes, the median's 107). The formula is kept as published, since cutting at the longest run time seen mends the
//!   average (119) and harms the median (128); a prediction is cut at [`Seconds::MAX`] only, and at the limit later.
//!
//! What is approximate: the line is fitted to a histogram ([`LogHistogram`] bounds the effect), and anew only when the
//! jobs of the queue have become more by a fiftieth. So a prediction is a look in a table, and says what it would have
//! said at most 2 % of the jobs ago.

use std::fmt;

use queuecast_workload::log_uniform::LogHistogram;
use queuecast_workload::{QueueId, Seconds, Submission};
use rustc_hash::FxHashMap;

use crate::RuntimeModel;
use crate::rounding::nearest_second;

/// The logarithm of the age at which predictions are made, one second.
const LN_AGE: f64 = 0.0;

/// Fewest jobs of a queue to predict from.
const JOBS_MIN: u64 = 2;

/// The line is fitted anew when the jobs have become more than by one in so many; up to so many, at every job.
const JOBS_PER_NEW_ONE: u64 = 50;

/// What is predicted of the jobs that run for longer than a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DowneyStatistic {
    /// The conditional median.
    Median,
    /// The conditional average.
    Average,
}

/// Predicts from the distribution of the run times of the job's queue.
#[derive(Clone, Debug)]
pub struct Downey {
    statistic: DowneyStatistic,
    by_queue: FxHashMap<Option<QueueId>, QueueHistory>,
}

/// The jobs that ended in a queue, and the prediction they gave when last asked.
#[derive(Clone, Debug, Default)]
struct QueueHistory {
    run_times: LogHistogram,
    fitted_jobs: u64,
    prediction: Option<Seconds>,
}

impl Downey {
    /// Knows nothing yet.
    pub fn new(statistic: DowneyStatistic) -> Self {
        Self { statistic, by_queue: FxHashMap::default() }
    }
}

impl RuntimeModel for Downey {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.by_queue.get(&job.queue)?.prediction
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        let history = self.by_queue.entry(job.queue).or_default();
        history.run_times.insert(run);
        if history.is_outgrown() {
            history.fit(self.statistic);
        }
    }
}

impl QueueHistory {
    fn is_outgrown(&self) -> bool {
        let jobs = self.run_times.jobs();
        jobs >= JOBS_MIN && jobs > self.fitted_jobs + self.fitted_jobs / JOBS_PER_NEW_ONE
    }

    fn fit(&mut self, statistic: DowneyStatistic) {
        self.fitted_jobs = self.run_times.jobs();
        self.prediction = self.run_times.fit().map(|distribution| {
            nearest_second(match statistic {
                DowneyStatistic::Median => distribution.median_beyond(LN_AGE),
                DowneyStatistic::Average => distribution.average_beyond(LN_AGE),
            })
        });
    }
}

impl fmt::Display for DowneyStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Median => "median",
            Self::Average => "average",
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::submissions::job_of;

    fn job(queue: Option<u32>) -> Submission {
        Submission { queue: queue.map(QueueId), ..job_of(1) }
    }

    fn predicted(statistic: DowneyStatistic, runs: &[i64]) -> Option<i64> {
        let mut downey = Downey::new(statistic);
        for run in runs {
            downey.learn(&job(Some(1)), Seconds(*run));
        }
        downey.predict(&job(Some(1))).map(|prediction| prediction.0)
    }

    #[test]
    fn predicts_the_conditional_median_or_average_beyond_a_second() {
        // Shortest 0.1, longest 1000: sqrt(1 * 1000), and 999 / ln 1000.
        assert_eq!(predicted(DowneyStatistic::Median, &[10, 1_000]), Some(32));
        assert_eq!(predicted(DowneyStatistic::Average, &[10, 1_000]), Some(145));
        assert_eq!(predicted(DowneyStatistic::Median, &[10, 1_000, 10]), Some(32));
    }

    #[test]
    fn the_age_is_no_less_than_the_shortest_run_time() {
        // Shortest 500, longest 2000: sqrt(500 * 2000), and 1500 / ln 4.
        assert_eq!(predicted(DowneyStatistic::Median, &[1_000, 2_000]), Some(1_000));
        assert_eq!(predicted(DowneyStatistic::Average, &[1_000, 2_000]), Some(1_082));
    }

    #[test]
    fn one_job_is_no_distribution_and_one_run_time_predicts_itself() {
        for statistic in [DowneyStatistic::Median, DowneyStatistic::Average] {
            assert_eq!(predicted(statistic, &[]), None);
            assert_eq!(predicted(statistic, &[77]), None);
            assert_eq!(predicted(statistic, &[77, 77]), Some(77));
            assert_eq!(predicted(statistic, &[86_400; 1_000]), Some(86_400));
            assert_eq!(predicted(statistic, &[0, 0]), Some(1));
        }
    }

    #[test]
    fn queues_do_not_mix_and_no_queue_is_one_too() {
        let mut downey = Downey::new(DowneyStatistic::Median);
        for (queue, run) in [(Some(1), 50), (Some(2), 900), (None, 6), (Some(1), 50), (Some(2), 900), (None, 6)] {
            downey.learn(&job(queue), Seconds(run));
        }
        assert_eq!(
            [Some(1), Some(2), None].map(|queue| downey.predict(&job(queue))),
            [50, 900, 6].map(Seconds).map(Some)
        );
        assert_eq!(downey.predict(&job(Some(3))), None);
    }

    #[test]
    fn a_longest_run_time_beyond_all_bounds_is_cut() {
        // All but one at the maximum: the line reaches one at the maximum squared.
        let mut runs = vec![1];
        runs.extend([Seconds::MAX.0; 1_000]);
        assert_eq!(predicted(DowneyStatistic::Average, &runs), Some(Seconds::MAX.0));
        for run in [i64::MIN, -1, 0, i64::MAX] {
            let prediction = predicted(DowneyStatistic::Median, &[1, run, 5, run]).expect("there are four jobs");
            assert!((1..=Seconds::MAX.0).contains(&prediction));
        }
    }

    #[test]
    fn a_prediction_is_that_of_a_fit_to_all_but_the_last_fiftieth_of_the_jobs() {
        let generator = &mut Pcg64::seed_from_u64(1);
        let mut downey = Downey::new(DowneyStatistic::Median);
        let mut runs = Vec::new();
        let mut fitted_jobs = 0;
        for count in 1..=3_000_usize {
            // The queue changes its character on the way: a stale prediction would show.
            let longest = if count < 1_500 { 600 } else { 80_000 };
            runs.push(generator.random_range(1..=longest));
            downey.learn(&job(None), Seconds(runs[count - 1]));
            if count > fitted_jobs + fitted_jobs / 50 {
                fitted_jobs = count;
            }
            assert!(count - fitted_jobs <= count / 50, "{fitted_jobs} of {count}");
            if count >= 2 {
                let mut fitted = LogHistogram::default();
                runs[..fitted_jobs].iter().for_each(|run| fitted.insert(Seconds(*run)));
                let expected = fitted.fit().expect("there are jobs").median_beyond(LN_AGE).max(1.0);
                let prediction = downey.predict(&job(None)).expect("there are two jobs").as_f64();
                assert!((prediction - expected).abs() <= 0.5, "{prediction} for {expected}");
            }
        }
    }
}
