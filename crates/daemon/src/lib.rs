//! The daemon: watches a Slurm cluster, keeps what it saw and said, forecasts every waiting job, and answers over HTTP.
//!
//! For: `qcast serve`. One process a cluster. What it sees of Slurm comes through `queuecast-slurm`, what it says comes
//! out of `queuecast-forecast`; in here is when to ask, what to remember, and how it is told.
//!
//! Not for: writing to Slurm. Nothing in this crate does.
//!
//! The parts, in the order in which a fact passes through them: somebody asks Slurm ([`watch`]), the answer is folded into
//! facts ([`ledger`]), the facts are kept ([`store`]), the cluster is seen as the core sees it ([`cluster`]), everybody is
//! forecast ([`forecasting`]) and what was said is published ([`published`]) for the interface (`api`) to answer from,
//! without asking anybody.

pub mod advice;
pub mod api;
pub mod backtest;
pub mod board;
pub mod clock;
pub mod cluster;
pub mod direct;
pub mod forecasting;
pub mod import;
pub mod ledger;
pub mod published;
pub mod roles;
mod run;
pub mod store;
pub mod watch;
pub use run::{RunError, Settings, run};
