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
    /// The least risk of any limit that is shorter than the one asked for; `null` if that is too short to be shortened.
    pub least_risk: Option<f64>,
    /// The runs that the advice rests on; `null` if there are hardly any like it, or the asker may not know.
    pub basis: Option<LimitBasisAnswer>,
    /// Told if the asker's own runs like it have a heavy tail: most are short and a few very long.
    pub heavy_tail: Option<HeavyTailAnswer>,
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

/// The runs that advice rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitBasisAnswer {
    /// Whether they are the user's own; else those of anybody with the same limit.
    pub own: bool,
    /// How many.
    pub runs: u64,
    /// The usual one, of the user's own: half of them are longer.
    pub usual_seconds: Option<i64>,
}

/// A few runs that are far longer than the usual one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeavyTailAnswer {
    /// How many runs were looked at.
    pub runs: u64,
    /// How many of them took more than ten times the usual.
    pub longer: u64,
    /// The usual one: half of them are longer.
    pub usual_seconds: i64,
}

/// Why no shorter limit is advised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeptBecauseAnswer {
    /// Every shorter one risks more than was promised.
    TooRisky,
    /// Too many of the user's jobs have not shown yet whether such advice is good for them, or it was not.
    NotProven,
    /// Too few jobs have ended here for any promise.
    TooFewEnded,
}

/// A limit, what it risks and what it buys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LimitChoiceAnswer {
    /// The promise: of jobs like this one, at most this share is killed at it.
    pub accepted_risk: f64,
    /// What to ask for.
    pub limit_seconds: i64,
    /// The share of jobs like this one that run longer, calibrated by how well it is known. Within the promise; where the limit asked for is
    /// kept, that one's.
    pub risk: f64,
    /// Why the limit asked for is kept; `null` where a shorter one is advised.
    pub kept_because: Option<KeptBecauseAnswer>,
    /// What would be said of it.
    pub outlook: OutlookAnswer,
    /// What that does to its start; `null` where nothing can be said.
    pub effect: Option<EffectAnswer>,
    /// How many jobs were told a shorter limit at this promise and have ended; `null` if they are of a few users and the asker may not see them.
    pub advised_jobs: Option<u64>,
    /// Which share of them would have been killed; `null` likewise, and of none.
    pub killed: Option<f64>,
}
