//! Watching: when Slurm is asked what, what becomes of the answers, and what is said then.
//!
//! For: the one thread that asks Slurm and writes the store; forecasts are made beside it. It asks at a fixed small rate whoever else is
//! asking the daemon, less often when Slurm is slow or does not answer (`back_off`), and publishes what it knows with how old
//! that is.
//!
//! Not for: answering anybody (`api`); what is made of the answers (`ledger`, `store`, `cluster`, `forecasting`).

mod back_off;
mod background;
mod first_sight;
mod forecasts;
mod forgetting;
mod identities;
mod kind;
mod latest;
mod learning;
mod looking_back;
mod publish;
mod pulse;
mod readings;
mod source;
#[cfg(test)]
mod tests;
mod timers;
mod watcher;
mod without_store;

pub use background::{Background, Done, Event};
pub use forecasts::Finished;
pub(crate) use publish::published;
pub use pulse::Pulse;
pub use source::{SourceChoice, connect};
pub use watcher::{Connect, Footprint, ForecastDeadlines, WatchSettings, Watcher, World};
