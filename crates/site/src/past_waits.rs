//! How long jobs waited lately, by the hour and the weekday at which the wait began, the size and the partition: when is it quiet?
//!
//! For: whoever can choose when to submit. Half of the jobs waited no longer than the median, nine of ten no longer than the other figure.
//!
//! Not for: when a job starts that is submitted now, which depends on who waits now (`forecasting`); who may see which group
//! (`queuecast_daemon::api`). Nothing here counts jobs: two counts could be subtracted.

use std::collections::BTreeMap;

use queuecast_forecast::score::USERS_COUNTED;
use queuecast_records::JobRecord;
use queuecast_workload::{Seconds, Time};

use crate::observed::{JobSize, wait};

/// An hour of the week by the cluster's own clock on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalHour {
    /// 0 is Monday.
    pub weekday: usize,
    /// From 0 to 23.
    pub hour: usize,
}

/// Days of a week.
pub const WEEKDAYS: usize = 7;
/// Hours of a day.
pub const HOURS: usize = 24;

/// Some jobs: of one partition or all, of one size or all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// The partition; `None` for all.
    pub partition: Option<String>,
    /// The size; `None` for all.
    pub size: Option<JobSize>,
}

/// How long some jobs waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Half waited no longer.
    pub median: Seconds,
    /// Nine of ten waited no longer.
    pub nine_of_ten: Seconds,
    /// Whose jobs they were, counted up to five.
    pub users: u64,
}

/// Waits of one group. What nobody did is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// Of all together.
    pub all: Option<Spread>,
    /// By the hour of the day.
    pub by_hour: [Option<Spread>; HOURS],
    /// By the day of the week.
    pub by_weekday: [Option<Spread>; WEEKDAYS],
    /// By both.
    pub by_weekday_and_hour: [[Option<Spread>; HOURS]; WEEKDAYS],
}

/// Waits of a stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastWaits {
    /// The first and the last time at which a wait began; `None` without any.
    pub period: Option<(Time, Time)>,
    /// By group.
    pub groups: BTreeMap<Group, Waits>,
}

#[derive(Clone, Copy, Debug)]
struct Waited {
    at: LocalHour,
    wait: Seconds,
    user: u32,
}

/// Gathers waits of jobs that have started.
#[derive(Debug, Default)]
pub struct Gathering {
    users: BTreeMap<String, u32>,
    period: Option<(Time, Time)>,
    waited: BTreeMap<Group, Vec<Waited>>,
}

impl Gathering {
    /// A job that started. Its wait began at this hour of the week, which depends on where the cluster is.
    pub fn see(&mut self, record: &JobRecord, local_hour: impl FnOnce(Time) -> LocalHour) {
        let Some((started, partition)) = record.started.zip(record.partitions.first()) else { return };
        let Some(wait) = wait(record, started) else { return };
        let began = started - wait;
        let next = u32::try_from(self.users.len()).unwrap_or(u32::MAX);
        let user = *self.users.entry(record.user.clone()).or_insert(next);
        let waited = Waited { at: local_hour(began), wait, user };
        let size = JobSize::of(record.allocated.nodes.or(record.requested.nodes).unwrap_or(1));
        for partition in [None, Some(partition.clone())] {
            for size in [None, Some(size)] {
                self.waited.entry(Group { partition: partition.clone(), size }).or_default().push(waited);
            }
        }
        self.period = Some(self.period.map_or((began, began), |(from, to)| (from.min(began), to.max(began))));
    }

    /// What it comes to.
    pub fn finish(self) -> PastWaits {
        let groups = self.waited.into_iter().map(|(group, waited)| (group, waits(waited))).collect();
        PastWaits { period: self.period, groups }
    }
}

fn waits(mut waited: Vec<Waited>) -> Waits {
    // In order once: each part of it is in order too.
    waited.sort_unstable_by_key(|waited| waited.wait);
    let of = |belongs: &dyn Fn(LocalHour) -> bool| {
        spread(&waited.iter().filter(|waited| belongs(waited.at)).copied().collect::<Vec<_>>())
    };
    Waits {
        all: spread(&waited),
        by_hour: std::array::from_fn(|hour| of(&|at| at.hour == hour)),
        by_weekday: std::array::from_fn(|weekday| of(&|at| at.weekday == weekday)),
        by_weekday_and_hour: std::array::from_fn(|weekday| {
            std::array::from_fn(|hour| of(&|at| at == LocalHour { weekday, hour }))
        }),
    }
}

/// Of waits in order.
fn spread(waited: &[Waited]) -> Option<Spread> {
    let last = waited.len().checked_sub(1)?;
    let mut users = Vec::with_capacity(USERS_COUNTED);
    for waited in waited {
        if users.len() < USERS_COUNTED && !users.contains(&waited.user) {
            users.push(waited.user);
        }
    }
    let at = |percent: usize| waited[(last * percent).div_ceil(100)].wait;
    Some(Spread { median: at(50), nine_of_ten: at(90), users: users.len() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::{JobKey, JobPart, JobState};

    /// Time 0 is Monday at midnight.
    fn hour(time: Time) -> LocalHour {
        let hours = usize::try_from(time.0 / 3_600).expect("after the beginning");
        LocalHour { weekday: hours / HOURS % WEEKDAYS, hour: hours % HOURS }
    }

    fn gathered(jobs: &[(&str, &str, u64, i64, i64)]) -> PastWaits {
        let mut gathering = Gathering::default();
        for (user, partition, nodes, submitted, wait) in jobs {
            let key = JobKey {
                cluster: String::new(),
                job_id: 1,
                part: JobPart::Whole,
                submitted: Time(*submitted),
                sluid: None,
            };
            let mut record = JobRecord::new(key, JobState::default());
            record.user = (*user).to_owned();
            record.partitions = vec![(*partition).to_owned()];
            record.requested.nodes = Some(*nodes);
            record.started = Some(Time(submitted + wait));
            gathering.see(&record, hour);
        }
        gathering.finish()
    }

    #[test]
    fn waits_are_told_by_the_hour_at_which_they_began_whose_they_were_and_of_every_group() {
        let (monday_nine, tuesday_nine) = (9 * 3_600, 33 * 3_600);
        let past = gathered(&[
            ("ada", "batch", 1, monday_nine, 100),
            ("bob", "batch", 1, monday_nine + 60, 300),
            ("ada", "batch", 20, tuesday_nine, 5_000),
            ("ada", "gpu", 1, tuesday_nine, 7),
        ]);
        assert_eq!(past.period, Some((Time(monday_nine), Time(tuesday_nine))));
        let group = |partition: Option<&str>, size| {
            past.groups[&Group { partition: partition.map(str::to_owned), size }].clone()
        };
        let batch = group(Some("batch"), None);
        assert_eq!(batch.all, Some(Spread { median: Seconds(300), nine_of_ten: Seconds(5_000), users: 2 }));
        assert_eq!(batch.by_weekday[0].map(|spread| spread.nine_of_ten), Some(Seconds(300)));
        assert_eq!(batch.by_weekday_and_hour[1][9].map(|spread| spread.median), Some(Seconds(5_000)));
        assert_eq!(batch.by_weekday_and_hour[1][10], None);
        assert_eq!(batch.by_hour[9], batch.all);
        assert_eq!(group(None, Some(JobSize::OneNode)).all.map(|spread| spread.median), Some(Seconds(100)));
        assert_eq!(past.groups.len(), 3 + 3 + 2, "all, batch and gpu, each of all sizes and of those that there are");
    }

    #[test]
    fn a_job_that_never_started_or_is_told_to_have_started_before_it_was_there_has_not_waited() {
        assert_eq!(gathered(&[("ada", "batch", 1, 100, -50)]), PastWaits::default());
    }
}
