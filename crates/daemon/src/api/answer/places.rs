//! The partitions of a cluster, ranked for a job, as an answer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{OutlookAnswer, SaidAnswer};
use super::forecast::{JobAnswer, Setting};
use queuecast_advise::Place;

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

impl Setting<'_> {
    /// Of this job.
    pub fn places(&self, job: JobAnswer, not_considered: Vec<String>, places: Vec<Place>) -> PlacesAnswer {
        let mut places: Vec<PlaceAnswer> = places
            .into_iter()
            .map(|place| PlaceAnswer { outlook: self.outlook(&place.forecast), partition: place.partition })
            .collect();
        // Stable: the default partition stays before others that are as good.
        places.sort_by_key(|place| place.outlook.completion.as_ref().map_or(i64::MAX, |times| times.median.unix));
        PlacesAnswer { said: self.said(), job, not_considered, places }
    }
}
