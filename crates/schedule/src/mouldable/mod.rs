//! How many processors a mouldable job should wait for (Downey).
//!
//! For: when so many processors will be free ([`queue_time`]), how far such predictions are off ([`bias`]), what a job at
//! the head of the queue makes of them ([`choice`]), and strategies by name ([`AllocationStrategy`]).
//!
//! Not for: how long a job takes on them (`queuecast_workload::mouldable`); turning time forward
//! (`queuecast_simulate::mouldable`).

pub mod bias;
pub mod choice;
pub mod queue_time;
mod strategy;

pub use strategy::{AllocationStrategy, QueueTimeSource};
