//! A quality of service as Slurm's accounting tells it: what it is worth, and how much its jobs may have at once.
//!
//! For: knowing which waiting jobs wait for a limit and not for nodes.
//!
//! Not for: limits of accounts and users themselves ([`super::AssociationRecord`]); whether limits are enforced at all
//! ([`super::Enforcement`]).
//!
//! Source: sacctmgr(1) of 22.05, `sacctmgr show qos` and REST `/slurmdb/v0.0.38/qos` of 22.05.8 in our lab. Of newer
//! versions nothing was recorded.

use queuecast_workload::Seconds;

use super::{TimeLimit, Tres};

/// One quality of service. What is `None` is without limit, or not said.
#[derive(Clone, Debug, PartialEq)]
pub struct QosRecord {
    /// Its name.
    pub name: String,
    /// What it adds to a job's priority, before weighing.
    pub priority: u64,
    /// Slurm's flags, in the dialect's own words: `DenyOnLimit` in text, `DENY_LIMIT` in JSON.
    pub flags: Vec<String>,
    /// The qualities of service whose jobs its jobs may preempt.
    pub preempts: Vec<String>,
    /// What all its jobs may have together (`GrpJobs`, `GrpSubmit`, `GrpTRES`).
    pub group: TresLimits,
    /// What one user's may (`MaxJobsPU`, `MaxSubmitPU`, `MaxTRESPU`).
    pub per_user: TresLimits,
    /// What one account's may (`MaxJobsPA`, `MaxSubmitPA`, `MaxTRESPA`).
    pub per_account: TresLimits,
    /// What one job may have (`MaxTRES`).
    pub per_job: Tres,
    /// The longest limit a job may ask for (`MaxWall`).
    pub wall: TimeLimit,
    /// By what usage is multiplied (`UsageFactor`).
    pub usage_factor: f64,
    /// The fair share below which its jobs do not run (`UsageThreshold`).
    pub usage_threshold: Option<f64>,
    /// By what an association's limits on resources are multiplied (`LimitFactor`).
    pub limit_factor: Option<f64>,
    /// How its jobs are preempted, in capitals; empty where the cluster's setting counts.
    pub preempt_modes: Vec<String>,
    /// For how long a job that has started is left alone (`PreemptExemptTime`).
    pub preempt_exempt: Option<Seconds>,
    /// How long the preempted have to end.
    pub grace: Option<Seconds>,
    /// What all its jobs may use up, in minutes (`GrpTRESMins`).
    pub group_minutes: Tres,
    /// What those that run may have before them, in minutes (`GrpTRESRunMins`).
    pub group_running_minutes: Tres,
    /// What one job may use, in minutes (`MaxTRESMins`).
    pub minutes_per_job: Tres,
    /// What one user's that run may have before them, in minutes (`MaxTRESRunMinsPU`).
    pub running_minutes_per_user: Tres,
    /// What one account's may (`MaxTRESRunMinsPA`).
    pub running_minutes_per_account: Tres,
    /// How long all may have run together (`GrpWall`).
    pub group_wall: TimeLimit,
    /// What one job may have of a node (`MaxTRESPerNode`).
    pub per_node: Tres,
    /// What one job must ask for at least (`MinTRES`).
    pub min_per_job: Tres,
}

impl Default for QosRecord {
    /// One without limits, under which usage counts as it is.
    fn default() -> Self {
        Self {
            name: String::new(),
            priority: 0,
            flags: Vec::new(),
            preempts: Vec::new(),
            group: TresLimits::default(),
            per_user: TresLimits::default(),
            per_account: TresLimits::default(),
            per_job: Tres::default(),
            wall: TimeLimit::default(),
            usage_factor: 1.0,
            usage_threshold: None,
            limit_factor: None,
            preempt_modes: Vec::new(),
            preempt_exempt: None,
            grace: None,
            group_minutes: Tres::default(),
            group_running_minutes: Tres::default(),
            minutes_per_job: Tres::default(),
            running_minutes_per_user: Tres::default(),
            running_minutes_per_account: Tres::default(),
            group_wall: TimeLimit::default(),
            per_node: Tres::default(),
            min_per_job: Tres::default(),
        }
    }
}

/// How much some jobs may have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TresLimits {
    /// Running at once.
    pub jobs: Option<u64>,
    /// Waiting and running at once. For all jobs together not in JSON of 22.05.
    pub submitted_jobs: Option<u64>,
    /// In use at once.
    pub tres: Tres,
}
