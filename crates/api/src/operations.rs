//! What only those who run the cluster are told: who waits longest, and which questions are slow.
//!
//! Not for: whether the daemon sees Slurm (`health`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// How things go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OperationsAnswer {
    /// Accounts with jobs that wait and could start: the one whose job has waited longest first, 50 at most. Jobs that wait for a user, another job or a date
    /// are not counted.
    pub accounts: Vec<AccountAnswer>,
    /// What was asked since the daemon began, by route.
    pub questions: Vec<QuestionsAnswer>,
    /// The last questions that took longer than half a second, the newest first.
    pub slow_questions: Vec<SlowQuestionAnswer>,
}

/// How long the jobs of one account have waited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AccountAnswer {
    /// Its name.
    pub account: String,
    /// Jobs that wait.
    pub jobs: u64,
    /// How long the first of them has waited.
    pub longest_wait_seconds: i64,
    /// Half have waited no longer.
    pub median_wait_seconds: i64,
}

/// How long it took to answer at one route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuestionsAnswer {
    /// Which.
    pub route: String,
    /// How often it was asked.
    pub asked: u64,
    /// Half were answered within this many seconds; `null` if not within the longest bound that is counted.
    pub half_within_seconds: Option<f64>,
    /// 95 of 100 were.
    pub p95_within_seconds: Option<f64>,
}

/// One that took long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlowQuestionAnswer {
    /// At which route. What was asked is not kept.
    pub route: String,
    /// With which status it was answered.
    pub status: u16,
    /// How long it took.
    pub seconds: f64,
    /// When it was answered, by the cluster's clock.
    pub at: Moment,
}
