//! Everything there is to say about a job among the others: what it asks for, who waits and runs, what the model says, and what the site lately did to
//! jobs like it, as a row of numbers with names.
//!
//! Kept up event by event, whoever the events come from. Not for: what follows for the job; that is the forecasters'.

mod inputs;
mod memory;
mod shape;
mod waiting_jobs;

#[cfg(feature = "trees")]
pub(crate) use inputs::QUANTILES;
pub(crate) use inputs::{Circumstances, INPUTS};
pub(crate) use memory::Memory;
pub(crate) use shape::Shape;
pub(crate) use waiting_jobs::WaitingJobs;
