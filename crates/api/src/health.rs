//! How the daemon is: whether to believe it, and if not, why.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// Health of the daemon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HealthResponse {
    /// Overall status.
    pub status: HealthStatus,
    /// Problems, one sentence each; empty if there are none.
    pub reasons: Vec<String>,
    /// Name of the cluster.
    pub cluster: String,
    /// Version of the daemon.
    pub version: String,
    /// Time on the cluster when the response was made.
    pub now: Moment,
    /// Time at which the forecasts were made.
    pub made: Option<Moment>,
    /// Duration of the last forecast of the whole queue, in seconds.
    pub forecast_seconds: f64,
    /// Number of simulations of the queue planned for the last forecast.
    pub simulations_planned: u64,
    /// Number of simulations finished in time.
    pub simulations_finished: u64,
    /// Whether even these simulations end before all jobs have started: jobs far back are estimated from the work ahead of them.
    pub is_tail_coarse: bool,
    /// Number of tasks of long job arrays that were not simulated individually.
    pub tasks_not_modelled: u64,
    /// Queue polls.
    pub queue: PollResponse,
    /// Node polls.
    pub nodes: PollResponse,
    /// Accounting polls.
    pub accounting: PollResponse,
    /// Polls of partitions, reservations, limits and settings.
    pub settings: PollResponse,
    /// Polls of operators, administrators and coordinators. While they fail, these roles are limited to root, the daemon's own user and
    /// the users that the site configured.
    pub users: PollResponse,
    /// Polls of the depth of backfill, where Slurm reports it.
    pub backfill: PollResponse,
    /// Number of jobs that a pass of Slurm's backfill reaches; `null` if it reaches the end of the queue, or if Slurm does not report it.
    pub backfill_reach_jobs: Option<u64>,
    /// Polls of past usage, where priorities depend on it.
    pub shares: PollResponse,
    /// Number of pending jobs of all users; `null` if they belong to only a few users and the requesting user may not see them.
    pub jobs_waiting: Option<u64>,
    /// Number of running jobs; `null` in the same case.
    pub jobs_running: Option<u64>,
    /// Why the store cannot be written, if so: new forecasts are then not stored. Only administrators see the details.
    pub store_problem: Option<String>,
    /// Number of jobs in the store; `null` unless the requesting user is an operator.
    pub jobs_stored: Option<u64>,
    /// Number of ended jobs that the forecasts were trained on; `null` in the same case.
    pub training_jobs: Option<u64>,
    /// How well the model reproduces the starts that Slurm made.
    pub replay_check: ReplayCheckResponse,
}

/// Overall status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// No problems.
    Ok,
    /// Forecasts are available, but there are problems.
    Degraded,
    /// Forecasts are unavailable because the data are too old.
    Stale,
}

/// Polls of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PollResponse {
    /// Time in seconds since the last successful poll.
    pub age_seconds: Option<i64>,
    /// Number of calls since the daemon started.
    pub calls: u64,
    /// Number of failed calls.
    pub failures: u64,
    /// Duration of the last call, in real seconds.
    pub last_call_seconds: f64,
    /// Number of unreadable records in the last call.
    pub bad_records: u64,
    /// Error of the last call, if it failed. Only administrators see the details.
    pub problem: Option<String>,
}

/// How well the model reproduces the starts that Slurm made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayCheckResponse {
    /// Number of starts checked.
    pub starts: u64,
    /// Number of these jobs that the model would also have started between the two polls.
    pub explained: u64,
    /// Number of jobs that the model would have started and Slurm did not.
    pub missing: u64,
}
