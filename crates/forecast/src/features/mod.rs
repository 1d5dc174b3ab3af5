//! What a job's arrival looks like in nineteen numbers: the features of Kumar and Vadhiyar (R-K2, their table 1).
//!
//! For: forecasters that look for past arrivals that resemble this one. A job is described by what it asks for, by the
//! jobs that wait and by those that run; [`SiteState::features`](crate::SiteState::features) gives all of it for a job
//! that is about to arrive, and so is not yet among those that wait.
//!
//! Not for: how alike two arrivals are, and what follows from it; that is the forecasters'.
//!
//! What the paper leaves open:
//! - *Ties.* A rank is how many jobs have a lower value, from zero: a job stands before those that equal it. So a rank
//!   and the sum beside it speak of the same jobs, and the order of equals does not matter.
//! - *Overrun.* A running job that has outlived its estimate has no work left, rather than less than none. It still
//!   counts as running, and in ranks.
//! - *No limit.* See [`estimate`].

mod demand;
mod estimate;
mod index;
#[cfg(test)]
mod scanning;
mod summed_values;
mod tally;
#[cfg(test)]
mod tests;

pub(crate) use demand::Demand;
pub(crate) use estimate::LimitsSeen;
pub(crate) use index::FeatureIndex;

/// How many features there are.
pub const FEATURES: usize = 19;

/// What the paper calls them, in its order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "request_size",
    "ert",
    "queue_jobrank_req_size",
    "queue_jobrank_ert",
    "queue_jobrank_cputime",
    "queue_demand_cputime",
    "n_queue",
    "queue_demand_cputime_lower_req_size",
    "queue_demand_cputime_lower_ert",
    "queue_demand_cputime_lower_cputime",
    "proc_jobrank_req_size",
    "proc_jobrank_ert",
    "proc_jobrank_cputime",
    "proc_remain_cputime",
    "n_proc",
    "proc_remain_cputime_lower_req_size",
    "proc_remain_cputime_lower_ert",
    "proc_remain_cputime_lower_cputime",
    "occupied_nodes",
];

/// The features of one arrival. Times are in seconds, cpu times in processor-seconds, all at or above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features([f64; FEATURES]);

impl Features {
    /// In the paper's order, which is that of [`FEATURE_NAMES`].
    pub fn as_array(&self) -> &[f64; FEATURES] {
        &self.0
    }

    /// Each with its name.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        FEATURE_NAMES.into_iter().zip(self.0)
    }

    /// Puts them in the paper's order.
    fn assemble(demand: Demand, waiting: &Surroundings, running: &Surroundings, occupied_processors: u64) -> Self {
        let mut features = [0.0; FEATURES];
        features[..2].copy_from_slice(&[f64::from(demand.processors), demand.estimate.as_f64()]);
        features[2..10].copy_from_slice(&waiting.flat());
        features[10..18].copy_from_slice(&running.flat());
        features[18] = occupied_processors as f64;
        Self(features)
    }
}

/// What an arriving job is compared with, and by which value: those that wait or those that run, in whole numbers, so
/// that two ways of counting can agree to the last digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Surroundings {
    /// How many jobs there are.
    jobs: i64,
    /// The processor-seconds they still need.
    work: i128,
    /// How many have lower processors, estimate, demand.
    jobs_below: [i64; 3],
    /// The processor-seconds those still need.
    work_below: [i128; 3],
}

impl Surroundings {
    /// In the paper's order.
    fn flat(&self) -> [f64; 8] {
        let [ranks, work_below] = [self.jobs_below.map(|jobs| jobs as f64), self.work_below.map(|work| work as f64)];
        let [by_processors, by_estimate, by_demand] = work_below;
        [ranks[0], ranks[1], ranks[2], self.work as f64, self.jobs as f64, by_processors, by_estimate, by_demand]
    }
}
