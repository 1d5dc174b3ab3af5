//! Waiting jobs, free processors and planned durations in; who starts now out.
//!
//! For: the scheduling policies (FCFS, EASY and its orders, conservative) behind one interface, [`Scheduler`], and
//! the structures that make them fast: an indexed queue, the planned releases of running jobs, an availability
//! profile. Also the choice of how many processors a mouldable job should wait for ([`mouldable`]).
//!
//! Not for: predicting (`queuecast-predict`): a scheduler sees planned durations and never asks where they come
//! from. Not for turning time forward (`queuecast-simulate`): a scheduler is told what happened and when. It knows
//! neither actual run times nor the future.
//!
//! A scheduler is a value: cloning it gives an independent future of the same queue.

mod availability;
mod backfilling;
mod conservative;
mod depth;
pub mod mouldable;
mod order;
mod queue;
mod releases;
mod scheduler;
pub mod slurm;
mod specification;
mod summed_list;
mod waiting;

pub use availability::AvailabilityProfile;
pub use backfilling::{Backfill, Backfilling};
pub use conservative::Conservative;
pub use depth::Depth;
pub use order::Order;
pub use scheduler::{AnyScheduler, Decisions, JobKey, PlannedJob, Promise, Scheduler, Start};
pub use specification::PolicySpecification;
