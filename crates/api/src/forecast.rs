//! What is said of one job: the same shape for a job that waits, one that runs and one that does not exist.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ranges::{SpansResponse, TimesResponse};
use super::score::RecentAccuracyResponse;
use super::time::Moment;

/// Forecast of a job. Either `no_forecast` is `null`, or `start`, `run` and `completion` are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ForecastResponse {
    /// Name of the cluster.
    pub cluster: String,
    /// The job.
    pub job: JobResponse,
    /// State of the job.
    pub state: StateResponse,
    /// Submission time; `null` for a hypothetical job.
    pub submitted: Option<Moment>,
    /// Actual start time, if the job has started.
    pub started: Option<Moment>,
    /// Time on the cluster when the response was made; `seconds_from_now` counts from here.
    pub now: Moment,
    /// Time at which the forecast was made.
    pub made: Option<Moment>,
    /// Age of the last queue poll, in seconds.
    pub data_age_seconds: Option<i64>,
    /// Start time; for a running job, the actual start.
    pub start: Option<TimesResponse>,
    /// Run time, from the start of the job.
    pub run: Option<SpansResponse>,
    /// End time.
    pub completion: Option<TimesResponse>,
    /// For the pending rest of a job array, its last task, if simulated; `start`, `run` and `completion` are those of its first task.
    pub last_task: Option<LastTaskResponse>,
    /// Reason for having no forecast.
    pub no_forecast: Option<NoForecastResponse>,
    /// Outcome of the job, if it has ended.
    pub finished: Option<FinishedResponse>,
    /// Slurm's reason for the wait in plain words, if the job is pending and the reason is known.
    pub waits_for: Option<WaitsForResponse>,
    /// Slurm's own start estimate, as `squeue --start` shows.
    pub slurm_estimated_start: Option<Moment>,
    /// Whether the forecast is stored, to be scored when the job has started.
    pub stored: bool,
    /// Recent accuracy of such forecasts; `null` until there are thirty.
    pub recent_accuracy: Option<RecentAccuracyResponse>,
    /// Parts of the request that the requesting user may not use, such as another user's name.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Requested properties of the job that the forecast ignores because they are not simulated, such as `constraint`.
    #[serde(default)]
    pub not_modelled: Vec<String>,
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateResponse {
    /// Pending.
    Waiting,
    /// Running.
    Running,
    /// Not submitted: a hypothetical job.
    Hypothetical,
    /// Ended.
    Finished,
}

/// Last task of a job array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastTaskResponse {
    /// Start time of the last task.
    pub start: TimesResponse,
    /// End time of the task that ends last.
    pub completion: TimesResponse,
}

/// Outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FinishedResponse {
    /// End time; `null` if unknown.
    pub ended: Option<Moment>,
    /// Final state, as Slurm names it.
    #[schema(example = "COMPLETED")]
    pub state: String,
    /// Exit code of the job script, where known.
    pub exit_code: Option<u32>,
    /// Signal that ended the job, where known.
    pub signal: Option<u32>,
    /// Run time in seconds; `null` if the job never ran.
    pub run_seconds: Option<i64>,
}

/// Slurm's reason why the job is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitsForResponse {
    /// Code for programs: `queue`, `resources`, `array_limit`, `qos_limit`, `association_limit`, `partition`, `dependency`, `begin`,
    /// `hold`, `reservation`, `licenses`, `not_allowed` or `other`.
    #[schema(example = "qos_limit")]
    pub kind: String,
    /// Explanation for users, without a full stop at the end.
    pub description: String,
}

/// A job. Users and Slurm choose the names in it: escape them before display.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobResponse {
    /// Job ID as Slurm writes it: `123`, `123_4`, `123_[5-9]`, `123+0`; `null` for a hypothetical job.
    pub id: Option<String>,
    /// Slurm's internal job ID.
    pub job_id: Option<u64>,
    /// Name of the job.
    pub name: Option<String>,
    /// User who submitted the job.
    pub user: Option<String>,
    /// Account.
    pub account: Option<String>,
    /// Partition, or all partitions in which the job may run.
    pub partitions: Vec<String>,
    /// QOS.
    pub qos: Option<String>,
    /// Number of nodes requested or allocated.
    pub nodes: Option<u64>,
    /// Number of CPUs requested or allocated.
    pub cpus: Option<u64>,
    /// Time limit in seconds.
    pub limit_seconds: Option<i64>,
    /// Slurm's reason code for the wait.
    pub reason: Option<String>,
    /// For the pending rest of a job array, the number of pending tasks.
    pub array_tasks_waiting: Option<u64>,
    /// Whether the job belongs to the requesting user.
    #[serde(default)]
    pub own: bool,
}

/// Reason for having no forecast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoForecastResponse {
    /// Code for programs, such as `held`, `dependency`, `stale`, `beyond_horizon`.
    #[schema(example = "held")]
    pub code: String,
    /// Explanation for users, with what they can do.
    pub message: String,
}
