//! When running jobs are planned to give their processors back: the incremental profile behind EASY's shadow time.
//!
//! With a single reservation no step function is needed: the head's shadow time is the first planned end at which
//! enough has been released, and a sorted list with sums answers that without being rebuilt.

use queuecast_workload::Time;

use crate::JobKey;
use crate::summed_list::{Entry, ShortList};

/// A running job's planned end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// End and, below it, job in one number, because it is compared in the innermost loop.
    order: i128,
    pub processors: u32,
}

impl Release {
    pub fn new(end: Time, key: JobKey, processors: u32) -> Self {
        Self { order: order_of(end, key), processors }
    }

    #[expect(clippy::cast_possible_truncation, reason = "above the key only the end is left")]
    pub fn end(&self) -> Time {
        Time((self.order >> u32::BITS) as i64)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the key is the lowest bits")]
    pub fn key(&self) -> JobKey {
        JobKey(self.order as u32)
    }
}

fn order_of(end: Time, key: JobKey) -> i128 {
    (i128::from(end.0) << u32::BITS) | i128::from(key.0)
}

impl Entry for Release {
    type Key = i128;
    /// Processors released.
    type Summary = u64;
    const EMPTY: u64 = 0;

    fn key(&self) -> i128 {
        self.order
    }
    fn summary(&self) -> u64 {
        u64::from(self.processors)
    }
    fn merge(left: u64, right: u64) -> u64 {
        left + right
    }
    fn summary_without(&self, summary: u64) -> Option<u64> {
        Some(summary - u64::from(self.processors))
    }
}

/// The planned ends of all running jobs, earliest first.
#[derive(Clone, Debug, Default)]
pub struct Releases(ShortList<Release>);

impl Releases {
    pub fn add(&mut self, release: Release) {
        self.0.insert(release);
    }

    pub fn remove(&mut self, end: Time, key: JobKey) {
        let removed = self.0.remove(order_of(end, key));
        debug_assert!(removed.is_some(), "{key:?} was not planned to end at {end}");
    }

    /// The earliest planned end.
    pub fn earliest(&self) -> Option<Time> {
        self.0.first().map(Release::end)
    }

    /// The earliest planned end not after `now`, taken out.
    pub fn take_due(&mut self, now: Time) -> Option<Release> {
        let due = self.0.first().filter(|release| release.end() <= now).copied()?;
        self.0.remove(due.order)
    }

    pub fn entries(&self) -> Vec<Release> {
        self.0.entries()
    }

    /// The earliest time at which `needed` processors have been released, and how many have been by then; ends of
    /// the same second count together (R-SIM-1 d). `None` if all running jobs together do not release that many.
    pub fn time_of(&self, needed: u32) -> Option<(Time, u64)> {
        let needed = u64::from(needed);
        let (first, released) = self.0.reach(|released| released >= needed, |one, other| one.end() == other.end())?;
        Some((first.end(), released))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn releases(planned: &[(i64, u32)]) -> Releases {
        let mut releases = Releases::default();
        for (key, &(end, processors)) in (0..).zip(planned) {
            releases.add(Release::new(Time(end), JobKey(key), processors));
        }
        releases
    }

    #[test]
    fn ends_of_one_second_are_counted_together() {
        let releases = releases(&[(10, 1), (20, 2), (20, 4), (30, 8)]);
        assert_eq!(releases.time_of(1), Some((Time(10), 1)));
        assert_eq!(releases.time_of(2), Some((Time(20), 7)));
        assert_eq!(releases.time_of(8), Some((Time(30), 15)));
        assert_eq!(releases.time_of(16), None);
    }

    #[test]
    fn end_and_job_come_back_as_they_were() {
        for end in [i64::MIN, -60, 0, 1, i64::MAX] {
            for key in [0, 1, u32::MAX] {
                let release = Release::new(Time(end), JobKey(key), 1);
                assert_eq!((release.end(), release.key()), (Time(end), JobKey(key)));
            }
        }
        assert!(order_of(Time(-60), JobKey(9)) < order_of(Time(0), JobKey(0)));
    }

    #[test]
    fn a_tie_may_cross_leaves() {
        let planned: Vec<_> = (0..200).map(|_| (5, 1)).chain([(6, 1)]).collect();
        assert_eq!(releases(&planned).time_of(3), Some((Time(5), 200)));
        assert_eq!(releases(&planned).time_of(201), Some((Time(6), 201)));
    }
}
