//! Wait forecasters on made-up workloads.

mod leak;
