//! The cluster as the core sees it: what Slurm says of nodes, partitions, limits and jobs, turned into pools, demands and an
//! order of priority.
//!
//! For: one reading of Slurm in ([`ClusterReading`]), a [`Situation`] out, which `queuecast-forecast` plays forward. What the
//! core cannot play is not passed off as something else: such a job has a reason why there is no estimate.
//!
//! Not for: asking Slurm (`watch`), guessing run times and playing (`forecasting`).
//!
//! What is simplified is said in `queuecast_schedule::slurm`; how much of what Slurm does it explains is measured
//! ([`check`]).

pub mod check;
mod demand;
mod dependency;
mod features;
mod holdings;
mod licenses;
mod limits;
mod places;
mod pools;
mod preemption;
mod reach;
mod reasons;
mod request;
mod reservations;
mod settings;
mod situation;
mod standing;
#[cfg(test)]
pub(crate) mod test_cluster;

pub use places::Imagined;
pub use pools::PoolTable;
pub use reach::Reach;
pub use request::{Accepted, Request};
pub(crate) use situation::is_running;
pub use situation::{Asks, ClusterReading, Situation, WaitingJob};
