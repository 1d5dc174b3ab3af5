//! `SchedulerParameters`: how far, how often and for whom Slurm's two schedulers look ahead.
//!
//! For: the words that decide which jobs backfill plans for, and how finely.
//!
//! Not for: the many words about locks, retries and messages, which are passed over like any word that is not known.
//!
//! Source: slurm.conf(5) of 22.05: names, defaults and ranges. Taken for granted and not tried: that a number out of
//! its range counts as not said, and that of a word that is there twice the first counts.

use queuecast_workload::Seconds;

/// What backfill is told. `None` is without limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backfill {
    /// Whether it runs at all: not with `bf_interval=-1`, and only with `SchedulerType=sched/backfill`.
    pub is_on: bool,
    /// How long between two passes (`bf_interval`).
    pub interval: Seconds,
    /// How far ahead it looks (`bf_window`, which Slurm is told in minutes).
    pub window: Seconds,
    /// By how much the span within which ends of running jobs are taken for one grows each time (`bf_window_linear`); `None`: it
    /// doubles.
    pub window_linear: Option<Seconds>,
    /// How finely it plans (`bf_resolution`).
    pub resolution: Seconds,
    /// How long a pass may take (`bf_max_time`); the interval unless said.
    pub pass_max: Seconds,
    /// How many jobs a pass looks at (`bf_max_job_test`).
    pub jobs_tested_max: u64,
    /// How many of one user (`bf_max_job_user`).
    pub jobs_tested_per_user_max: Option<u64>,
    /// How many of one user in one partition (`bf_max_job_user_part`).
    pub jobs_tested_per_user_and_partition_max: Option<u64>,
    /// How many of one account's association (`bf_max_job_assoc`).
    pub jobs_tested_per_association_max: Option<u64>,
    /// How many of one partition (`bf_max_job_part`).
    pub jobs_tested_per_partition_max: Option<u64>,
    /// How many jobs a pass starts (`bf_max_job_start`).
    pub jobs_started_max: Option<u64>,
    /// For how many tasks of an array it reserves (`bf_max_job_array_resv`).
    pub array_tasks_reserved_max: u64,
    /// For how many jobs of a partition it reserves (`bf_job_part_count_reserve`); `None`: for all it looks at.
    pub reservations_per_partition: Option<u32>,
    /// Whether a job in several partitions gets one reservation only (`bf_one_resv_per_job`).
    pub has_one_reservation_per_job: bool,
    /// Whether a pass goes on after it had to let others work (`bf_continue`), or begins anew.
    pub continues: bool,
    /// How long a job must have waited before anything is reserved for it (`bf_min_age_reserve`).
    pub age_to_reserve_min: Seconds,
    /// The priority from which on something is reserved (`bf_min_prio_reserve`).
    pub priority_to_reserve_min: Option<u64>,
}

/// What the main scheduler is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MainScheduler {
    pub depth: u64,
    pub depth_per_partition: Option<u64>,
    pub loop_is_on: bool,
    pub interval: Seconds,
    pub interval_min_microseconds: u64,
    pub is_deferred: bool,
}

/// The words of one `SchedulerParameters`.
pub(crate) struct SchedulerParameters<'a>(&'a str);

impl Default for Backfill {
    /// What Slurm does when told nothing.
    fn default() -> Self {
        SchedulerParameters::of("").backfill()
    }
}

impl<'a> SchedulerParameters<'a> {
    pub fn of(text: &'a str) -> Self {
        Self(text)
    }

    pub fn backfill(&self) -> Backfill {
        let interval = self.number("bf_interval", 1, 10_800).unwrap_or(30);
        let none_if_zero =
            |name: &str, most: i64| self.number(name, 1, most).and_then(|number| u64::try_from(number).ok());
        Backfill {
            is_on: self.value("bf_interval") != Some("-1"),
            interval: Seconds(interval),
            window: Seconds(60 * self.number("bf_window", 1, 43_200).unwrap_or(1440)),
            window_linear: self.number("bf_window_linear", 1, 86_400).map(Seconds),
            resolution: Seconds(self.number("bf_resolution", 1, 3600).unwrap_or(60)),
            pass_max: Seconds(self.number("bf_max_time", 1, 3600).unwrap_or(interval)),
            jobs_tested_max: none_if_zero("bf_max_job_test", 1_000_000).unwrap_or(500),
            jobs_tested_per_user_max: none_if_zero("bf_max_job_user", 1_000_000),
            jobs_tested_per_user_and_partition_max: none_if_zero("bf_max_job_user_part", 1_000_000),
            jobs_tested_per_association_max: none_if_zero("bf_max_job_assoc", 1_000_000),
            jobs_tested_per_partition_max: none_if_zero("bf_max_job_part", 1_000_000),
            jobs_started_max: none_if_zero("bf_max_job_start", 10_000),
            array_tasks_reserved_max: self.number("bf_max_job_array_resv", 0, 1000).map_or(20, i64::unsigned_abs),
            reservations_per_partition: none_if_zero("bf_job_part_count_reserve", 100_000)
                .and_then(|count| u32::try_from(count).ok()),
            has_one_reservation_per_job: self.has("bf_one_resv_per_job"),
            continues: self.has("bf_continue"),
            age_to_reserve_min: Seconds(self.number("bf_min_age_reserve", 0, 2_592_000).unwrap_or(0)),
            priority_to_reserve_min: none_if_zero("bf_min_prio_reserve", i64::MAX),
        }
    }

    pub fn main(&self) -> MainScheduler {
        let count = |name: &str, least: i64| self.number(name, least, i64::MAX).map(i64::unsigned_abs);
        MainScheduler {
            depth: count("default_queue_depth", 1).unwrap_or(100),
            depth_per_partition: count("partition_job_depth", 1),
            loop_is_on: self.value("sched_interval") != Some("-1"),
            interval: Seconds(self.number("sched_interval", 1, Seconds::MAX.0).unwrap_or(60)),
            interval_min_microseconds: count("sched_min_interval", 0).unwrap_or(2),
            is_deferred: self.has("defer"),
        }
    }

    fn words(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        self.0.split(',').map(|word| word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value))))
    }

    fn has(&self, name: &str) -> bool {
        self.words().any(|(word, _)| word.trim().eq_ignore_ascii_case(name))
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.words().find(|(word, _)| word.trim().eq_ignore_ascii_case(name))?.1.map(str::trim)
    }

    fn number(&self, name: &str, least: i64, most: i64) -> Option<i64> {
        self.value(name)?.parse().ok().filter(|number| (least..=most).contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_the_manual_says() {
        let backfill = Backfill::default();
        assert!(backfill.is_on && !backfill.continues);
        assert_eq!((backfill.interval, backfill.resolution), (Seconds(30), Seconds(60)));
        assert_eq!((backfill.window, backfill.pass_max), (Seconds(86_400), Seconds(30)));
        assert_eq!((backfill.jobs_tested_max, backfill.jobs_tested_per_user_max), (500, None));
        assert_eq!((backfill.reservations_per_partition, backfill.array_tasks_reserved_max), (None, 20));
        let main = SchedulerParameters::of("").main();
        assert_eq!((main.depth, main.interval, main.interval_min_microseconds), (100, Seconds(60), 2));
    }

    #[test]
    fn what_is_said_is_read_with_its_unit() {
        let text = "bf_interval=10,bf_window=10080,BF_CONTINUE,bf_max_job_test=2000,bf_max_job_user=0,some_new_word=7,\
                    bf_job_part_count_reserve=1,sched_interval=-1,defer,bf_max_job_user_part=30,default_queue_depth=7";
        let parameters = SchedulerParameters::of(text);
        let backfill = parameters.backfill();
        assert_eq!((backfill.interval, backfill.pass_max), (Seconds(10), Seconds(10)));
        assert_eq!(backfill.window, Seconds(7 * 86_400), "minutes");
        assert_eq!((backfill.jobs_tested_max, backfill.jobs_tested_per_user_max), (2000, None), "0 is no limit");
        assert_eq!(backfill.jobs_tested_per_user_and_partition_max, Some(30));
        assert_eq!((backfill.reservations_per_partition, backfill.continues), (Some(1), true));
        let main = parameters.main();
        assert_eq!((main.depth, main.loop_is_on, main.is_deferred), (7, false, true));
    }

    #[test]
    fn what_is_out_of_its_range_counts_as_not_said() {
        for text in
            ["bf_interval=0", "bf_interval=x", "bf_interval", "bf_interval=99999999999999999999", "bf_interval="]
        {
            let backfill = SchedulerParameters::of(text).backfill();
            assert_eq!((backfill.interval, backfill.is_on), (Seconds(30), true), "{text}");
        }
        assert!(!SchedulerParameters::of("bf_interval=-1").backfill().is_on);
    }
}
