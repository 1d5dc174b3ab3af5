//! What holds a job and what would help, made an answer. Other people's jobs are in it as classes only.

use queuecast_advise::{Ahead, AheadClass, ChangeAdvice, Holder, JobChange, Why};
use queuecast_forecast::estimate::NoForecast;

use super::advice::effect;
use super::setting::{Setting, no_forecast};
use super::small_groups::LEAST_USERS_OF_A_GROUP;
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::why::{
    AheadGroupResponse, AheadResponse, CauseKindResponse, CauseResponse, JobChangeResponse, SuggestionResponse,
    WhyResponse,
};

/// So many classes are told.
const CLASSES_TOLD: usize = 4;

impl Setting<'_> {
    /// Of this job, as it is forecast; `sees_all` whether the asker may see everybody's jobs.
    pub fn why(&self, forecast: ForecastResponse, why: Result<Why, NoForecast>, sees_all: bool) -> WhyResponse {
        let mut answer = WhyResponse {
            forecast,
            ahead: None,
            causes: Vec::new(),
            suggestions: Vec::new(),
            simulations: None,
            no_forecast: None,
        };
        match self.freshness.too_old().map_or(why, Err) {
            Err(none) => answer.no_forecast = Some(no_forecast(none)),
            Ok(why) => {
                answer.ahead = Some(ahead(&why.ahead, sees_all));
                let holds =
                    why.holds.iter().map(|hold| CauseResponse { kind: holder(hold.what), gain: effect(hold.effect) });
                answer.causes = holds.collect();
                answer.suggestions = why.changes.into_iter().map(|change| self.change(change)).collect();
                answer.simulations = Some(why.futures);
            }
        }
        answer
    }

    fn change(&self, advice: ChangeAdvice) -> SuggestionResponse {
        SuggestionResponse {
            gain: effect(advice.effect),
            forecast: self.outlook(&advice.forecast),
            change: match advice.change {
                JobChange::Limit { from, to, risk } => {
                    JobChangeResponse::Limit { from_seconds: from.0, to_seconds: to.0, risk }
                }
                JobChange::Nodes { from, to } => JobChangeResponse::Nodes { from, to },
                JobChange::Partition { from, to } => JobChangeResponse::Partition { from, to },
                JobChange::ShareNodes => JobChangeResponse::ShareNodes,
            },
        }
    }
}

/// What may be told of those who stand before a job. If one class alone were left out it could be found from the sum, so then none
/// of the sum is told.
fn ahead(ahead: &Ahead, sees_all: bool) -> AheadResponse {
    let may_tell = |users: u64| sees_all || users == 0 || users >= LEAST_USERS_OF_A_GROUP;
    let told: Vec<&AheadClass> = ahead.classes.iter().filter(|class| may_tell(class.count.users)).collect();
    let hidden = ahead.classes.len() - told.len();
    let tells_sum = may_tell(ahead.all.users) && hidden != 1;
    AheadResponse {
        jobs: tells_sum.then_some(ahead.all.jobs),
        node_hours: tells_sum.then(|| hours(ahead.all.node_seconds)),
        own_jobs: ahead.own_jobs,
        groups: told
            .into_iter()
            .take(CLASSES_TOLD)
            .map(|class| AheadGroupResponse {
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

fn holder(holder: Holder) -> CauseKindResponse {
    match holder {
        Holder::Queue => CauseKindResponse::Queue,
        Holder::Running => CauseKindResponse::Running,
        Holder::Reservations => CauseKindResponse::Reservations,
        Holder::SharedLimits => CauseKindResponse::SharedLimits,
        Holder::Dependency => CauseKindResponse::Dependency,
        Holder::Begin => CauseKindResponse::Begin,
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
        (told.jobs, told.groups.len())
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
