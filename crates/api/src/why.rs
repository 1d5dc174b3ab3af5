//! What holds a job and what would help. Other people's jobs are in it as classes only.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{EffectAnswer, OutlookAnswer};
use super::forecast::{ForecastAnswer, NoEstimateAnswer};

/// What holds a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhyAnswer {
    /// What is said of it as it is.
    pub forecast: ForecastAnswer,
    /// Who stands before it, where that may be told; `null` if nothing is said.
    pub ahead: Option<AheadAnswer>,
    /// What holds it, most first. They do not add up: two may hold it at once.
    pub holds: Vec<HoldAnswer>,
    /// What would help, most first.
    pub changes: Vec<ChangeAnswer>,
    /// How many futures were played for each; `null` if nothing is said.
    pub futures: Option<u64>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// Who stands before a job in the nodes it may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadAnswer {
    /// How many jobs; `null` if they are of fewer than five users and the asker may not see them.
    pub jobs: Option<u64>,
    /// How much they ask for, in nodes times limits; `null` likewise.
    pub node_hours: Option<f64>,
    /// Of these, the job's own user's.
    pub own_jobs: u64,
    /// By what they ask for, most work first; only classes that may be told.
    pub classes: Vec<AheadClassAnswer>,
}

/// Jobs that ask for about the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadClassAnswer {
    /// At least so many nodes.
    pub nodes_from: u32,
    /// At most so many; `null` for any number.
    pub nodes_to: Option<u32>,
    /// With a limit of at most this; `null` for longer than the longest that is named.
    pub limit_to_seconds: Option<i64>,
    /// How many there are.
    pub jobs: u64,
    /// How much they ask for, in nodes times limits.
    pub node_hours: f64,
}

/// Something that holds a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HoldAnswer {
    /// What.
    pub what: HolderAnswer,
    /// What would happen without.
    pub effect: EffectAnswer,
}

/// What can hold a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HolderAnswer {
    /// Those who stand before it.
    Queue,
    /// Those who run: even first in the queue it would wait for them.
    Running,
    /// Nodes reserved for others.
    Reservations,
    /// A limit that it shares with others, such as of its quality of service.
    SharedLimits,
    /// Another job.
    Dependency,
    /// Its own begin.
    Begin,
}

/// A change that would help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangeAnswer {
    /// What to change.
    pub change: JobChangeAnswer,
    /// What that does to its start.
    pub effect: EffectAnswer,
    /// What would then be said of it.
    pub outlook: OutlookAnswer,
}

/// What its owner can change about a waiting job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum JobChangeAnswer {
    /// Another limit.
    Limit {
        /// What it asks for.
        from_seconds: i64,
        /// What it could ask for.
        to_seconds: i64,
        /// The share of its run times beyond that, as far as is known.
        risk: f64,
    },
    /// Another number of nodes. It would run longer on fewer, which is not in the effect.
    Nodes {
        /// What it asks for.
        from: u64,
        /// What it could ask for.
        to: u64,
    },
    /// Another partition.
    Partition {
        /// Those it may run in.
        from: Vec<String>,
        /// The one it could run in.
        to: String,
    },
    /// Not the whole of its nodes.
    ShareNodes,
}
