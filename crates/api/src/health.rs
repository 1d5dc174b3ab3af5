//! How the daemon is: whether to believe it, and if not, why.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// How the daemon is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HealthAnswer {
    /// The verdict.
    pub status: HealthStatus,
    /// What is wrong, one sentence each; empty if nothing is.
    pub reasons: Vec<String>,
    /// The cluster's name.
    pub cluster: String,
    /// This program's version.
    pub version: String,
    /// The cluster's time when this was answered.
    pub now: Moment,
    /// When the forecasts were made.
    pub made: Option<Moment>,
    /// How long the last forecast of the whole queue took.
    pub forecast_seconds: f64,
    /// So many futures of the queue were to be played for it.
    pub futures_wanted: u64,
    /// So many were played in the time there is.
    pub futures_told: u64,
    /// Whether even those end before everybody has started: who stands far behind is told by how much work stands before it.
    pub is_tail_coarse: bool,
    /// Tasks of long arrays that were not played one by one.
    pub tasks_not_played: u64,
    /// Reading the queue.
    pub queue: ReadingAnswer,
    /// Reading the nodes.
    pub nodes: ReadingAnswer,
    /// Reading accounting.
    pub accounting: ReadingAnswer,
    /// Reading partitions, reservations, limits and settings.
    pub settings: ReadingAnswer,
    /// Reading who is operator, administrator or coordinator. While it fails nobody is, beside root, the daemon's own user and
    /// those whom the site named.
    pub users: ReadingAnswer,
    /// Asking how deep backfill gets. The daemon does without where Slurm does not say.
    pub backfill: ReadingAnswer,
    /// How many jobs a pass of Slurm's backfill gets to; none if it gets to the end of the queue, or Slurm does not say.
    pub backfill_reach_jobs: Option<u64>,
    /// Reading who has used how much, where priorities depend on it.
    pub shares: ReadingAnswer,
    /// Jobs that wait, whoever's they are; `null` if they are of a few users and the asker may not see them.
    pub jobs_waiting: Option<u64>,
    /// Jobs that run; `null` likewise.
    pub jobs_running: Option<u64>,
    /// Why the store cannot be written, while it cannot: what is said then is not kept. Only administrators are told why.
    pub store_problem: Option<String>,
    /// Jobs in the store; `null` to whoever is no operator.
    pub jobs_stored: Option<u64>,
    /// Ended jobs that forecasts have learnt from; `null` likewise.
    pub jobs_learnt: Option<u64>,
    /// How well the model explains the starts that Slurm made.
    pub replay_check: ReplayCheckAnswer,
}

/// The verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// Nothing is wrong.
    Ok,
    /// There are forecasts, but something is wrong.
    Degraded,
    /// There are no forecasts: what is known is too old.
    Stale,
}

/// How one kind of reading is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReadingAnswer {
    /// How long ago it last succeeded.
    pub age_seconds: Option<i64>,
    /// Calls made since the daemon began.
    pub calls: u64,
    /// Calls that failed.
    pub failures: u64,
    /// How long the last call took, in real seconds.
    pub last_call_seconds: f64,
    /// Records of the last call that could not be read.
    pub bad_records: u64,
    /// What went wrong in the last call, if it did. Only administrators are told what.
    pub problem: Option<String>,
}

/// How well the model explains the starts that Slurm made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayCheckAnswer {
    /// Starts that were looked at.
    pub starts: u64,
    /// Of these, jobs that the model too would have started between the two readings.
    pub explained: u64,
    /// Jobs that the model would have started and Slurm did not.
    pub missing: u64,
}
