//! What is said of one job: the same shape for a job that waits, one that runs and one that does not exist.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ranges::{SpansAnswer, TimesAnswer};
use super::score::LatelyAnswer;
use super::time::Moment;

/// What is said of a job. Either `no_estimate` is `null`, or `start`, `run` and `completion` are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ForecastAnswer {
    /// The cluster's name.
    pub cluster: String,
    /// The job.
    pub job: JobAnswer,
    /// What it does.
    pub state: StateAnswer,
    /// When it was submitted; `null` if it does not exist.
    pub submitted: Option<Moment>,
    /// When it started, if it has.
    pub started: Option<Moment>,
    /// The cluster's time when this was answered: what `seconds_from_now` counts from.
    pub now: Moment,
    /// When the forecast was made.
    pub made: Option<Moment>,
    /// How long ago the queue was last read.
    pub data_age_seconds: Option<i64>,
    /// When it starts; of a running job, when it did.
    pub start: Option<TimesAnswer>,
    /// How long it runs, from its start.
    pub run: Option<SpansAnswer>,
    /// When it ends.
    pub completion: Option<TimesAnswer>,
    /// Of the rest of an array, its last task, where that was played; `start`, `run` and `completion` are of its first.
    pub last_task: Option<LastTaskAnswer>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
    /// What became of it, if it has ended.
    pub finished: Option<FinishedAnswer>,
    /// What Slurm says holds it, in plain words, if it waits and the word is known.
    pub waits_for: Option<WaitsForAnswer>,
    /// When Slurm itself plans to start it, as `squeue --start` shows.
    pub slurm_planned_start: Option<Moment>,
    /// Whether the forecast is kept to be scored.
    pub kept: bool,
    /// How good such forecasts were lately; `null` until there are thirty.
    pub lately: Option<LatelyAnswer>,
    /// What was asked but may not be taken into account, such as another user's name.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// What was asked and has no part in the forecast, because it is not played, such as `constraint`.
    #[serde(default)]
    pub not_played: Vec<String>,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateAnswer {
    /// It waits.
    Waiting,
    /// It runs.
    Running,
    /// It does not exist: somebody thinks of submitting it.
    Hypothetical,
    /// It has ended.
    Finished,
}

/// The last of an array's tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastTaskAnswer {
    /// When it starts.
    pub start: TimesAnswer,
    /// When the last of all ends.
    pub completion: TimesAnswer,
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FinishedAnswer {
    /// When it ended; `null` if nobody saw it.
    pub ended: Option<Moment>,
    /// How, in Slurm's word.
    #[schema(example = "COMPLETED")]
    pub state: String,
    /// What its script returned, where that is known.
    pub exit_code: Option<u32>,
    /// The signal that ended it, where that is known.
    pub signal: Option<u32>,
    /// How long it ran; `null` if it never did.
    pub run_seconds: Option<i64>,
}

/// What holds a job, by Slurm's word for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitsForAnswer {
    /// One word for programs: `queue`, `resources`, `array_limit`, `qos_limit`, `association_limit`, `partition`, `dependency`, `begin`,
    /// `hold`, `reservation`, `licences`, `not_allowed` or `other`.
    #[schema(example = "qos_limit")]
    pub kind: String,
    /// A sentence for people, without its end.
    pub words: String,
}

/// A job. Names are what users and Slurm made them: escape them wherever they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobAnswer {
    /// As Slurm writes it: `123`, `123_4`, `123_[5-9]`, `123+0`; `null` if it does not exist.
    pub id: Option<String>,
    /// The number Slurm itself uses.
    pub number: Option<u64>,
    /// Its name.
    pub name: Option<String>,
    /// Who submitted it.
    pub user: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The partition, or those it may run in.
    pub partitions: Vec<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// Nodes it asks for or has.
    pub nodes: Option<u64>,
    /// CPUs it asks for or has.
    pub cpus: Option<u64>,
    /// Its limit.
    pub limit_seconds: Option<i64>,
    /// Why it waits, in Slurm's word.
    pub reason: Option<String>,
    /// Of the rest of an array, how many of its tasks wait.
    pub array_tasks_waiting: Option<u64>,
    /// Whether it is the asker's own.
    #[serde(default)]
    pub own: bool,
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoEstimateAnswer {
    /// One word for programs, such as `held`, `dependency`, `stale`, `beyond_horizon`.
    #[schema(example = "held")]
    pub code: String,
    /// A sentence for people, with what they can do.
    pub why: String,
}
