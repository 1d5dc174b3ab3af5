//! The daemon: watches a Slurm cluster, keeps what it saw and said, forecasts every waiting job, and answers over HTTP.
//!
//! For: `qcast serve`. One process a cluster. What it sees of Slurm comes through `queuecast-slurm`, what it says comes
//! out of `queuecast-site`; in here is when to ask, what to remember, and how it is told.
//!
//! Not for: writing to Slurm. Nothing in this crate does.
//!
//! The parts, in the order in which a fact passes through them: somebody asks Slurm ([`watch`]), the answer is folded into facts
//! (`queuecast_site::ledger`), the facts are kept ([`store`]), everybody is forecast (`queuecast_site::forecasting`) and what was said is
//! put on the [`board`] for the interface ([`api`]) to answer from, without asking anybody. Whoever has asked for it is told by message ([`notices`]).
//! An operator may have the history replayed under another policy (`what_if`).

pub mod api;
pub mod board;
pub mod clock;
pub mod direct;
pub mod import;
pub mod notices;
mod run;
mod service_manager;
pub mod store;
pub mod watch;
mod what_if;
pub use run::{ReadAgain, Reloaded, RunError, Settings, run};
