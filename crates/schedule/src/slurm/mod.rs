//! Slurm's own scheduling, on a machine of several pools and several kinds of resource.
//!
//! For: saying whom Slurm starts now, given its queue in order of priority, what runs, and its settings. Two passes, as in
//! `job_scheduler.c` and `backfill.c` of 22.05: the main pass goes down the queue and stops, for the nodes it wanted, at
//! the first job that does not fit; backfill goes down the queue as far as it is told, starts whom it can and reserves the
//! earliest time for whom it cannot, anew every time.
//!
//! Not for: turning time forward and run times (`queuecast-forecast`); reading any of this from Slurm (`queuecast-slurm`).
//!
//! What is simplified, and is measured live by the replay check: nodes are counted, not placed. A *pool* is all nodes that
//! are alike and in the same partitions; a job fits if enough of each kind is free in the pools it may use, however it is
//! scattered over their nodes. Priorities stand still. Preemption is not played. A machine of one pool and one kind is the
//! papers' (`Backfilling`), to which the tests hold it.

mod amount;
mod cluster;
mod job;
mod lumps;
mod profile;
#[cfg(test)]
mod reference;
mod scheduler;
mod shape;
mod waiting;

pub use amount::Amount;
pub use cluster::{Blocked, Cap, Cluster, Lumps, Pool, SlurmSettings};
pub use job::{Allocation, Chunk, Demand, PoolSet, QueuedJob, RunningNow};
pub use scheduler::{JobIndex, SlurmScheduler, StaircaseStep};
