//! Watching: when Slurm is asked what, what becomes of the answers, and what is said then.
//!
//! For: the one thread that asks Slurm, writes the store and makes the forecasts. It asks at a fixed small rate whoever else is
//! asking the daemon, less often when Slurm is slow or does not answer (`turn`), and publishes what it knows with how old
//! that is.
//!
//! Not for: answering anybody (`api`); what is made of the answers (`ledger`, `store`, `cluster`, `forecasting`).

mod identities;
mod kind;
mod latest;
mod publish;
mod source;
mod turn;
mod watcher;

pub use source::{SourceChoice, connect};
pub use watcher::{WatchSettings, Watcher};
