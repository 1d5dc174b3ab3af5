//! Widths to choose from: the question and the answer.

use queuecast_workload::Seconds;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{ContextResponse, ForecastTimesResponse};
use super::forecast::{JobResponse, NoForecastResponse};
use super::hypothetical::HypotheticalRequest;
use super::problem::Refusal;

/// More widths than anybody looks at.
const WIDTHS_MOST: usize = 64;

/// A job and its speed-up on more nodes or CPUs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "job": { "nodes": 4, "limit_seconds": 7200 }, "speedup": "amdahl:0.05" }))]
pub struct SizesRequest {
    /// The job, with the size that it would have by default.
    pub job: HypotheticalRequest,
    /// Speed-up: `amdahl:F`, `downey:A=..,sigma=..` or `table:1=..,2=..`; if left out, learned from earlier runs by the same user and name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup: Option<String>,
    /// Run time in seconds at the size of `job`; if left out, predicted from past jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub run_seconds: Option<i64>,
    /// Sizes to compare; if left out, the daemon chooses useful ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u32>,
}

/// Forecasts of a job at several sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SizesResponse {
    /// Time of the response.
    #[serde(flatten)]
    pub said: ContextResponse,
    /// The job, as requested.
    pub job: JobResponse,
    /// Parts of the request that the requesting user may not use.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Unit of the sizes; `null` if there is no forecast.
    pub unit: Option<SizeUnitResponse>,
    /// Size of `job`.
    pub requested: Option<u32>,
    /// Speed-up learned from past runs; `null` if the request contained one.
    pub scaling: Option<ScalingResponse>,
    /// Sizes, in ascending order.
    pub sizes: Vec<SizeResponse>,
    /// Reason for having no forecast.
    pub no_forecast: Option<NoForecastResponse>,
}

/// Unit of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeUnitResponse {
    /// Nodes.
    Nodes,
    /// CPUs.
    Cpus,
}

/// Observed speed-up of a user's program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScalingResponse {
    /// Serial fraction of the work, in Amdahl's law.
    pub serial_fraction: f64,
    /// Number of completed runs used.
    pub runs: u64,
    /// Number of different CPU counts in these runs.
    pub sizes: u64,
}

/// A size and the forecast of the job at that size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SizeResponse {
    /// Number of nodes or CPUs.
    pub size: u32,
    /// Median run time at this size, in seconds.
    pub run_seconds: i64,
    /// Time limit that the job would request, in seconds.
    pub limit_seconds: i64,
    /// Forecast of the job at this size.
    pub forecast: ForecastTimesResponse,
}

impl SizesRequest {
    /// Whether it can be asked; whether the law is one, the daemon says.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.run_seconds.is_some_and(|run| !(1..=Seconds::MAX.0).contains(&run)) {
            return Err(Self::refused("`run_seconds` is not a valid duration in seconds".to_owned()));
        }
        if self.sizes.len() > WIDTHS_MOST || self.sizes.contains(&0) {
            return Err(Self::refused(format!("`widths` has more than {WIDTHS_MOST} entries, or contains a zero")));
        }
        self.job.check()
    }

    /// That this is wrong with it.
    pub fn refused(message: String) -> Refusal {
        let hint = "correct the field, or leave the field out to use the past of such jobs; /openapi.json describes the formats".to_owned();
        Refusal { message, hint }
    }
}
