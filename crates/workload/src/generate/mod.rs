//! Workloads that are made up, and logs put together anew: for what no log has, and for more than any log has.
//!
//! Every generator is an iterator that draws from a seeded generator passed in, so that the same seed makes the same
//! workload and memory does not grow with it.

pub mod downey;
pub mod estimates;
pub mod lublin;
pub mod resample;
