//! A quality of service as Slurm's accounting tells it: what it is worth, and how much its jobs may have at once.
//!
//! For: knowing which waiting jobs wait for a limit and not for nodes.
//!
//! Not for: limits of accounts and users themselves (associations); limits in minutes of resources (`GrpTRESMins`);
//! whether limits are enforced at all (`AccountingStorageEnforce`).
//!
//! Source: sacctmgr(1) of 22.05, `sacctmgr show qos` and REST `/slurmdb/v0.0.38/qos` of 22.05.8 in our lab. Of newer
//! versions nothing was recorded.

use super::{TimeLimit, Tres};

/// One quality of service. What is `None` is without limit, or not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
