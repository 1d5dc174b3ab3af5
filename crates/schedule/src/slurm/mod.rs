//! Slurm's own scheduling, on a machine of several pools and several kinds of resource.
//!
//! For: saying whom Slurm starts now, given its queue in order of priority, what runs, and its settings. Two passes, as in
//! `job_scheduler.c` and `backfill.c` of 22.05: the main pass goes down the queue and stops, for the nodes it wanted, at
//! the first job that does not fit; backfill goes down the queue as far as it is told, starts whom it can and reserves the
//! earliest time for whom it cannot, anew every time.
//!
//! Not for: turning time forward and run times (`queuecast-forecast`); reading any of this from Slurm (`queuecast-slurm`).
//!
//! Room is either *placed* (`placed`: what is free on each node, and which nodes are kept for whom) or, where nodes are not known
//! one by one or are too many, *counted* (`counted`: a *pool* is all nodes that are alike and in the same partitions). A machine
//! of one pool and one kind is the papers' (`Backfilling`), to which the tests hold it. What a job is worth is in [`priority`];
//! whoever turns time forward asks there and tells the scheduler the ranks.
//!
//! What is simplified, and is measured live by the replay check: sockets and cores, topology, gang scheduling.

mod amount;
mod choose;
mod cluster;
mod counted;
mod extent;
mod free_nodes;
mod job;
mod lumps;
mod nodes;
mod onlookers;
mod placed;
pub mod priority;
mod profile;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod reference_by_node;
mod scheduler;
mod shape;
mod space;
mod waiting;

pub use amount::Amount;
pub use cluster::{Blocked, Cap, Cluster, Counts, Load, Lumps, Node, Pool, SlurmSettings, Things, Work};
pub use job::{Chunk, Demand, Holding, Layout, NamedNodes, PoolSet, QueuedJob, RunningNow};
pub use nodes::NodeSet;
pub use onlookers::{Onlooker, OnlookerStart};
pub use scheduler::{JobIndex, SlurmScheduler};
