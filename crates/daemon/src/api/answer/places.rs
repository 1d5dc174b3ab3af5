//! The partitions of a cluster, ranked for a job and made an answer.

use queuecast_advise::Place;

use super::setting::Setting;
use queuecast_api::forecast::JobResponse;
use queuecast_api::places::{PartitionResponse, PartitionsResponse};

impl Setting<'_> {
    /// Of this job.
    pub fn places(&self, job: JobResponse, not_considered: Vec<String>, places: Vec<Place>) -> PartitionsResponse {
        let mut places: Vec<PartitionResponse> = places
            .into_iter()
            .map(|place| PartitionResponse { forecast: self.outlook(&place.forecast), partition: place.partition })
            .collect();
        // Stable: the default partition stays before others that are as good.
        places.sort_by_key(|place| place.forecast.completion.as_ref().map_or(i64::MAX, |times| times.median.unix));
        PartitionsResponse { said: self.said(), job, not_considered, partitions: places }
    }
}
