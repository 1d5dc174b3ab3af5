//! What holds a job and what would help, as an answer. Other people's jobs are in it as classes only.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{EffectAnswer, OutlookAnswer};
use super::forecast::{ForecastAnswer, NoEstimateAnswer, Setting};
use super::score::LEAST_USERS_OF_A_GROUP;
use queuecast_advise::{Ahead, AheadClass, ChangeAdvice, Holder, JobChange, Why};
use queuecast_forecast::estimate::NoEstimate;

/// So many classes are told.
const CLASSES_TOLD: usize = 4;

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

impl Setting<'_> {
    /// Of this job, as it is forecast; `sees_all` whether the asker may see everybody's jobs.
    pub fn why(&self, forecast: ForecastAnswer, why: Result<Why, NoEstimate>, sees_all: bool) -> WhyAnswer {
        let mut answer = WhyAnswer {
            forecast,
            ahead: None,
            holds: Vec::new(),
            changes: Vec::new(),
            futures: None,
            no_estimate: None,
        };
        match self.freshness.too_old().map_or(why, Err) {
            Err(none) => answer.no_estimate = Some(none.into()),
            Ok(why) => {
                answer.ahead = Some(ahead(&why.ahead, sees_all));
                let holds =
                    why.holds.iter().map(|hold| HoldAnswer { what: hold.what.into(), effect: hold.effect.into() });
                answer.holds = holds.collect();
                answer.changes = why.changes.into_iter().map(|change| self.change(change)).collect();
                answer.futures = Some(why.futures);
            }
        }
        answer
    }

    fn change(&self, advice: ChangeAdvice) -> ChangeAnswer {
        ChangeAnswer {
            effect: advice.effect.into(),
            outlook: self.outlook(&advice.forecast),
            change: match advice.change {
                JobChange::Limit { from, to, risk } => {
                    JobChangeAnswer::Limit { from_seconds: from.0, to_seconds: to.0, risk }
                }
                JobChange::Nodes { from, to } => JobChangeAnswer::Nodes { from, to },
                JobChange::Partition { from, to } => JobChangeAnswer::Partition { from, to },
                JobChange::ShareNodes => JobChangeAnswer::ShareNodes,
            },
        }
    }
}

/// What may be told of those who stand before a job. If one class alone were left out it could be found from the sum, so then none
/// of the sum is told.
fn ahead(ahead: &Ahead, sees_all: bool) -> AheadAnswer {
    let may_tell = |users: u64| sees_all || users == 0 || users >= LEAST_USERS_OF_A_GROUP;
    let told: Vec<&AheadClass> = ahead.classes.iter().filter(|class| may_tell(class.count.users)).collect();
    let hidden = ahead.classes.len() - told.len();
    let tells_sum = may_tell(ahead.all.users) && hidden != 1;
    AheadAnswer {
        jobs: tells_sum.then_some(ahead.all.jobs),
        node_hours: tells_sum.then(|| hours(ahead.all.node_seconds)),
        own_jobs: ahead.own_jobs,
        classes: told
            .into_iter()
            .take(CLASSES_TOLD)
            .map(|class| AheadClassAnswer {
                nodes_from: class.nodes_from,
                nodes_to: class.nodes_to,
                limit_to_seconds: class.limit_to.map(|limit| limit.0),
                jobs: class.count.jobs,
                node_hours: hours(class.count.node_seconds),
            })
            .collect(),
    }
}

fn hours(node_seconds: u64) -> f64 {
    node_seconds as f64 / 3_600.0
}

impl From<Holder> for HolderAnswer {
    fn from(holder: Holder) -> Self {
        match holder {
            Holder::Queue => Self::Queue,
            Holder::Running => Self::Running,
            Holder::Reservations => Self::Reservations,
            Holder::SharedLimits => Self::SharedLimits,
            Holder::Dependency => Self::Dependency,
            Holder::Begin => Self::Begin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_advise::AheadCount;

    fn class(users: u64) -> AheadClass {
        let count = AheadCount { jobs: 2 * users, users, node_seconds: 3_600 * users };
        AheadClass { nodes_from: 1, nodes_to: Some(1), limit_to: None, count }
    }

    fn told(users: &[u64], sees_all: bool) -> (Option<u64>, usize) {
        let classes: Vec<AheadClass> = users.iter().map(|users| class(*users)).collect();
        let all = users.iter().sum();
        let count = AheadCount { jobs: 2 * all, users: all, node_seconds: 0 };
        let told = ahead(&Ahead { all: count, own_jobs: 0, classes }, sees_all);
        (told.jobs, told.classes.len())
    }

    #[test]
    fn a_class_of_a_few_users_is_told_to_nobody_who_may_not_see_them_and_cannot_be_found_by_subtraction() {
        assert_eq!(told(&[4], true), (Some(8), 1));
        assert_eq!(told(&[4], false), (None, 0));
        assert_eq!(told(&[5, 9], false), (Some(28), 2));
        assert_eq!(told(&[5, 9, 2], false), (None, 2), "the third is the sum less the others");
        assert_eq!(told(&[5, 2, 3], false), (Some(20), 1));
        assert_eq!(told(&[], false), (Some(0), 0));
    }
}
