//! One template at work on its categories: jobs to points, points to interval estimates (R-S2 to R-S4).
//!
//! The categories stay with the caller, who knows how to find them: by key in a live predictor, by number in a search
//! that has sorted a whole log beforehand. The arithmetic is here, once.

use std::sync::Arc;

use queuecast_workload::{Seconds, Submission};

use super::sums::{COORDINATE_MAX, Point};
use super::width::Widths;
use super::{Category, Data, Estimator, Selection, StudentQuantiles, Template};
use crate::rounding::nearest_second;

/// Binary places of a relative run time: a limit of ten days is resolved to a twentieth of a second.
const RELATIVE_PLACES: u32 = 24;
/// Binary places of one by the processors.
const INVERSE_PLACES: u32 = 32;
/// Binary places of the logarithm of the processors.
const LOGARITHM_PLACES: u32 = 31;

/// A run time with the interval around it in which nine of ten are expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalEstimate {
    /// The estimated run time; a regression may go below zero.
    pub run_seconds: f64,
    /// How far the interval reaches to either side.
    pub half_width_seconds: f64,
}

impl IntervalEstimate {
    /// The estimate as a prediction: in whole seconds, at least one.
    pub fn prediction(&self) -> Seconds {
        nearest_second(self.run_seconds)
    }

    /// Whether a job that ran so long stayed within the interval, as far as whole seconds can tell.
    pub fn holds(&self, run: Seconds) -> bool {
        (run.as_f64() - self.run_seconds).abs() <= self.half_width_seconds + 0.5
    }
}

/// A template, and what it has learnt beyond single categories.
#[derive(Clone, Debug)]
pub struct TemplateLearner {
    template: Template,
    widths: Widths,
}

impl TemplateLearner {
    /// A template that has seen nothing yet.
    pub fn new(template: Template, selection: Selection, quantiles: Arc<StudentQuantiles>) -> Self {
        Self { template, widths: Widths::new(selection, quantiles) }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// What `category` says of a job that falls into it; `None` where it has seen too little.
    pub fn estimate(&self, category: &Category, job: &Submission) -> Option<IntervalEstimate> {
        let fit = category.fit(self.template.estimator, self.abscissa(job))?;
        let half_width = self.widths.half_width(self.template.estimator, &fit)?;
        let unit_seconds = match self.template.data {
            Data::Actual => 1.0,
            Data::Relative => job.limit?.as_f64() / f64::from(1 << RELATIVE_PLACES),
        };
        Some(IntervalEstimate { run_seconds: fit.value * unit_seconds, half_width_seconds: half_width * unit_seconds })
    }

    /// A job that falls into `category` ended after `run`.
    pub fn learn(&mut self, category: &mut Category, job: &Submission, run: Seconds) {
        let Some(y) = self.ordinate(job, run) else { return };
        let point = Point { x: self.abscissa(job), y };
        self.widths.learn(|| category.fit(self.template.estimator, point.x), point.y);
        category.insert(point, self.template.estimator, self.template.maximum_history);
    }

    /// What the estimator takes the run time to depend on.
    fn abscissa(&self, job: &Submission) -> i64 {
        let processors = job.request.processors.max(1);
        match self.template.estimator {
            Estimator::Mean | Estimator::Median => 0,
            Estimator::Linear => processors.into(),
            Estimator::Inverse => (1 << INVERSE_PLACES) / i64::from(processors),
            #[expect(clippy::cast_possible_truncation, reason = "at most 23 * 2^31")]
            Estimator::Logarithmic => {
                (f64::from(processors).ln() * f64::from(1_u32 << LOGARITHM_PLACES)).round() as i64
            }
        }
    }

    /// The run time in the template's unit.
    fn ordinate(&self, job: &Submission, run: Seconds) -> Option<i64> {
        let seconds = run.0.clamp(0, COORDINATE_MAX);
        match self.template.data {
            Data::Actual => Some(seconds),
            Data::Relative => {
                let limit = job.limit?.0.max(1);
                Some((((seconds << RELATIVE_PLACES) + limit / 2) / limit).min(COORDINATE_MAX))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Request;

    use super::*;
    use crate::submissions::job_of;

    fn job(processors: u32, limit: Option<i64>) -> Submission {
        Submission { request: Request { processors }, limit: limit.map(Seconds), ..job_of(0) }
    }

    fn learner(template: &str) -> TemplateLearner {
        TemplateLearner::new(template.parse().expect(template), Selection::Smallest, Arc::default())
    }

    /// What a category says of the last job after all before it, given as processors, run time and limit.
    fn estimate(template: &str, past: &[(u32, i64, i64)], asked: Submission) -> Option<IntervalEstimate> {
        let (mut learner, mut category) = (learner(template), Category::default());
        for &(processors, run, limit) in past {
            learner.learn(&mut category, &job(processors, Some(limit)), Seconds(run));
        }
        learner.estimate(&category, &asked)
    }

    fn assert_close(one: f64, other: f64) {
        assert!((one - other).abs() < 0.01, "{one} and {other}");
    }

    /// By hand: halves and quarters of the limit are 0.375 of it, give or take k times the root of 2 / 16.
    #[test]
    fn relative_run_times_are_multiplied_by_the_jobs_own_limit() {
        let past = [(1, 50, 100), (1, 250, 1_000)];
        let estimate = estimate("(rel)", &past, job(1, Some(8_000))).unwrap();
        assert_close(estimate.run_seconds, 3_000.0);
        assert_close(estimate.half_width_seconds, 10.0_f64.sqrt() * (2.0_f64 / 64.0).sqrt() * 8_000.0);
    }

    #[test]
    fn relative_run_times_without_a_limit_are_neither_learnt_nor_estimated() {
        assert_eq!(estimate("(rel)", &[(1, 50, 100), (1, 250, 1_000)], job(1, None)), None);
        let (mut learner, mut category) = (learner("(rel)"), Category::default());
        learner.learn(&mut category, &job(1, None), Seconds(10));
        learner.learn(&mut category, &job(1, None), Seconds(20));
        assert_eq!(learner.estimate(&category, &job(1, Some(100))), None);
    }

    #[test]
    fn each_regression_finds_the_law_it_is_made_for() {
        let linear = [(1, 110, 1), (2, 120, 1), (4, 140, 1), (8, 180, 1)];
        assert_close(estimate("(lr)", &linear, job(16, None)).unwrap().run_seconds, 260.0);
        let inverse = [(1, 6_400, 1), (2, 3_200, 1), (4, 1_600, 1), (8, 800, 1)];
        assert_close(estimate("(inv)", &inverse, job(16, None)).unwrap().run_seconds, 400.0);
        let logarithmic = [(1, 500, 1), (2, 600, 1), (4, 700, 1), (8, 800, 1)];
        assert_close(estimate("(log)", &logarithmic, job(16, None)).unwrap().run_seconds, 900.0);
    }

    #[test]
    fn a_mean_takes_two_jobs_and_a_regression_three_of_different_widths() {
        assert!(estimate("()", &[(1, 10, 1)], job(1, None)).is_none());
        assert!(estimate("()", &[(1, 10, 1), (1, 20, 1)], job(1, None)).is_some());
        assert!(estimate("(lr)", &[(1, 10, 1), (2, 20, 1)], job(1, None)).is_none());
        assert!(estimate("(lr)", &[(4, 10, 1), (4, 20, 1), (4, 20, 1)], job(4, None)).is_none());
        assert!(estimate("(lr)", &[(4, 10, 1), (4, 20, 1), (5, 20, 1)], job(4, None)).is_some());
    }

    #[test]
    fn a_prediction_is_in_whole_seconds_and_at_least_one() {
        let predicted = |run_seconds| IntervalEstimate { run_seconds, half_width_seconds: 0.0 }.prediction();
        assert_eq!(predicted(10.5), Seconds(11));
        assert_eq!(predicted(-700.0), Seconds(1));
        assert_eq!(predicted(0.2), Seconds(1));
        assert_eq!(predicted(1e30), Seconds::MAX);
    }

    #[test]
    fn an_interval_holds_what_is_within_it_to_the_second() {
        let interval = IntervalEstimate { run_seconds: 99.6, half_width_seconds: 10.0 };
        assert!(interval.holds(Seconds(90)) && interval.holds(Seconds(110)));
        assert!(!interval.holds(Seconds(89)) && !interval.holds(Seconds(111)));
    }

    #[test]
    fn no_run_time_or_limit_overflows() {
        for template in ["()", "(rel)", "(lr)", "(inv,rel)", "(log)"] {
            let (mut learner, mut category) = (learner(template), Category::default());
            for (processors, run, limit) in [(0, i64::MAX, 1), (u32::MAX, i64::MIN, i64::MAX), (1, i64::MAX, 0)] {
                learner.learn(&mut category, &job(processors, Some(limit)), Seconds(run));
            }
            let estimate = learner.estimate(&category, &job(u32::MAX, Some(i64::MAX))).expect(template);
            assert!(estimate.run_seconds.is_finite() && estimate.half_width_seconds.is_finite(), "{estimate:?}");
        }
    }
}
