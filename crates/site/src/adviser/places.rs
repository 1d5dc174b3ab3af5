//! The same job in every partition that takes jobs, but for those that are kept for others.
//!
//! A partition all of whose nodes have GPUs is kept for jobs that ask for GPUs, and one that is called after debugging, testing or
//! interactive work for those who name it. Such a place is offered only to whoever names it or, for GPUs, needs it, or if no other place
//! would start the job within an hour in the median: sending everybody there is how nobody gets a GPU.

use queuecast_advise::{HypotheticalJob, Place};
use queuecast_forecast::estimate::JobForecast;
use queuecast_schedule::slurm::Demand;
use queuecast_workload::{Seconds, Time};

use super::OpenAdviser;

/// What starts within this is near.
pub(super) const NEAR: Seconds = Seconds(3_600);
/// Parts of names of partitions for short tries.
const FOR_TRIES: [&str; 4] = ["debug", "devel", "test", "interactive"];

impl OpenAdviser {
    pub(super) fn place_advice(&self, job: &HypotheticalJob) -> Vec<Place> {
        let named = job.partitions();
        let mut kept_for_others = Vec::new();
        let mut places = Vec::new();
        for partition in self.situation.open_partitions() {
            let there = job.in_partition(partition);
            let place = Place { partition: partition.to_owned(), forecast: self.supposed(&there) };
            let is_kept = !named.contains(&partition)
                && self.situation.hypothetical(&there).is_ok_and(|imagined| {
                    self.is_kept_for_others(partition, &imagined.demand, job.gpus.is_some_and(|gpus| gpus > 0))
                });
            kept_for_others.push(is_kept);
            places.push(place);
        }
        let is_near = |place: &Place| self.is_near(&place.forecast);
        let is_other_near = places.iter().zip(&kept_for_others).any(|(place, is_kept)| !is_kept && is_near(place));
        let mut is_kept = kept_for_others.into_iter();
        places.retain(|_| !is_kept.next().unwrap_or(false) || !is_other_near);
        places
    }

    /// Whether a partition is kept for other jobs than one that asks for this there.
    pub(super) fn is_kept_for_others(&self, partition: &str, demand: &Demand, needs_gpus: bool) -> bool {
        let name = partition.to_ascii_lowercase();
        let is_for_tries = FOR_TRIES.iter().any(|part| name.contains(part));
        let pools = &self.situation.core.cluster.pools;
        let mut nodes = demand.pools.pools().filter_map(|pool| pools.get(pool)).peekable();
        let has_only_gpus = nodes.peek().is_some() && nodes.all(|pool| pool.node.gpus > 0);
        is_for_tries || (has_only_gpus && !needs_gpus)
    }

    /// Whether a job that is forecast so starts soon, in the median.
    pub(super) fn is_near(&self, forecast: &JobForecast) -> bool {
        match forecast {
            JobForecast::Estimate(estimate) => self.is_soon(estimate.start.times[4]),
            JobForecast::NoForecast(_) => false,
        }
    }

    pub(super) fn is_soon(&self, start: Time) -> bool {
        start <= self.now() + NEAR
    }
}
