//! What came out of a replay, by the names it has in JSON; `docs/reference/output/wait.md` defines them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::hour::WithinAnHour;
use super::predicted::CalibrationBin;
use super::sums::COVERAGE_LEVELS;

/// A 95 % interval from resampling weeks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
}

/// How often the class was right, as shares of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassAccuracy {
    /// One class named.
    pub single: f64,
    /// Two.
    pub two: f64,
    /// Three.
    pub three: f64,
    /// What always saying "up to an hour" gives.
    pub majority: f64,
    /// The same of jobs that waited for more than an hour.
    pub single_over_1h: f64,
    /// Two classes.
    pub two_over_1h: f64,
    /// Three.
    pub three_over_1h: f64,
    /// Mean negative logarithm of the probability of what came.
    pub log_loss: f64,
    /// Mean squared distance of the probabilities from what came.
    pub brier: f64,
}

/// How far the time was off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WaitError {
    /// Mean absolute error in seconds.
    pub mae: f64,
    /// Median absolute error in seconds, within 2 %.
    pub median: f64,
    /// The same over the mean wait.
    pub mae_over_mean_wait: f64,
    /// Mean absolute logarithm of (1 + predicted) over (1 + actual).
    pub log_ratio: f64,
    /// Share of jobs within a minute.
    pub within_1_minute: f64,
    /// Within ten.
    pub within_10_minutes: f64,
    /// Mean absolute error over the wait and the limit together, of jobs with a limit: Kumar and Vadhiyar's error in
    /// response time (R-K8).
    pub over_response_time: f64,
}

/// Central ranges: how often they held what came, as shares, and how wide they were.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Of the 50 % range.
    pub p50: f64,
    /// Of the 80 % range.
    pub p80: f64,
    /// Of the 90 % range.
    pub p90: f64,
    /// Of the 95 % range.
    pub p95: f64,
    /// Each in this order, where a job that lies in a step of its distribution, such as "starts now", counts in parts: a range is not flattered by
    /// ending in the step.
    pub at_random: [f64; COVERAGE_LEVELS.len()],
    /// Median width of the 80 % range in seconds, within 2 %.
    pub p80_median_width_seconds: f64,
    /// Mean width over the mean wait, of each in this order.
    pub width_over_mean_wait: [f64; COVERAGE_LEVELS.len()],
}

/// The bound that is meant to hold for 95 % of the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bound95 {
    /// How often it did.
    pub coverage: f64,
    /// Its mean over the mean wait.
    pub over_mean_wait: f64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitSummary {
    /// Jobs scored.
    pub jobs: f64,
    /// Their mean wait.
    pub mean_wait_seconds: f64,
    /// Classes.
    pub classes: ClassAccuracy,
    /// Times.
    pub error: WaitError,
    /// Ranges.
    pub coverage: Coverage,
    /// The bound.
    pub bound95: Bound95,
    /// Mean continuous ranked probability score in seconds.
    pub crps: f64,
    /// The same over the mean wait.
    pub crps_over_mean_wait: f64,
    /// Mean pinball loss over quantiles from 5 to 95 %, in seconds.
    pub pinball: f64,
    /// Share of jobs at or below the quantile of each level.
    pub reliability: Vec<(f64, f64)>,
    /// Where what came lay in its distribution, in twentieths: all alike if the distributions are right.
    pub places: Vec<f64>,
    /// Whether a job starts within an hour.
    pub within_1h: WithinAnHour,
    /// By what was said.
    pub by_predicted: Vec<CalibrationBin>,
    /// 95 % intervals of some of the above, by name.
    pub intervals: BTreeMap<&'static str, Interval>,
}

impl WaitSummary {
    /// The figure of this name, if it is one of those with an interval.
    pub fn figure(&self, name: &str) -> Option<f64> {
        let Self { classes, error, bound95, .. } = self;
        Some(match name {
            "classes.single" => classes.single,
            "classes.two" => classes.two,
            "classes.three" => classes.three,
            "classes.majority" => classes.majority,
            "classes.single_over_1h" => classes.single_over_1h,
            "classes.two_over_1h" => classes.two_over_1h,
            "classes.three_over_1h" => classes.three_over_1h,
            "error.mae_over_mean_wait" => error.mae_over_mean_wait,
            "error.over_response_time" => error.over_response_time,
            "bound95.coverage" => bound95.coverage,
            "bound95.over_mean_wait" => bound95.over_mean_wait,
            "crps_over_mean_wait" => self.crps_over_mean_wait,
            _ => return None,
        })
    }
}
