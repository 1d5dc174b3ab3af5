//! The tables and claims of the papers, published beside measured, each with a verdict.
//!
//! For: what is run for each paper, what it published, and what is concluded ([`talby`], [`smith`], [`tsafrir`],
//! [`downey`], [`kumar`]); [`Claim`] is one line of it.
//!
//! Not for: reading logs, printing or timing (`queuecast-cli`, `qcast reproduce`). The reports that came out live in
//! `experiments/`, one folder a paper.

mod claim;
pub mod downey;
mod effort;
pub mod kumar;
mod log;
mod report;
pub mod smith;
pub mod talby;
pub mod tsafrir;

pub use claim::{Claim, Interval, Kind, Measured, OnTrace, RULES, Table, Verdict};
pub use effort::Effort;
pub use log::{Log, LogError, LogSpecification, find_log};
pub use report::{Heading, Picture, counted, figure, markdown};
