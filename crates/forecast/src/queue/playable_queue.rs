//! The cluster at this second.

use queuecast_schedule::slurm::priority::{Priorities, Standing};
use queuecast_schedule::slurm::{Cluster, Counts, Demand, Holding, QueuedJob, RunningNow};
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
    /// How priorities change.
    pub priorities: Priorities,
    /// Whether who is put out for somebody else waits again; if not it is gone.
    pub requeues: bool,
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
    /// One of these things is enough.
    pub any_will_do: bool,
    /// How many alike wait as one: the tasks of an array.
    pub tasks: u32,
    /// What it is worth. The order of the queue is what counts until priorities are worked out again.
    pub standing: Standing,
    /// Its class for those who may put it out.
    pub class: Option<u8>,
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
    /// What it holds where.
    pub holds: Holding,
    /// The limits it counts against.
    pub caps: Vec<Counts>,
    /// Whose usage it adds to.
    pub standing: Standing,
    /// Its class for those who may put it out.
    pub class: Option<u8>,
}

impl WaitingHere {
    /// One that may start at once, alone, and stands where the queue has it.
    pub fn new(submission: Submission, demand: Demand, planned: Seconds) -> Self {
        Self {
            submission,
            demand,
            planned,
            not_before: None,
            after: Vec::new(),
            any_will_do: false,
            tasks: 1,
            standing: Standing::default(),
            class: None,
        }
    }

    /// As the scheduler sees it.
    pub fn queued(&self) -> QueuedJob {
        let eligible = self.not_before.is_none() && self.after.is_empty();
        QueuedJob { demand: self.demand.clone(), planned: self.planned.max(Seconds(1)), eligible, class: self.class }
    }
}

impl RunningHere {
    /// One that nobody may put out, and that counts against nothing.
    pub fn new(submission: Submission, started: Time, planned_end: Time, holds: Holding) -> Self {
        Self { submission, started, planned_end, holds, caps: Vec::new(), standing: Standing::default(), class: None }
    }

    /// As the scheduler sees it.
    pub fn running(&self) -> RunningNow {
        let Self { holds, planned_end, caps, class, .. } = self;
        RunningNow { holds: holds.clone(), planned_end: *planned_end, caps: caps.clone(), class: *class }
    }
}

impl PlayableQueue {
    /// A queue whose order stands still.
    pub fn new(now: Time, cluster: Cluster, waiting: Vec<WaitingHere>, running: Vec<RunningHere>) -> Self {
        Self { now, cluster, waiting, running, priorities: Priorities::default(), requeues: true }
    }

    /// How many jobs wait, every task of an array counted, up to so many of each.
    pub fn tasks(&self, most_of_each: u32) -> usize {
        self.waiting.iter().map(|job| job.tasks.clamp(1, most_of_each) as usize).sum()
    }

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
