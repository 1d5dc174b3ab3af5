//! How long jobs waited in the last weeks, by the hour and the weekday at which the wait began: when is it quiet?
//!
//! Not for: when a job starts that is submitted now (`forecast`).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::time::Moment;

/// Waits of some jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WaitsAnswer {
    /// The cluster's name.
    pub cluster: String,
    /// When the first of all these waits began; `null` while nothing is known.
    pub from: Option<Moment>,
    /// When the last began.
    pub to: Option<Moment>,
    /// Partitions that can be asked about.
    pub partitions: Vec<String>,
    /// Sizes that can be asked about.
    pub sizes: Vec<String>,
    /// All hours together. `null` here and below: of no job, or of fewer than five users, which administrators only are shown.
    pub all: Option<WaitAnswer>,
    /// By the hour of the day, 24 of them, in the cluster's own time.
    pub by_hour: Vec<Option<WaitAnswer>>,
    /// By the day of the week, from Monday.
    pub by_weekday: Vec<Option<WaitAnswer>>,
    /// By both: for every day of the week its 24 hours.
    pub by_weekday_and_hour: Vec<Vec<Option<WaitAnswer>>>,
}

/// How long some jobs waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitAnswer {
    /// Half waited no longer.
    pub median_seconds: i64,
    /// Nine of ten waited no longer.
    pub nine_of_ten_seconds: i64,
}

/// Of which jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct WaitsQuestion {
    /// Only of this partition.
    pub partition: Option<String>,
    /// Only of this size, one of `sizes`.
    pub size: Option<String>,
}
