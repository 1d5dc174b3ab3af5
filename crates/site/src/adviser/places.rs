//! The same job in every partition that takes jobs.

use super::OpenAdviser;
use queuecast_advise::Place;
use queuecast_advise::{Adviser, HypotheticalJob};

impl OpenAdviser {
    pub(super) fn place_advice(&self, job: &HypotheticalJob) -> Vec<Place> {
        let partitions = self.situation.open_partitions().into_iter();
        let places = partitions.map(|partition| {
            let there = HypotheticalJob { partition: Some(partition.to_owned()), ..job.clone() };
            Place { partition: partition.to_owned(), forecast: self.forecast(&there) }
        });
        places.collect()
    }
}
