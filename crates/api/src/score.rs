//! How good the forecasts were: ours beside Slurm's own plan, overall, by partition and by class.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Accuracy of the forecasts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreResponse {
    /// All jobs together; `null` if there are no results yet.
    pub overall: Option<ScoreGroupResponse>,
    /// Accuracy by partition.
    pub by_partition: Vec<ScoreGroupResponse>,
    /// Accuracy by class of the remaining wait when the forecast was made.
    pub by_class: Vec<ScoreGroupResponse>,
    /// Simple methods that were more accurate than Queuecast on this cluster during the last month; usually none.
    #[serde(default)]
    pub better_for_a_month: Vec<BetterMethodResponse>,
}

/// A simple method that was more accurate than Queuecast for a month.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BetterMethodResponse {
    /// Forecasts compared: `first` of each job, or `all`.
    pub of: String,
    /// Method: the name of an ensemble member, or `plan` for Slurm's own estimate.
    pub name: String,
    /// Number of forecasts that both methods made.
    pub forecasts: u64,
    /// Number of users of these jobs, counted up to five. With fewer than five, only administrators see this entry.
    pub users: u64,
    /// Median absolute error of the method in seconds, accurate to 2 %.
    pub median_absolute_error_seconds: f64,
    /// Median absolute error of Queuecast in seconds.
    pub ours_median_absolute_error_seconds: f64,
}

/// Accuracy for a group of jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreGroupResponse {
    /// Name of the group: `all`, a partition or a class.
    pub name: String,
    /// Number of users of these jobs, counted up to five; the smallest number behind any figure or difference of two figures. Only
    /// administrators see groups of fewer than five users.
    #[serde(default)]
    pub users: u64,
    /// Accuracy of the first forecast of every job.
    pub first: FiguresResponse,
    /// Accuracy of every stored forecast.
    pub all: FiguresResponse,
}

/// Accuracy of a set of forecasts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FiguresResponse {
    /// Number of forecasts.
    pub forecasts: u64,
    /// Number of jobs.
    pub jobs: u64,
    /// Share of starts within each range; `null` without forecasts.
    pub coverage: Option<CoverageResponse>,
    /// Median width of the 80 % range in seconds.
    pub range80_median_width_seconds: Option<f64>,
    /// Median absolute error of the median forecast in seconds.
    pub median_absolute_error_seconds: Option<f64>,
    /// Share of forecasts whose median was off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// Accuracy of Slurm's own start estimates at the same moments.
    pub slurm: SlurmFiguresResponse,
    /// Accuracy of each ensemble member of the forecast; `null` until one is known.
    #[serde(default)]
    pub experts: Option<ExpertsResponse>,
}

/// Accuracy of each ensemble member alone, at the same moments as the forecast.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExpertsResponse {
    /// Number of forecasts whose ensemble members are known.
    pub forecasts: u64,
    /// The combined forecast first, named `ours`, then each ensemble member.
    pub members: Vec<ExpertResponse>,
}

/// Error of one method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExpertResponse {
    /// Name: `ours`, or an ensemble member.
    pub name: String,
    /// Median absolute error in seconds, accurate to 2 %.
    pub median_absolute_error_seconds: f64,
    /// Mean absolute error in seconds.
    pub mean_absolute_error_seconds: f64,
}

/// Share of starts within each range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoverageResponse {
    /// Share within the 50 % range.
    pub p50: f64,
    /// Share within the 80 % range.
    pub p80: f64,
    /// Share within the 90 % range.
    pub p90: f64,
    /// Share within the 95 % range.
    pub p95: f64,
}

/// Accuracy of Slurm's own start estimates. Missing estimates have no error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlurmFiguresResponse {
    /// Median absolute error of Slurm's estimates in seconds.
    pub median_absolute_error_seconds: Option<f64>,
    /// Share of Slurm's estimates that were off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// Share of moments at which Slurm had no estimate.
    pub missing: Option<f64>,
    /// Share of Slurm's estimates that were after the actual start.
    pub too_late: Option<f64>,
    /// Median absolute error of Queuecast in seconds, at the moments at which Slurm had an estimate. Compare Slurm's error with this value.
    pub ours_median_absolute_error_seconds: Option<f64>,
    /// Share of Queuecast's forecasts that were off by at most ten minutes, at those moments.
    pub ours_within_10_minutes: Option<f64>,
}

/// Recent accuracy of forecasts such as this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecentAccuracyResponse {
    /// Partition of the forecasts.
    pub partition: String,
    /// Number of forecasts.
    pub forecasts: u64,
    /// Share of starts within the 80 % range.
    pub coverage80: f64,
    /// Median absolute error of the median forecast in seconds.
    pub median_absolute_error_seconds: f64,
}
