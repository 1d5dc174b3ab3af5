//! Limits to choose from.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{ContextResponse, ForecastTimesResponse, GainResponse};
use super::forecast::{JobResponse, NoForecastResponse};

/// Time limits that a job could request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitResponse {
    /// Time of the response.
    #[serde(flatten)]
    pub said: ContextResponse,
    /// The job.
    pub job: JobResponse,
    /// Parts of the request that the requesting user may not use.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Limit that the job requests or would get; `null` if there is no advice.
    pub requested: Option<RequestedLimitResponse>,
    /// Possible limits, starting with the lowest risk. A longer limit has a lower risk.
    pub choices: Vec<LimitChoiceResponse>,
    /// Lowest risk of any limit shorter than the requested one; `null` if the requested limit is too short to be shortened.
    pub lowest_risk: Option<f64>,
    /// Runs on which the advice is based; `null` if there are hardly any similar runs, or if the requesting user may not see this.
    pub basis: Option<LimitBasisResponse>,
    /// Set if the requesting user's own similar runs have a heavy tail: most are short and a few are very long.
    pub heavy_tail: Option<HeavyTailResponse>,
    /// Reason for having no advice.
    pub no_forecast: Option<NoForecastResponse>,
}

/// Limit that a job requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RequestedLimitResponse {
    /// Time limit in seconds.
    pub limit_seconds: i64,
    /// Estimated share of similar jobs that run longer than this limit.
    pub risk: f64,
    /// Forecast of the job with this limit.
    pub forecast: ForecastTimesResponse,
}

/// Runs on which advice is based.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitBasisResponse {
    /// Whether these are the user's own runs; if not, they are runs of all users with the same limit.
    pub own: bool,
    /// Number of runs.
    pub runs: u64,
    /// Median run time of the user's own runs, in seconds.
    pub median_seconds: Option<i64>,
}

/// A few runs that are far longer than the median.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeavyTailResponse {
    /// Number of runs considered.
    pub runs: u64,
    /// Number of these runs that took more than ten times the median.
    pub longer: u64,
    /// Median run time in seconds.
    pub median_seconds: i64,
}

/// Reason for not advising a shorter limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnchangedBecauseResponse {
    /// Every shorter limit has more than the accepted risk.
    TooRisky,
    /// Too many of the user's jobs have not shown yet whether such advice is good for them, or the advice was bad.
    NotProven,
    /// Too few jobs have ended here to advise any limit.
    TooFewEnded,
}

/// A time limit with its risk and its benefit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitChoiceResponse {
    /// Maximum risk: at most this share of similar jobs is killed at this limit.
    pub max_risk: f64,
    /// Limit to request, in seconds.
    pub limit_seconds: i64,
    /// Estimated share of similar jobs that run longer than this limit, calibrated for uncertainty. At most `max_risk`; if the
    /// requested limit is kept, the risk of that limit.
    pub risk: f64,
    /// Reason for keeping the requested limit; `null` if a shorter limit is advised.
    pub unchanged_because: Option<UnchangedBecauseResponse>,
    /// Forecast of the job with this limit.
    pub forecast: ForecastTimesResponse,
    /// Effect of this limit on the job's start; `null` if unknown.
    pub gain: Option<GainResponse>,
    /// Number of ended jobs that were advised a shorter limit at this risk; `null` if they belong to only a few users and the requesting user may not see them.
    pub advised_jobs: Option<u64>,
    /// Share of these jobs that the advised limit would have killed; `null` in the same case, and if there are no such jobs.
    pub killed: Option<f64>,
}
