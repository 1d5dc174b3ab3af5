//! What has happened since the daemon began, as far as everybody may be told.
//!
//! Not for: how it is written (`metrics`).

use std::collections::BTreeMap;

use queuecast_forecast::WaitClass;
use queuecast_forecast::estimate::JobForecast;
use queuecast_forecast::score::FewUsers;
use queuecast_records::{Hidden, PrivateData};
use queuecast_site::observed::{Counted, Observed, OfPartition};
use queuecast_site::published::PublishedJob;

use super::small_groups::{self, LEAST_USERS_OF_A_GROUP};

fn is_large(users: &FewUsers) -> bool {
    users.count() >= LEAST_USERS_OF_A_GROUP
}

/// Without partitions of few users, and in the others without the groups of few. How much a partition did is what its owners used.
pub fn for_everybody(observed: &Observed, private: PrivateData) -> Observed {
    let mut shown = observed.clone();
    let are_hidden = private.hides(Hidden::Partitions) || private.hides(Hidden::Usage);
    let partitions: Vec<_> = std::mem::take(&mut shown.partitions).into_iter().collect();
    if are_hidden {
        return shown;
    }
    // A partition's scored forecasts and its starts are told apart, so each must be of enough.
    let large = |(_, of): &(String, OfPartition)| is_large(&of.users) && (of.scored == 0 || is_large(&of.scored_users));
    let starts = |of: &OfPartition| of.waits.values().map(|counted| counted.durations.count()).sum::<u64>();
    let left = small_groups::without(partitions, large, |(_, of)| starts(of), |(_, of)| of.scored > 0);
    shown.partitions = left
        .into_iter()
        .map(|(name, of)| {
            // Those without a plan are the difference between two figures.
            let blank = of.users_without_plan.clone();
            let can_be_told = |class: &WaitClass| blank.get(class).is_none_or(is_large);
            let beside = |groups| {
                let mut groups = without_small(groups);
                groups.retain(|class, _| can_be_told(class));
                groups
            };
            let of = OfPartition {
                waits: without_small(of.waits),
                errors: without_small(of.errors),
                plan_errors: beside(of.plan_errors),
                errors_beside_plan: beside(of.errors_beside_plan),
                ..of
            };
            (name, of)
        })
        .collect();
    shown
}

fn without_small<K: Ord>(groups: BTreeMap<K, Counted>) -> BTreeMap<K, Counted> {
    let count = |(_, counted): &(K, Counted)| counted.durations.count();
    let large = |(_, counted): &(K, Counted)| is_large(&counted.users);
    small_groups::without(groups.into_iter().collect(), large, count, |_| true).into_iter().collect()
}

/// Jobs that wait and of which nothing is said, by the word for why; to everybody of five users or more.
pub fn without_estimate(jobs: &[PublishedJob], tells_all: bool) -> Vec<(&'static str, u64)> {
    let mut groups: BTreeMap<Option<&'static str>, (u64, FewUsers)> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.started.is_none()) {
        let code = match &job.forecast {
            JobForecast::NoForecast(none) => Some(none.code),
            JobForecast::Estimate(_) => None,
        };
        let (count, users) = groups.entry(code).or_default();
        *count += 1;
        users.see(&job.user);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    if !tells_all {
        // Those with an estimate are a group too: how many wait is told.
        groups = small_groups::without(groups, |(_, (_, users))| is_large(users), |(_, (jobs, _))| *jobs, |_| true);
    }
    groups.into_iter().filter_map(|(code, (jobs, _))| Some((code?, jobs))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::job;
    use queuecast_forecast::estimate::NoForecast;
    use queuecast_forecast::score::{SHARES, ScoredForecast};
    use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
    use queuecast_workload::Time;

    fn started(observed: &mut Observed, partition: &str, nodes: u64, users: usize, jobs: usize) {
        for place in 0..jobs {
            let (cluster, part, submitted) = (String::new(), JobPart::Whole, Time(0));
            let mut record =
                JobRecord::new(JobKey { cluster, job_id: 7, part, submitted, sluid: None }, JobState::default());
            record.user = format!("user{}", place % users);
            record.partitions = vec![partition.to_owned()];
            record.requested.nodes = Some(nodes);
            observed.started(&record, Time(100));
        }
    }

    fn told(observed: &Observed) -> Vec<(&str, Vec<&'static str>)> {
        let sizes = |of: &OfPartition| of.waits.keys().map(|size| size.name()).collect();
        observed.partitions.iter().map(|(name, of)| (name.as_str(), sizes(of))).collect()
    }

    #[test]
    fn groups_of_few_users_are_left_out_with_the_next_smallest_and_where_partitions_are_hidden_all_are() {
        let mut observed = Observed::since(Time(0));
        started(&mut observed, "batch", 1, 5, 50);
        started(&mut observed, "batch", 4, 5, 20);
        started(&mut observed, "batch", 40, 2, 90);
        let shown = |private| for_everybody(&observed, private);
        assert_eq!(told(&shown(PrivateData::NOTHING)), [("batch", vec!["1 node"])]);
        assert_eq!(told(&shown(PrivateData::NOTHING.and(Hidden::Usage))), []);
        started(&mut observed, "secret", 1, 4, 400);
        assert_eq!(
            told(&for_everybody(&observed, PrivateData::NOTHING)),
            [],
            "batch is all that is left, and would tell of secret"
        );
    }

    #[test]
    fn where_a_few_had_no_plan_of_slurm_s_its_errors_are_not_told_beside_ours() {
        let mut observed = Observed::since(Time(0));
        let said = [Time(90); SHARES.len()];
        let mut scored = |user: usize, slurm_said: Option<Time>| {
            let forecast = ScoredForecast {
                partition: "batch".to_owned(),
                user: format!("user{user}"),
                submitted: Time(0),
                made: Time(0),
                first: true,
                said,
                raw: said,
                slurm_said,
                experts: None,
                started: Time(100),
            };
            observed.scored(&forecast);
            let shown = for_everybody(&observed, PrivateData::NOTHING);
            let told = shown.partitions.get("batch");
            told.map_or([0; 3], |of| [of.errors.len(), of.plan_errors.len(), of.errors_beside_plan.len()])
        };
        let all_planned = (0..5).map(|user| scored(user, Some(Time(40)))).last();
        assert_eq!(all_planned, Some([1, 1, 1]));
        assert_eq!(scored(0, None), [1, 0, 0]);
        assert_eq!((1..5).map(|user| scored(user, None)).last(), Some([1, 1, 1]));
    }

    #[test]
    fn who_has_no_estimate_is_counted_by_why_and_a_few_are_told_to_administrators_only() {
        let of = |user: usize, code: Option<&'static str>| {
            let mut job = PublishedJob { user: format!("user{user}"), ..job(7) };
            if let Some(code) = code {
                job.forecast = JobForecast::NoForecast(NoForecast { code, why: String::new() });
            }
            job
        };
        let mut jobs: Vec<_> = (0..5).flat_map(|user| [of(user, None), of(user, Some("held"))]).collect();
        assert_eq!(without_estimate(&jobs, false), [("held", 5)]);
        jobs.push(of(0, Some("dependency")));
        assert_eq!(without_estimate(&jobs, true), [("dependency", 1), ("held", 5)]);
        let told = without_estimate(&jobs, false);
        assert!(told.len() < 2 && !told.contains(&("dependency", 1)), "{told:?}");
    }
}
