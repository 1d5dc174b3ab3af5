//! The cluster at this second.

use queuecast_schedule::slurm::{Amount, Cluster, Demand, QueuedJob, RunningNow};
use queuecast_workload::{Seconds, Submission, Time};

use crate::forward::Prospect;

/// Who waits, who runs, and where.
#[derive(Clone, Debug)]
pub struct PlayableQueue {
    /// This second.
    pub now: Time,
    /// The machine and how it is scheduled.
    pub cluster: Cluster,
    /// Who waits, in order of priority.
    pub waiting: Vec<WaitingHere>,
    /// Who runs.
    pub running: Vec<RunningHere>,
}

/// A job that waits.
#[derive(Clone, Debug)]
pub struct WaitingHere {
    /// What was known at its submission.
    pub submission: Submission,
    /// What it asks for.
    pub demand: Demand,
    /// How long Slurm plans it to run.
    pub planned: Seconds,
    /// Not before this time.
    pub not_before: Option<Time>,
    /// What must have happened before.
    pub after: Vec<After>,
    /// How many alike wait as one: the tasks of an array. What is said is said of the first.
    pub tasks: u32,
}

/// Something another job must have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// Which.
    pub job: Awaited,
    /// Of tasks that wait as one, which, counted from 0: all of them if none is named.
    pub task: Option<u32>,
    /// Whether its end is waited for, or its start is enough.
    pub end: bool,
}

/// A job that another waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// One that waits itself, by place in [`PlayableQueue::waiting`].
    Waiting(usize),
    /// One that runs, by place in [`PlayableQueue::running`].
    Running(usize),
}

/// A job that runs.
#[derive(Clone, Debug)]
pub struct RunningHere {
    /// What was known at its submission.
    pub submission: Submission,
    /// When it started.
    pub started: Time,
    /// When Slurm plans it to end.
    pub planned_end: Time,
    /// What it holds in which pool.
    pub holds: Vec<(u8, Amount)>,
    /// The limits it counts against.
    pub caps: Vec<u32>,
}

impl WaitingHere {
    /// As the scheduler sees it.
    pub fn queued(&self) -> QueuedJob {
        let eligible = self.not_before.is_none() && self.after.is_empty();
        QueuedJob { demand: self.demand.clone(), planned: self.planned.max(Seconds(1)), eligible }
    }
}

impl RunningHere {
    /// As the scheduler sees it.
    pub fn running(&self) -> RunningNow {
        RunningNow { holds: self.holds.clone(), planned_end: self.planned_end, caps: self.caps.clone() }
    }
}

impl PlayableQueue {
    /// Everybody, for whoever draws run times: those who wait, then those who run.
    pub fn prospects(&self) -> Vec<Prospect> {
        let waiting = self.waiting.iter().map(|job| Prospect { submission: job.submission, age: None });
        let running = self
            .running
            .iter()
            .map(|job| Prospect { submission: job.submission, age: Some((self.now - job.started).max(Seconds::ZERO)) });
        waiting.chain(running).collect()
    }
}
