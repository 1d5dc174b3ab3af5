//! A lab as sites run Slurm: several kinds of nodes, tiers, fair share over a tree of accounts, limits that bind,
//! preemption, a maintenance, and a stretch of jobs of all kinds taken from a log.
//!
//! For: measuring a model of Slurm by Slurm (`examples/site_stretch`), and short live tests of what only such a site has.
//!
//! Not for: judging what was recorded; labs with a cluster or two of equal nodes ([`crate::LabSettings`]).
//!
//! Source: the kinds of configuration are those of public sites; the numbers are chosen so that on a stretch of some
//! 650 jobs every one of them matters. Keys and their meanings: slurm.conf(5), sacctmgr(1) of 22.05.

mod accounts;
mod draw;
mod history;
mod limits;
mod maintenance;
mod nodes;
mod probes;
mod shape;
mod stretch;
mod submission;
mod watch;

use anyhow::Result;

pub use accounts::{USERS, account_of, second_account_of};
pub use history::give_history;
pub use maintenance::{Maintenance, plan_maintenance};
pub use nodes::{CLUSTER, CPUS_OF_CPU_NODES, GPUS};
pub use probes::choose as choose_probes;
pub use stretch::{ArrayTasks, Dependency, DependencyKind, StretchJob, StretchPlan, place_in_log};
pub use submission::{SubmittedJob, submit_stretch};
pub use watch::{AskedOnce, FastClock, Probe, Watch};

use crate::lab::Lab;
use crate::settings::LabSettings;

/// For so long the controller remembers ended jobs, in lab seconds: whoever looks every ten minutes misses none.
const ENDED_JOBS_KEPT_SECONDS: u32 = 7_200;

/// The profile, at so many lab seconds in a real second.
pub fn settings(speed: u32) -> LabSettings {
    LabSettings {
        clusters: vec![nodes::cluster()],
        users: USERS,
        speed,
        scheduler: Some(nodes::SCHEDULER.to_owned()),
        ended_jobs_kept_seconds: ENDED_JOBS_KEPT_SECONDS,
        accounts: Some(limits::qualities_of_service() + &accounts::tree()),
        ..LabSettings::default()
    }
}

/// Brings a site up, with all its limits.
pub fn up(speed: u32) -> Result<Lab> {
    let lab = Lab::up(settings(speed))?;
    // Not before: accounting knows GPUs only once the controller has told it of them.
    lab.tell_accounting(&limits::orders())?;
    Ok(lab)
}
