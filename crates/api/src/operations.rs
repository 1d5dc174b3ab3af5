//! What only those who run the cluster are told: who waits longest, and which questions are slow.
//!
//! Not for: whether the daemon sees Slurm (`health`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// State of operations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OperationsResponse {
    /// Accounts with pending jobs that could start, at most 50, starting with the account of the longest-waiting job. Jobs that wait for a user, another job or a date
    /// are not counted.
    pub accounts: Vec<AccountResponse>,
    /// Requests since the daemon started, by route.
    pub requests: Vec<RouteTimesResponse>,
    /// Latest requests that took longer than half a second, newest first.
    pub slow_requests: Vec<SlowRequestResponse>,
}

/// Wait so far of the pending jobs of one account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountResponse {
    /// Name of the account.
    pub account: String,
    /// Number of pending jobs.
    pub jobs: u64,
    /// Longest wait so far, in seconds.
    pub longest_wait_seconds: i64,
    /// Median wait so far, in seconds.
    pub median_wait_seconds: i64,
}

/// Response times of one route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RouteTimesResponse {
    /// Route.
    pub route: String,
    /// Number of requests.
    pub count: u64,
    /// Upper bound of the median response time in seconds; `null` if the median is above the largest bound that is counted.
    pub median_seconds: Option<f64>,
    /// The same for the 95th percentile.
    pub p95_seconds: Option<f64>,
}

/// A slow request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlowRequestResponse {
    /// Route. The content of the request is not stored.
    pub route: String,
    /// HTTP status of the response.
    pub status: u16,
    /// Response time in seconds.
    pub seconds: f64,
    /// Time of the response, on the cluster's clock.
    pub at: Moment,
}
