//! A job before and after: [`Submission`] is all a predictor may see, [`Outcome`] is what an end event brings.

use serde::{Deserialize, Serialize};

use crate::{Request, Seconds, Time};

/// The handle by which the events of one job are told apart. Whoever feeds the events gives it, in order of
/// arrival from zero; the number in a log or in Slurm is a label kept beside it, because those are reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub u64);

macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);
    )*};
}

numbered! {
    /// Who submitted.
    UserId,
    /// The submitter's group or account.
    GroupId,
    /// What is run: the log's executable number.
    ProgramId,
    /// The queue (SWF) or QOS submitted to.
    QueueId,
    /// The partition submitted to.
    PartitionId,
}

/// What is known when a job arrives. Nothing in here is learnt later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The job's handle.
    pub job: JobId,
    /// When it was submitted.
    pub submitted: Time,
    /// What it asks for.
    pub request: Request,
    /// The user's own estimate of the run time, at which the job is killed; unknown in some logs.
    pub limit: Option<Seconds>,
    /// Who submitted it.
    pub user: Option<UserId>,
    /// The submitter's group.
    pub group: Option<GroupId>,
    /// What it runs.
    pub program: Option<ProgramId>,
    /// The queue it was submitted to.
    pub queue: Option<QueueId>,
    /// The partition it was submitted to.
    pub partition: Option<PartitionId>,
}

impl Submission {
    /// A job of which nothing is known but when it came and how many processors it asks for.
    pub fn new(submitted: Time, processors: u32) -> Self {
        Self {
            job: JobId(0),
            submitted,
            request: Request { processors },
            limit: None,
            user: None,
            group: None,
            program: None,
            queue: None,
            partition: None,
        }
    }
}

/// What became of a job. Only an end event carries one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// When it started.
    pub started: Time,
    /// When it ended.
    pub ended: Time,
    /// How it ended.
    pub status: Status,
}

impl Outcome {
    /// The run time.
    pub fn run(&self) -> Seconds {
        self.ended - self.started
    }
}

/// How a job ended, as the Standard Workload Format tells it (field 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// 0: it failed.
    Failed,
    /// 1: it completed.
    Completed,
    /// 2, 3, 4: one line of a job that was checkpointed or swapped out.
    Partial,
    /// 5: it was cancelled, before or after it started.
    Cancelled,
    /// Not in the log.
    Unknown,
}

/// A job of a log with the fate the log records: the input of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedJob {
    /// The number the log gives it; a label, not a handle.
    pub number: i64,
    /// What was known at submission.
    pub submission: Submission,
    /// What the log says became of it.
    pub recorded: Recorded,
}

/// The fate a log records for a job on the machine it was logged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Seconds in the queue, where the log knows them.
    pub wait: Option<Seconds>,
    /// Seconds of run time.
    pub run: Seconds,
    /// How it ended.
    pub status: Status,
}

impl Recorded {
    /// A job that completed after this long; how long it waited is not known.
    pub fn completed(run: Seconds) -> Self {
        Self { wait: None, run, status: Status::Completed }
    }
}
