//! Limits to choose from.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{EffectAnswer, OutlookAnswer, SaidAnswer};
use super::forecast::{JobAnswer, NoEstimateAnswer};

/// Which limits a job could ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitAnswer {
    /// When this was said.
    #[serde(flatten)]
    pub said: SaidAnswer,
    /// The job.
    pub job: JobAnswer,
    /// What of the question may not be taken into account.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// The limit it asks for, or would get; `null` if there is no advice.
    pub asked: Option<AskedLimitAnswer>,
    /// The limits, from the least risk on. What is longer risks less.
    pub choices: Vec<LimitChoiceAnswer>,
    /// Why there is no advice.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// The limit a job asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AskedLimitAnswer {
    /// How long.
    pub limit_seconds: i64,
    /// The share of such jobs' run times beyond it, as far as is known.
    pub risk: f64,
    /// What is said of it with that.
    pub outlook: OutlookAnswer,
}

/// A limit, what it risks and what it buys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitChoiceAnswer {
    /// The promise: of all jobs that take such advice, at most this share is killed.
    pub accepted_risk: f64,
    /// What to ask for.
    pub limit_seconds: i64,
    /// The share of this job's run times beyond it, as far as is known.
    pub risk: f64,
    /// What would be said of it.
    pub outlook: OutlookAnswer,
    /// What that does to its start; `null` where nothing can be said.
    pub effect: Option<EffectAnswer>,
    /// How many jobs were advised so and have ended; `null` if they are of a few users and the asker may not see them.
    pub advised_jobs: Option<u64>,
    /// Which share of them would have been killed; `null` likewise, and of none.
    pub killed: Option<f64>,
}
