//! The partitions of a cluster, ranked for a job.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{OutlookAnswer, SaidAnswer};
use super::forecast::JobAnswer;

/// Where a job could run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlacesAnswer {
    /// When this was said.
    #[serde(flatten)]
    pub said: SaidAnswer,
    /// The job.
    pub job: JobAnswer,
    /// What of the question may not be taken into account.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// The partitions, by the median of the end; those of which nothing is said last.
    pub places: Vec<PlaceAnswer>,
}

/// A partition, and what would be said of the job there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlaceAnswer {
    /// Its name.
    pub partition: String,
    /// What would be said of the job there.
    pub outlook: OutlookAnswer,
}
