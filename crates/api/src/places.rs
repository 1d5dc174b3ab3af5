//! The partitions of a cluster, ranked for a job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{OutlookAnswer, SaidAnswer};
use super::forecast::JobAnswer;

/// Partitions in which a job could run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlacesAnswer {
    /// Time of the response.
    #[serde(flatten)]
    pub said: SaidAnswer,
    /// The job.
    pub job: JobAnswer,
    /// Parts of the request that the requesting user may not use.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Partitions, ordered by the median end time; partitions without a forecast come last.
    pub places: Vec<PlaceAnswer>,
}

/// A partition and the forecast of the job there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlaceAnswer {
    /// Name of the partition.
    pub partition: String,
    /// Forecast of the job in this partition.
    pub outlook: OutlookAnswer,
}
