//! A real Slurm on one machine: munge, `MariaDB`, slurmdbd, and for every cluster a slurmctld, one slurmd a node and
//! two slurmrestd, private to one folder and gone when the [`Lab`] is dropped.
//!
//! For: tests of what must hold against Slurm itself rather than against our idea of it; recording golden cases.
//!
//! Not for: measuring Slurm (the machine is shared and the clock may run fast); anything but tests.
//!
//! Needs root (daemons take the rights of the jobs' users) and the packages of `tests/install-slurm.sh`. Nothing is
//! written outside the folder but the shared memory of a fast clock, which goes with the lab, and the empty files by
//! which labs keep off each other's ports, which stay. No service of the machine is touched, and processes are ended by
//! their number only.
//!
//! ```no_run
//! # fn main() -> anyhow::Result<()> {
//! use queuecast_slurm_lab::{Lab, LabSettings, Submission};
//! use std::time::Duration;
//!
//! let lab = Lab::up(LabSettings::default())?;
//! let job = lab.cluster("alpha").submit("user03", &Submission::sleeping(30).nodes(2).limit_minutes(10))?;
//! lab.cluster("alpha").wait_for_state(job, "COMPLETED", Duration::from_secs(60))?;
//! # Ok(())
//! # }
//! ```

mod clock;
mod cluster;
mod command;
mod commands_folder;
mod configuration;
mod control;
mod daemon;
mod daemons;
mod database;
mod folder;
mod guard;
mod jobs;
mod lab;
mod leftovers;
mod log_piece;
mod node_lines;
mod placing;
mod ports;
mod process;
mod replay;
mod rest;
mod settings;
pub mod site;
mod users;
mod wait;

pub use cluster::ClusterHandle;
pub use daemon::Daemon;
pub use jobs::{JobNumber, Submission};
pub use lab::Lab;
pub use leftovers::of as processes_of_lab;
pub use log_piece::{LogPiece, at_load};
pub use placing::{Placed, Placing, Rule};
pub use replay::{RecordedJob, ReplayJob, ReplayedJob};
pub use settings::{ClusterSettings, EAGER_SCHEDULER, LabSettings, NORMAL_SCHEDULER, NodeKind};
pub use users::{name as user_name, number as user_number};
pub use wait::wait_until;
