//! What has happened since the daemon began, counted: how long jobs had waited when they started, and how far forecasts were off.
//!
//! For: Prometheus, which keeps the past itself and wants counts that only grow. What happened before the daemon began is not counted:
//! each start of the daemon would look like a burst of jobs.
//!
//! Not for: the score of everything that was ever said (`queuecast_forecast::score`); waits by hour and weekday ([`crate::past_waits`]);
//! who may see which group (`queuecast_daemon::api`).

mod histogram;
mod size;

use std::collections::BTreeMap;

pub use histogram::Histogram;
pub use size::JobSize;

use queuecast_forecast::WaitClass;
use queuecast_forecast::score::{FewUsers, ScoredForecast};
use queuecast_records::JobRecord;
use queuecast_workload::{Seconds, Time};

/// Bounds of waits and errors: from a minute to a week.
pub const BOUNDS_SECONDS: &[f64] = &[
    60.0, 300.0, 900.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0, 28_800.0, 57_600.0, 86_400.0, 172_800.0, 345_600.0,
    604_800.0,
];

/// Everything that is counted.
#[derive(Clone, Debug)]
pub struct Observed {
    since: Time,
    /// By partition.
    pub partitions: BTreeMap<String, OfPartition>,
}

/// What is counted of one partition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfPartition {
    /// Whose jobs these are, all of them together.
    pub users: FewUsers,
    /// How long jobs had waited when they started.
    pub waits: BTreeMap<JobSize, Counted>,
    /// How far the middle of our forecasts was off, by how long the wait was that was left.
    pub errors: BTreeMap<WaitClass, Counted>,
    /// How far the manager's own plan was off, where it had one.
    pub plan_errors: BTreeMap<WaitClass, Counted>,
    /// How far our forecasts were off where it had one: what to compare that with.
    pub errors_beside_plan: BTreeMap<WaitClass, Counted>,
    /// Whose forecasts there were where it had none.
    pub users_without_plan: BTreeMap<WaitClass, FewUsers>,
    /// Forecasts that were scored.
    pub scored: u64,
    /// Of these, those whose start came within the 80 % range.
    pub within_range80: u64,
    /// Whose forecasts were scored.
    pub scored_users: FewUsers,
}

/// Durations of a group of jobs, and whose they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The durations.
    pub durations: Histogram,
    /// Whose jobs.
    pub users: FewUsers,
}

impl Default for Counted {
    fn default() -> Self {
        Self { durations: Histogram::new(BOUNDS_SECONDS), users: FewUsers::default() }
    }
}

impl Counted {
    fn add(&mut self, seconds: Seconds, user: &str) {
        self.durations.add(seconds.as_f64());
        self.users.see(user);
    }
}

impl Observed {
    /// Nothing yet; what happened before this is not counted.
    pub fn since(since: Time) -> Self {
        Self { since, partitions: BTreeMap::new() }
    }

    /// Whether a start is counted: it came after the beginning, in a partition that is known.
    pub fn counts_start(&self, record: &JobRecord, started: Time) -> bool {
        started >= self.since && !record.partitions.is_empty()
    }

    /// A job has started.
    pub fn started(&mut self, record: &JobRecord, started: Time) {
        let Some(wait) = wait(record, started).filter(|_| self.counts_start(record, started)) else { return };
        let size = JobSize::of(record.allocated.nodes.or(record.requested.nodes).unwrap_or(1));
        let Some(partition) = record.partitions.first() else { return };
        let partition = self.partitions.entry(partition.clone()).or_default();
        partition.users.see(&record.user);
        partition.waits.entry(size).or_default().add(wait, &record.user);
    }

    /// Whether a forecast is counted: its job started after the beginning.
    pub fn counts_forecast(&self, forecast: &ScoredForecast) -> bool {
        forecast.started >= self.since
    }

    /// A forecast was scored.
    pub fn scored(&mut self, forecast: &ScoredForecast) {
        if !self.counts_forecast(forecast) {
            return;
        }
        let class = WaitClass::of((forecast.started - forecast.made).as_f64());
        let partition = self.partitions.entry(forecast.partition.clone()).or_default();
        partition.users.see(&forecast.user);
        partition.scored_users.see(&forecast.user);
        partition.scored += 1;
        partition.within_range80 += u64::from(forecast.is_within_range80());
        partition.errors.entry(class).or_default().add(forecast.error(), &forecast.user);
        if let Some(error) = forecast.plan_error() {
            partition.plan_errors.entry(class).or_default().add(error, &forecast.user);
            partition.errors_beside_plan.entry(class).or_default().add(forecast.error(), &forecast.user);
        } else {
            partition.users_without_plan.entry(class).or_default().see(&forecast.user);
        }
    }
}

/// How long a job had waited when it started: since it was submitted, or could first have been started.
pub fn wait(record: &JobRecord, started: Time) -> Option<Seconds> {
    let from = record.eligible.map_or(record.key.submitted, |eligible| eligible.max(record.key.submitted));
    Some(started - from).filter(|wait| wait.0 >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_forecast::score::SHARES;
    use queuecast_records::{JobKey, JobPart, JobState};

    fn record(user: &str, nodes: u64, submitted: i64) -> JobRecord {
        let (cluster, part, submitted) = (String::new(), JobPart::Whole, Time(submitted));
        let key = JobKey { cluster, job_id: 7, part, submitted, sluid: None };
        let mut record = JobRecord::new(key, JobState::default());
        record.user = user.to_owned();
        record.partitions = vec!["batch".to_owned()];
        record.requested.nodes = Some(nodes);
        record
    }

    #[test]
    fn a_wait_is_counted_by_partition_and_size_and_not_from_before_the_beginning() {
        let mut observed = Observed::since(Time(1_000));
        observed.started(&record("ada", 1, 900), Time(1_010));
        observed.started(&record("bob", 1, 900), Time(1_500));
        observed.started(&record("ada", 70, 900), Time(1_400));
        observed.started(&record("ada", 1, 900), Time(999));
        let held = JobRecord { eligible: Some(Time(1_390)), ..record("ada", 70, 900) };
        observed.started(&held, Time(1_400));
        let batch = &observed.partitions["batch"];
        let counted = |size| {
            let counted: &Counted = &batch.waits[&size];
            (counted.durations.count(), counted.durations.sum_seconds(), counted.users.count())
        };
        assert_eq!(counted(JobSize::OneNode), (2, 710.0, 2));
        assert_eq!(counted(JobSize::Most), (2, 510.0, 1), "a job that may not start yet does not wait");
        assert_eq!(batch.users.count(), 2);
    }

    #[test]
    fn an_error_is_counted_by_the_wait_that_was_left_beside_the_manager_s_own() {
        let mut observed = Observed::since(Time(0));
        let mut said = [Time(5_000); SHARES.len()];
        (said[2], said[6]) = (Time(4_000), Time(6_000));
        let forecast = |started, slurm_said| ScoredForecast {
            partition: "batch".to_owned(),
            user: "ada".to_owned(),
            submitted: Time(0),
            made: Time(1_000),
            first: true,
            said,
            raw: said,
            slurm_said,
            experts: None,
            started: Time(started),
        };
        observed.scored(&forecast(4_100, None));
        observed.scored(&forecast(9_000, Some(Time(8_900))));
        let batch = &observed.partitions["batch"];
        assert_eq!((batch.scored, batch.within_range80), (2, 1));
        let sums = |of: &BTreeMap<WaitClass, Counted>| {
            of.iter().map(|(class, counted)| (class.index(), counted.durations.sum_seconds())).collect::<Vec<_>>()
        };
        assert_eq!(sums(&batch.errors), [(0, 900.0), (1, 4_000.0)]);
        assert_eq!(sums(&batch.plan_errors), [(1, 100.0)]);
        assert_eq!(sums(&batch.errors_beside_plan), [(1, 4_000.0)]);
    }
}
