//! What holds a job and what would help. Other people's jobs are in it as classes only.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{ForecastTimesResponse, GainResponse};
use super::forecast::{ForecastResponse, NoForecastResponse};

/// Causes of a job's wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhyResponse {
    /// Forecast of the job without changes.
    pub forecast: ForecastResponse,
    /// Jobs ahead of this job, where they may be shown; `null` if there is no forecast.
    pub ahead: Option<AheadResponse>,
    /// Causes of the wait, largest effect first. The effects do not add up: two causes may delay the job at the same time.
    pub causes: Vec<CauseResponse>,
    /// Changes that would help, largest effect first.
    pub suggestions: Vec<SuggestionResponse>,
    /// Number of simulations for each cause and change; `null` if there is no forecast.
    pub simulations: Option<u64>,
    /// Reason for having no forecast.
    pub no_forecast: Option<NoForecastResponse>,
}

/// Jobs ahead of a job, on the nodes that the job may use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadResponse {
    /// Number of jobs; `null` if they belong to fewer than five users and the requesting user may not see them.
    pub jobs: Option<u64>,
    /// Work requested by these jobs, as nodes multiplied by time limits in hours; `null` in the same case.
    pub node_hours: Option<f64>,
    /// Number of these jobs that belong to the job's own user.
    pub own_jobs: u64,
    /// Jobs by request, largest work first; only classes that may be shown.
    pub groups: Vec<AheadGroupResponse>,
}

/// Jobs with similar requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadGroupResponse {
    /// Minimum number of nodes.
    pub nodes_from: u32,
    /// Maximum number of nodes; `null` for no maximum.
    pub nodes_to: Option<u32>,
    /// Maximum time limit in seconds; `null` above the largest bound.
    pub limit_to_seconds: Option<i64>,
    /// Number of jobs.
    pub jobs: u64,
    /// Work requested by these jobs, as nodes multiplied by time limits in hours.
    pub node_hours: f64,
}

/// A cause of a job's wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CauseResponse {
    /// Kind of cause.
    pub kind: CauseKindResponse,
    /// Effect on the start if this cause were removed.
    pub gain: GainResponse,
}

/// Kind of cause of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CauseKindResponse {
    /// Jobs ahead of the job.
    Queue,
    /// Running jobs: the wait that remains at the front of the queue.
    Running,
    /// Nodes reserved for other jobs.
    Reservations,
    /// A limit shared with other jobs, such as a QOS limit.
    SharedLimits,
    /// A dependency on another job.
    Dependency,
    /// The job's begin time.
    Begin,
}

/// A change that would help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SuggestionResponse {
    /// The change.
    pub change: JobChangeResponse,
    /// Effect of the change on the job's start.
    pub gain: GainResponse,
    /// Forecast of the job with the change.
    pub forecast: ForecastTimesResponse,
}

/// A change that the owner can make to a pending job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum JobChangeResponse {
    /// Another time limit.
    Limit {
        /// Requested limit in seconds.
        from_seconds: i64,
        /// Suggested limit in seconds.
        to_seconds: i64,
        /// Estimated share of similar jobs that run longer than the suggested limit.
        risk: f64,
    },
    /// Another number of nodes. The effect does not include the longer run time on fewer nodes.
    Nodes {
        /// Requested number of nodes.
        from: u64,
        /// Suggested number of nodes.
        to: u64,
    },
    /// Another partition.
    Partition {
        /// Partitions in which the job may run now.
        from: Vec<String>,
        /// Suggested partition.
        to: String,
    },
    /// Sharing nodes in place of whole nodes.
    ShareNodes,
}
