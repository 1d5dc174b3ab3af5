//! How many processors a mouldable job should wait for (Downey).
//!
//! For: when so many processors will be free ([`queue_time`]).
//!
//! Not for: how long a job takes on them (`queuecast_workload::mouldable`).

pub mod queue_time;
