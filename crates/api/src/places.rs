//! The partitions of a cluster, ranked for a job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{ContextResponse, ForecastTimesResponse};
use super::forecast::JobResponse;

/// Partitions in which a job could run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PartitionsResponse {
    /// Time of the response.
    #[serde(flatten)]
    pub said: ContextResponse,
    /// The job.
    pub job: JobResponse,
    /// Parts of the request that the requesting user may not use.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Partitions, ordered by the median end time; partitions without a forecast come last.
    pub partitions: Vec<PartitionResponse>,
}

/// A partition and the forecast of the job there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PartitionResponse {
    /// Name of the partition.
    pub partition: String,
    /// Forecast of the job in this partition.
    pub forecast: ForecastTimesResponse,
}
