//! How the daemon is, made an answer: whether to believe it, and if not, why.
//!
//! Not for: metrics over time (`metrics`).

use queuecast_site::published::{Published, ReadingHealth};
use queuecast_workload::{Seconds, Time};

use super::freshness::{Freshness, STALE_AFTER, in_words};
use queuecast_api::health::{HealthResponse, HealthStatus, PollResponse, ReplayCheckResponse};
use queuecast_api::time::Moment;

/// How many jobs there are, as far as that may be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub waiting: Option<u64>,
    pub running: Option<u64>,
}

/// How the daemon is, of what is published; what Slurm said when a call failed may name jobs, so not everybody is told.
pub(crate) fn health(
    published: &Published,
    freshness: Freshness,
    tells_problems: bool,
    counts: Counts,
) -> HealthResponse {
    let health = &published.health;
    let readings = [
        ("queue", &health.queue),
        ("nodes", &health.nodes),
        ("accounting", &health.accounting),
        ("settings", &health.settings),
    ];
    let too_old = freshness.too_old();
    let mut reasons: Vec<String> = too_old.iter().map(|reason| reason.why.clone()).collect();
    reasons.extend(freshness.made.is_none().then(|| "No forecast has been made yet.".to_owned()));
    for (name, reading) in readings {
        reasons.extend(complaints(name, reading, freshness.now));
    }
    reasons.extend(health.users.problem.is_some().then(|| {
        "The Slurm roles of users could not be read: operators, administrators and coordinators count as ordinary users.".to_owned()
    }));
    reasons.extend(health.store_problem.is_some().then(|| NOT_KEPT.to_owned()));
    reasons.extend(health.effort.is_tail_coarse.then(|| COARSE.to_owned()));
    let status = match (&too_old, reasons.is_empty()) {
        (Some(_), _) => HealthStatus::Stale,
        (None, true) => HealthStatus::Ok,
        (None, false) => HealthStatus::Degraded,
    };
    let [queue, nodes, accounting, settings] =
        readings.map(|(_, reading)| reading_answer(reading, freshness.now, tells_problems));
    let check = published.replay_check;
    HealthResponse {
        status,
        reasons,
        cluster: published.cluster.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        now: freshness.now.into(),
        made: freshness.made.map(Moment::from),
        forecast_seconds: health.forecast_seconds,
        simulations_planned: health.effort.simulations_planned,
        simulations_finished: health.effort.simulations_finished,
        is_tail_coarse: health.effort.is_tail_coarse,
        tasks_not_modelled: health.effort.tasks_not_modelled,
        queue,
        nodes,
        accounting,
        settings,
        users: reading_answer(&health.users, freshness.now, tells_problems),
        backfill: reading_answer(&health.backfill, freshness.now, tells_problems),
        backfill_reach_jobs: health.backfill_reach_jobs,
        shares: reading_answer(&health.shares, freshness.now, tells_problems),
        jobs_waiting: counts.waiting,
        jobs_running: counts.running,
        store_problem: health.store_problem.as_ref().map(|problem| told(problem, tells_problems)),
        jobs_stored: tells_problems.then_some(health.jobs_stored),
        training_jobs: tells_problems.then_some(health.training_jobs),
        replay_check: ReplayCheckResponse { starts: check.starts, explained: check.explained, missing: check.missing },
    }
}

/// What is said while the store cannot be written.
const NOT_KEPT: &str = "The store cannot be written: responses come from memory, and new forecasts are not saved.";

/// What is said of a queue that was not played to its end.
const COARSE: &str = "The queue is too long to simulate fully. \
    Forecasts for jobs far back are estimated from the work ahead of them.";

/// They are read every half hour.
const SETTINGS_OLD_AFTER: Seconds = Seconds(2 * 3_600);

/// The queue's age is told by [`Freshness`].
fn complaints(name: &str, reading: &ReadingHealth, now: Time) -> Vec<String> {
    let mut complaints = Vec::new();
    let is_many = matches!(name, "nodes" | "settings");
    if reading.problem.is_some() {
        complaints.push(format!("The last {name} call to Slurm failed."));
    }
    match reading.bad_records {
        0 => {}
        1 => complaints.push(format!("One {name} record could not be read.")),
        bad => complaints.push(format!("{bad} {name} records could not be read.")),
    }
    if name != "queue" {
        match reading.succeeded {
            None => complaints.push(format!("The {name} {} not been read yet.", if is_many { "have" } else { "has" })),
            Some(read) if now - read > if name == "settings" { SETTINGS_OLD_AFTER } else { STALE_AFTER } => {
                let was = if is_many { "were" } else { "was" };
                complaints.push(format!("The {name} {was} last read {} ago.", in_words(now - read)));
            }
            Some(_) => {}
        }
    }
    complaints
}

/// What failed may name jobs or files.
fn told(problem: &str, tells_problems: bool) -> String {
    if tells_problems { problem.to_owned() } else { "failed; only administrators see the details".to_owned() }
}

fn reading_answer(reading: &ReadingHealth, now: Time, tells_problems: bool) -> PollResponse {
    PollResponse {
        age_seconds: reading.succeeded.map(|read| (now - read).0.max(0)),
        calls: reading.calls,
        failures: reading.failures,
        last_call_seconds: reading.last_seconds,
        bad_records: reading.bad_records,
        problem: reading.problem.as_ref().map(|problem| told(problem, tells_problems)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, published};

    fn of(change: impl FnOnce(&mut Published), tells_problems: bool) -> HealthResponse {
        let mut published = published(Vec::new());
        change(&mut published);
        health(&published, Freshness::of(&published, NOW), tells_problems, Counts::default())
    }

    #[test]
    fn the_verdict_follows_from_what_is_wrong() {
        let well = of(|_| {}, true);
        assert_eq!((well.status, well.reasons.len()), (HealthStatus::Ok, 0), "{:?}", well.reasons);
        let failing = of(|published| published.health.accounting.problem = Some("slurmdbd is down".to_owned()), true);
        assert_eq!((failing.status, failing.reasons.len()), (HealthStatus::Degraded, 1));
        let nobody_known = of(|published| published.health.users.problem = Some("no slurmdbd".to_owned()), true);
        assert_eq!((nobody_known.status, nobody_known.reasons.len()), (HealthStatus::Degraded, 1));
        let stale = of(|published| published.health.queue.succeeded = Some(Time(NOW.0 - 2_000)), true);
        assert_eq!(stale.status, HealthStatus::Stale);
        let blind = of(|published| published.health.nodes.succeeded = None, true);
        assert_eq!(blind.status, HealthStatus::Degraded);
        assert_eq!(blind.reasons, ["The nodes have not been read yet."]);
        let coarse = of(|published| published.health.effort.is_tail_coarse = true, true);
        assert_eq!((coarse.status, coarse.reasons.len()), (HealthStatus::Degraded, 1));
        let old = of(|published| published.health.nodes.succeeded = Some(Time(NOW.0 - 4_697 * 60)), true);
        assert_eq!(old.reasons, ["The nodes were last read 3 d 6 h ago."]);
    }

    #[test]
    fn what_slurm_said_is_told_to_those_who_may_know() {
        let said = |tells| {
            let answer = of(|published| published.health.queue.problem = Some("job 7 of eve".to_owned()), tells);
            serde_json::to_string(&answer).expect("an answer is JSON")
        };
        assert!(said(true).contains("eve") && !said(false).contains("eve"));
    }
}
