//! How the daemon is, as an answer: whether to believe it, and if not, why.
//!
//! Not for: metrics over time (`metrics`).

use queuecast_workload::{Seconds, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::freshness::{Freshness, STALE_AFTER};
use super::time::Moment;
use queuecast_site::published::{Published, ReadingHealth};

/// How the daemon is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HealthAnswer {
    /// The verdict.
    pub status: HealthStatus,
    /// What is wrong, one sentence each; empty if nothing is.
    pub reasons: Vec<String>,
    /// The cluster's name.
    pub cluster: String,
    /// This program's version.
    pub version: String,
    /// The cluster's time when this was answered.
    pub now: Moment,
    /// When the forecasts were made.
    pub made: Option<Moment>,
    /// How long the last forecast of the whole queue took.
    pub forecast_seconds: f64,
    /// Reading the queue.
    pub queue: ReadingAnswer,
    /// Reading the nodes.
    pub nodes: ReadingAnswer,
    /// Reading accounting.
    pub accounting: ReadingAnswer,
    /// Reading partitions, reservations, limits and settings.
    pub settings: ReadingAnswer,
    /// Reading who is operator, administrator or coordinator. While it fails nobody is, beside root, the daemon's own user and
    /// those whom the site named.
    pub users: ReadingAnswer,
    /// Asking how deep backfill gets. The daemon does without where Slurm does not say.
    pub backfill: ReadingAnswer,
    /// How many jobs a pass of Slurm's backfill gets to; none if it gets to the end of the queue, or Slurm does not say.
    pub backfill_reach_jobs: Option<u64>,
    /// Jobs that wait, whoever's they are; `null` if they are of a few users and the asker may not see them.
    pub jobs_waiting: Option<u64>,
    /// Jobs that run; `null` likewise.
    pub jobs_running: Option<u64>,
    /// Jobs in the store.
    pub jobs_stored: u64,
    /// Ended jobs that forecasts have learnt from.
    pub jobs_learnt: u64,
    /// How well the model explains the starts that Slurm made.
    pub replay_check: ReplayCheckAnswer,
}

/// The verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// Nothing is wrong.
    Ok,
    /// There are forecasts, but something is wrong.
    Degraded,
    /// There are no forecasts: what is known is too old.
    Stale,
}

/// How one kind of reading is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReadingAnswer {
    /// How long ago it last succeeded.
    pub age_seconds: Option<i64>,
    /// Calls made since the daemon began.
    pub calls: u64,
    /// Calls that failed.
    pub failures: u64,
    /// How long the last call took, in real seconds.
    pub last_call_seconds: f64,
    /// Records of the last call that could not be read.
    pub bad_records: u64,
    /// What went wrong in the last call, if it did. Only administrators are told what.
    pub problem: Option<String>,
}

/// How well the model explains the starts that Slurm made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayCheckAnswer {
    /// Starts that were looked at.
    pub starts: u64,
    /// Of these, jobs that the model too would have started between the two readings.
    pub explained: u64,
    /// Jobs that the model would have started and Slurm did not.
    pub missing: u64,
}

/// How many jobs there are, as far as that may be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub waiting: Option<u64>,
    pub running: Option<u64>,
}

impl HealthAnswer {
    /// Of what is published; what Slurm said when a call failed may name jobs, so not everybody is told.
    pub(crate) fn new(published: &Published, freshness: Freshness, tells_problems: bool, counts: Counts) -> Self {
        let health = &published.health;
        let readings = [
            ("queue", &health.queue),
            ("nodes", &health.nodes),
            ("accounting", &health.accounting),
            ("settings", &health.settings),
        ];
        let too_old = freshness.too_old();
        let mut reasons: Vec<String> = too_old.iter().map(|reason| reason.why.clone()).collect();
        reasons.extend(freshness.made.is_none().then(|| "Nothing has been forecast yet.".to_owned()));
        for (name, reading) in readings {
            reasons.extend(complaints(name, reading, freshness.now));
        }
        reasons.extend(health.users.problem.is_some().then(|| {
            "Who is operator, administrator or coordinator could not be read: they are shown what users are.".to_owned()
        }));
        let status = match (&too_old, reasons.is_empty()) {
            (Some(_), _) => HealthStatus::Stale,
            (None, true) => HealthStatus::Ok,
            (None, false) => HealthStatus::Degraded,
        };
        let [queue, nodes, accounting, settings] =
            readings.map(|(_, reading)| ReadingAnswer::new(reading, freshness.now, tells_problems));
        let check = published.replay_check;
        Self {
            status,
            reasons,
            cluster: published.cluster.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            now: freshness.now.into(),
            made: freshness.made.map(Moment::from),
            forecast_seconds: health.forecast_seconds,
            queue,
            nodes,
            accounting,
            settings,
            users: ReadingAnswer::new(&health.users, freshness.now, tells_problems),
            backfill: ReadingAnswer::new(&health.backfill, freshness.now, tells_problems),
            backfill_reach_jobs: health.backfill_reach_jobs,
            jobs_waiting: counts.waiting,
            jobs_running: counts.running,
            jobs_stored: health.jobs_stored,
            jobs_learnt: health.jobs_learnt,
            replay_check: ReplayCheckAnswer {
                starts: check.starts,
                explained: check.explained,
                missing: check.missing,
            },
        }
    }
}

/// They are read every half hour.
const SETTINGS_OLD_AFTER: Seconds = Seconds(2 * 3_600);

/// The queue's age is told by [`Freshness`].
fn complaints(name: &str, reading: &ReadingHealth, now: Time) -> Vec<String> {
    let mut complaints = Vec::new();
    if reading.problem.is_some() {
        complaints.push(format!("The last call for the {name} failed."));
    }
    if reading.bad_records > 0 {
        complaints.push(format!("{} records of the {name} could not be read.", reading.bad_records));
    }
    if name != "queue" {
        match reading.succeeded {
            None => complaints.push(format!("The {name} has not been read yet.")),
            Some(read) if now - read > if name == "settings" { SETTINGS_OLD_AFTER } else { STALE_AFTER } => {
                complaints.push(format!("The {name} was last read {} minutes ago.", (now - read).0 / 60));
            }
            Some(_) => {}
        }
    }
    complaints
}

impl ReadingAnswer {
    fn new(reading: &ReadingHealth, now: Time, tells_problems: bool) -> Self {
        let told = |problem: &String| if tells_problems { problem.clone() } else { "it failed".to_owned() };
        Self {
            age_seconds: reading.succeeded.map(|read| (now - read).0.max(0)),
            calls: reading.calls,
            failures: reading.failures,
            last_call_seconds: reading.last_seconds,
            bad_records: reading.bad_records,
            problem: reading.problem.as_ref().map(told),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::test_board::{NOW, published};

    fn health(change: impl FnOnce(&mut Published), tells_problems: bool) -> HealthAnswer {
        let mut published = published(Vec::new());
        change(&mut published);
        HealthAnswer::new(&published, Freshness::of(&published, NOW), tells_problems, Counts::default())
    }

    #[test]
    fn the_verdict_follows_from_what_is_wrong() {
        let well = health(|_| {}, true);
        assert_eq!((well.status, well.reasons.len()), (HealthStatus::Ok, 0), "{:?}", well.reasons);
        let failing =
            health(|published| published.health.accounting.problem = Some("slurmdbd is down".to_owned()), true);
        assert_eq!((failing.status, failing.reasons.len()), (HealthStatus::Degraded, 1));
        let nobody_known = health(|published| published.health.users.problem = Some("no slurmdbd".to_owned()), true);
        assert_eq!((nobody_known.status, nobody_known.reasons.len()), (HealthStatus::Degraded, 1));
        let stale = health(|published| published.health.queue.succeeded = Some(Time(NOW.0 - 2_000)), true);
        assert_eq!(stale.status, HealthStatus::Stale);
        let blind = health(|published| published.health.nodes.succeeded = None, true);
        assert_eq!(blind.status, HealthStatus::Degraded);
    }

    #[test]
    fn what_slurm_said_is_told_to_those_who_may_know() {
        let said = |tells| {
            let answer = health(|published| published.health.queue.problem = Some("job 7 of eve".to_owned()), tells);
            serde_json::to_string(&answer).expect("an answer is JSON")
        };
        assert!(said(true).contains("eve") && !said(false).contains("eve"));
    }
}
