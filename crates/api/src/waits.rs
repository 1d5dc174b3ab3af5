//! How long jobs waited in the last weeks, by the hour and the weekday at which the wait began: when is it quiet?
//!
//! Not for: when a job starts that is submitted now (`forecast`).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::time::Moment;

/// Past waits of a group of jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WaitsResponse {
    /// Name of the cluster.
    pub cluster: String,
    /// Beginning of the first of these waits; `null` if there are none yet.
    pub from: Option<Moment>,
    /// Beginning of the last of these waits.
    pub to: Option<Moment>,
    /// Partitions that a request can name.
    pub partitions: Vec<String>,
    /// Job sizes that a request can name.
    pub sizes: Vec<String>,
    /// All hours together. Here and below, `null` means no jobs, or fewer than five users, which only administrators see.
    pub all: Option<WaitResponse>,
    /// Waits by hour of the day: 24 entries, in the cluster's time zone.
    pub by_hour: Vec<Option<WaitResponse>>,
    /// Waits by day of the week, from Monday.
    pub by_weekday: Vec<Option<WaitResponse>>,
    /// Waits by both: 24 hours for every day of the week.
    pub by_weekday_and_hour: Vec<Vec<Option<WaitResponse>>>,
}

/// Waits of a group of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitResponse {
    /// Median wait in seconds.
    pub median_seconds: i64,
    /// 90th percentile of the wait in seconds.
    pub p90_seconds: i64,
}

/// Filter for waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct WaitsRequest {
    /// Only jobs of this partition.
    pub partition: Option<String>,
    /// Only jobs of this size, one of `sizes`.
    pub size: Option<String>,
}
