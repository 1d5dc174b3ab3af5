//! The features as table 1 of the paper words them, job by job: what the index is held against.

use queuecast_workload::{Submission, Time};

use super::{Demand, Features, Surroundings};
use crate::state::SiteState;

/// The features of a job that arrives now, by a look at every job.
pub(super) fn features_by_scanning(state: &SiteState, job: &Submission, now: Time) -> Features {
    let demand = Demand { processors: job.request.processors, estimate: state.estimate(job) };
    let waiting = state.waiting_demands().map(|other| (other, other.processor_seconds()));
    let running = state.running().map(|other| {
        let (processors, estimate) = (other.submission.request.processors, other.estimate);
        let elapsed = now - other.started;
        let remaining = i128::from(estimate.0 - elapsed.0) * i128::from(processors);
        (Demand { processors, estimate }, remaining.max(0))
    });
    let occupied = state.running().map(|job| u64::from(job.submission.request.processors)).sum();
    Features::assemble(demand, &scan(demand, waiting), &scan(demand, running), occupied)
}

fn scan(demand: Demand, others: impl Iterator<Item = (Demand, i128)>) -> Surroundings {
    let mut sums = Surroundings::default();
    for (other, work) in others {
        sums.jobs += 1;
        sums.work += work;
        let lower = [
            other.processors < demand.processors,
            other.estimate < demand.estimate,
            other.processor_seconds() < demand.processor_seconds(),
        ];
        for (place, is_lower) in lower.into_iter().enumerate() {
            if is_lower {
                sums.jobs_below[place] += 1;
                sums.work_below[place] += work;
            }
        }
    }
    sums
}
