//! A job as Slurm tells it, in full.
//!
//! For: everything any dialect says of one attempt at a job. A job that was requeued has a record for each attempt.
//!
//! Not for: which processors or times count ([`crate::history`]).
//!
//! Source: `sacct --helpformat` and the JSON of 22.05 to 26.05.

use queuecast_workload::{Seconds, Time};

use super::job_id::array_tasks_named;
use super::{JobLayout, JobPart, JobState, TimeLimit, Tres};

/// What tells one attempt from every other. Job numbers wrap around and are used again, so the time of submission
/// belongs to it; Slurm gives a requeued attempt a new one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobKey {
    /// The cluster's name; empty where the dialect does not say.
    pub cluster: String,
    /// The number Slurm itself uses, `JobIDRaw`. Where only `JobID` is known: the number in front of its `_` or `+`.
    pub job_id: u64,
    /// Which part of an array or heterogeneous job this is.
    pub part: JobPart,
    /// When it was submitted.
    pub submitted: Time,
    /// Slurm's own unique name for it, from 24.11 on.
    pub sluid: Option<String>,
}

/// How a job's script ended. Not its outcome: a job killed at its limit has 0 here in accounting. See the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitCode {
    /// What it returned.
    pub return_code: u32,
    /// The signal that ended it; 0 for none.
    pub signal: u32,
}

/// Which of Slurm's two schedulers started a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartedBy {
    /// The main pass, in order of priority.
    Main,
    /// Backfill.
    Backfill,
}

/// One attempt at a job. Empty text is text that Slurm left empty or did not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// What tells it from others.
    pub key: JobKey,
    /// The job's name. Accounting stores double quotes as backquotes.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The submitter's number.
    pub user_id: Option<u32>,
    /// The account charged.
    pub account: String,
    /// The partitions asked for, or the one it got.
    pub partitions: Vec<String>,
    /// The quality of service.
    pub qos: String,
    /// What became of it so far.
    pub state: JobState,
    /// How its script ended.
    pub exit_code: Option<ExitCode>,
    /// When it could first have been started. Of a job that begins later (`--begin`) this is when: no dialect says it
    /// apart.
    pub eligible: Option<Time>,
    /// When Slurm plans to start it, of a job that waits in squeue's JSON. A plan is never in the place of a fact.
    pub planned_start: Option<Time>,
    /// When it started.
    pub started: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// Run time so far, suspension not counted.
    pub elapsed: Option<Seconds>,
    /// Time spent suspended.
    pub suspended: Option<Seconds>,
    /// The limit at which it is killed.
    pub limit: TimeLimit,
    /// The least time it would do with, in minutes; not in accounting.
    pub time_min_minutes: Option<u32>,
    /// What it asked for.
    pub requested: Tres,
    /// What it got.
    pub allocated: Tres,
    /// The nodes it got, as Slurm abbreviates them.
    pub nodes: String,
    /// Whether it wants its nodes for itself, whole. `--exclusive=user` and `=mcs` keep strangers off but take no whole
    /// nodes: false.
    pub exclusive: Option<bool>,
    /// The features its nodes must have, as the user wrote them: `gpu&(a100|h100)`.
    pub features: String,
    /// The reservation it is in, or wants to be in.
    pub reservation: String,
    /// The nodes it must have, as Slurm abbreviates them; not in accounting.
    pub required_nodes: String,
    /// The nodes it must not have; not in accounting.
    pub excluded_nodes: String,
    /// Its priority.
    pub priority: Option<u64>,
    /// Why it waits, or waited.
    pub reason: String,
    /// What it waits for.
    pub dependency: String,
    /// How often it was restarted.
    pub restarts: Option<u32>,
    /// Slurm's flags, separated by commas, in the dialect's own words.
    pub flags: String,
    /// The administrator's comment.
    pub admin_comment: String,
    /// The user's comment.
    pub comment: String,
    /// The command line it was submitted with.
    pub submit_line: String,
    /// How it wants its resources laid out; not in accounting.
    pub layout: JobLayout,
    /// The licences it needs, as Slurm writes them: `matlab:2,x`.
    pub licenses: String,
    /// By how much its user lowered its priority; below zero, an operator raised it.
    pub nice: Option<i64>,
    /// When it must have ended, or it is removed.
    pub deadline: Option<Time>,
    /// What the site's own plug-in or an operator adds to its priority.
    pub site_factor: Option<i64>,
    /// How many tasks of its array may run at once (`--array=...%N`); `None` without limit.
    pub throttle: Option<u32>,
}

impl JobRecord {
    /// A job of which nothing else is known yet.
    pub fn new(key: JobKey, state: JobState) -> Self {
        Self {
            key,
            name: String::new(),
            user: String::new(),
            user_id: None,
            account: String::new(),
            partitions: Vec::new(),
            qos: String::new(),
            state,
            exit_code: None,
            eligible: None,
            planned_start: None,
            started: None,
            ended: None,
            elapsed: None,
            suspended: None,
            limit: TimeLimit::NotKnown,
            time_min_minutes: None,
            requested: Tres::default(),
            allocated: Tres::default(),
            nodes: String::new(),
            exclusive: None,
            features: String::new(),
            reservation: String::new(),
            required_nodes: String::new(),
            excluded_nodes: String::new(),
            priority: None,
            reason: String::new(),
            dependency: String::new(),
            restarts: None,
            flags: String::new(),
            admin_comment: String::new(),
            comment: String::new(),
            submit_line: String::new(),
            layout: JobLayout::default(),
            licenses: String::new(),
            nice: None,
            deadline: None,
            site_factor: None,
            throttle: None,
        }
    }

    /// How many tasks of an array this record stands for while it waits: more than one only of the remainder of an
    /// array. Of an expression that Slurm has cut short, as many as it names.
    pub fn array_tasks_waiting(&self) -> u64 {
        match &self.key.part {
            JobPart::ArrayRemainder { tasks, .. } => array_tasks_named(tasks).max(1),
            _ => 1,
        }
    }

    /// Which scheduler started it: `SchedMain` and `SchedBackfill` in text, `STARTED_ON_...` in JSON.
    pub fn started_by(&self) -> Option<StartedBy> {
        self.flags.split(',').find_map(|flag| match flag {
            "SchedMain" | "STARTED_ON_SCHEDULE" => Some(StartedBy::Main),
            "SchedBackfill" | "STARTED_ON_BACKFILL" => Some(StartedBy::Backfill),
            _ => None,
        })
    }
}
