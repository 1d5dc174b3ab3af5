//! The daemon in a box: the whole watcher, ledger, store, forecasting and board against a simulated resource manager, a simulated disk and
//! a clock that is turned by hand, with faults drawn by a seed.
//!
//! For: what no real Slurm does on demand. Answers come late, twice, in the wrong order, cut short and contradicting each other;
//! controllers and databases are away; the clock jumps both ways; the disk is full, or the daemon is gone at any write. What must hold is
//! checked all the way ([`invariants`]), and a seed that fails does so again exactly.
//!
//! Not for: how good forecasts are; Slurm's own words (`tests/slurm-lab` has the real one).
//!
//! One run of one seed: [`run::run`]. Many: `cargo run --release -p queuecast-box -- 0 10000`.

pub mod clock;
pub mod disk;
pub mod invariants;
pub mod manager;
pub mod run;
pub mod source;
