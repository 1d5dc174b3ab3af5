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
    /// End and job in one number, because it is compared in the innermost loop: the end, moved so that it is not
    /// negative, above the lowest bits, which hold the key.
    order: u64,
    pub processors: u32,
}

const KEY_BITS: u32 = 22;
/// Jobs that can be in the system at once: see [`Release::order`].
pub const KEYS_MAX: u32 = 1 << KEY_BITS;
/// Ends are sums of a time and a span of at most [`Time::MAX`] each, so they fit beside the key.
const TIME_OFFSET: i64 = 1 << 40;
const _: () = assert!(TIME_OFFSET > Time::MAX.0 && (TIME_OFFSET + 2 * Time::MAX.0) >> (64 - KEY_BITS) == 0);

impl Release {
    pub fn new(end: Time, key: JobKey, processors: u32) -> Self {
        Self { order: order_of(end, key), processors }
    }

    pub fn end(&self) -> Time {
        Time((self.order >> KEY_BITS).cast_signed() - TIME_OFFSET)
    }

    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are left")]
    pub fn key(&self) -> JobKey {
        JobKey((self.order & u64::from(KEYS_MAX - 1)) as u32)
    }
}

fn order_of(end: Time, key: JobKey) -> u64 {
    debug_assert!((-TIME_OFFSET..=2 * Time::MAX.0).contains(&end.0) && key.0 < KEYS_MAX);
    ((end.0 + TIME_OFFSET).cast_unsigned() << KEY_BITS) | u64::from(key.0)
}

impl Entry for Release {
    type Key = u64;
    /// Processors released.
    type Summary = u64;
    const EMPTY: u64 = 0;

    fn key(&self) -> u64 {
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
    fn a_tie_may_cross_leaves() {
        let planned: Vec<_> = (0..200).map(|_| (5, 1)).chain([(6, 1)]).collect();
        assert_eq!(releases(&planned).time_of(3), Some((Time(5), 200)));
        assert_eq!(releases(&planned).time_of(201), Some((Time(6), 201)));
    }
}
