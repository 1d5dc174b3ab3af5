//! What a strategy has learnt by now: how long jobs run, and how far its queue times were off.
//!
//! Nothing is learnt before it has happened. A run time is known when its job ends. What came of a predicted queue time is
//! known when it has passed: it hangs on the jobs that ran when it was predicted, whose ends are seen whatever the job
//! that asked did.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use queuecast_schedule::mouldable::bias::{Bias, BiasLine};
use queuecast_schedule::mouldable::queue_time::Interpretation;
use queuecast_workload::Seconds;
use queuecast_workload::log_uniform::{LogHistogram, LogUniform};

/// Fewest ended jobs to predict from.
const JOBS_LEAST: u64 = 30;
/// The distribution is fitted anew when its jobs have become more than by one in so many.
const JOBS_PER_NEW_ONE: u64 = 50;

/// What queue times are predicted from. The default learns everything from what has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueTimeModel {
    /// How run times are spread, if that is given and not learnt.
    pub run_times: Option<LogUniform>,
    /// How the equations are read.
    pub interpretation: Interpretation,
    /// How far queue times are off, if that is given and not learnt.
    pub bias: Option<Bias>,
}

/// The line of bias the paper prints (R-D11).
const PUBLISHED_BIAS: Bias = Bias { slope: 0.6, intercept: 1.7, correlation: 0.48 };

impl QueueTimeModel {
    /// The equations as they are printed (E-S3.2); the line of bias is learnt. The paper takes the distribution of sequential
    /// life times for that of run times (E-S3.4): `lifetimes` is that, where it is known.
    pub fn as_printed(lifetimes: Option<LogUniform>) -> Self {
        Self { run_times: lifetimes, interpretation: Interpretation::AsPrinted, bias: None }
    }

    /// The same with the published line of bias: what comes nearest to what the paper ran.
    pub fn as_published(lifetimes: Option<LogUniform>) -> Self {
        Self { bias: Some(PUBLISHED_BIAS), ..Self::as_printed(lifetimes) }
    }
}

/// A prediction that a job acted upon, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedQueueTime {
    /// What was predicted, before any correction.
    pub raw_seconds: f64,
    /// What the job was told.
    pub told_seconds: f64,
    /// What came of it.
    pub actual_seconds: f64,
}

/// What has been learnt.
#[derive(Clone, Debug)]
pub struct Knowledge {
    model: QueueTimeModel,
    run_times: LogHistogram,
    fitted_jobs: u64,
    fitted: Option<LogUniform>,
    bias: BiasLine,
    pending: BinaryHeap<Pending>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pending {
    known_at: f64,
    queue_time: PredictedQueueTime,
}

impl Eq for Pending {}

impl Ord for Pending {
    /// The soonest is the greatest, as the heap wants it.
    fn cmp(&self, other: &Self) -> Ordering {
        other.known_at.total_cmp(&self.known_at)
    }
}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Knowledge {
    /// What is given, and nothing else yet.
    pub fn new(model: QueueTimeModel) -> Self {
        Self {
            model,
            run_times: LogHistogram::default(),
            fitted_jobs: 0,
            fitted: None,
            bias: BiasLine::default(),
            pending: BinaryHeap::new(),
        }
    }

    /// A job has ended.
    pub fn ended(&mut self, run_seconds: f64) {
        if self.model.run_times.is_some() {
            return;
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole seconds are enough, and the cast saturates")]
        self.run_times.insert(Seconds(run_seconds.round() as i64));
        let jobs = self.run_times.jobs();
        if jobs >= JOBS_LEAST && jobs > self.fitted_jobs + self.fitted_jobs / JOBS_PER_NEW_ONE {
            self.fitted_jobs = jobs;
            self.fitted = self.run_times.fit();
        }
    }

    /// A queue time was predicted; what comes of it will be known when it has passed.
    pub fn predicted(&mut self, now: f64, queue_time: PredictedQueueTime) {
        self.pending.push(Pending { known_at: now + queue_time.actual_seconds, queue_time });
    }

    /// Learns what came of queue times that have passed by now.
    pub fn advance(&mut self, now: f64) {
        while let Some(pending) = self.pending.peek().filter(|pending| pending.known_at <= now) {
            self.bias.learn(pending.queue_time.raw_seconds, pending.queue_time.actual_seconds);
            self.pending.pop();
        }
    }

    /// How the equations are read.
    pub fn interpretation(&self) -> Interpretation {
        self.model.interpretation
    }

    /// The distribution of run times; `None` before enough jobs have ended.
    pub fn run_times(&self) -> Option<LogUniform> {
        self.model.run_times.or(self.fitted)
    }

    /// How far queue times are off; `None` before enough of them have passed.
    pub fn correction(&self) -> Option<Bias> {
        self.model.bias.or_else(|| self.bias.correction())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue_time(raw_seconds: f64, actual_seconds: f64) -> PredictedQueueTime {
        PredictedQueueTime { raw_seconds, told_seconds: raw_seconds, actual_seconds }
    }

    #[test]
    fn what_came_of_a_prediction_is_not_known_before_it_has_passed() {
        let mut knowledge = Knowledge::new(QueueTimeModel::default());
        for index in 1..=100 {
            knowledge.predicted(0.0, queue_time(f64::from(index), 2.0 * f64::from(index)));
        }
        knowledge.advance(50.0);
        assert_eq!(knowledge.correction(), None, "25 outcomes are too few");
        knowledge.advance(100.0);
        let bias = knowledge.correction().expect("50 outcomes");
        assert!((bias.slope - 1.0).abs() < 1e-9 && (bias.intercept - 2.0_f64.ln()).abs() < 1e-9, "{bias:?}");
    }

    #[test]
    fn run_times_are_learnt_unless_they_are_given() {
        let mut learnt = Knowledge::new(QueueTimeModel::default());
        let given = LogUniform { ln_shortest: 2.0, ln_longest: 12.0 };
        let mut told = Knowledge::new(QueueTimeModel { run_times: Some(given), ..QueueTimeModel::default() });
        for run in 1..=29 {
            learnt.ended(f64::from(run));
            told.ended(f64::from(run));
        }
        assert_eq!(learnt.run_times(), None);
        learnt.ended(30.0);
        assert!(learnt.run_times().is_some());
        assert_eq!(told.run_times(), Some(given));
    }
}
