//! The partitions of a cluster, ranked for a job and made an answer.

use queuecast_advise::Place;

use super::setting::Setting;
use queuecast_api::forecast::JobAnswer;
use queuecast_api::places::{PlaceAnswer, PlacesAnswer};

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
