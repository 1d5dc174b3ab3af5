//! The simplest thing that could be said: it starts after as long as the last jobs of its partition waited.

use std::collections::VecDeque;

use queuecast_workload::Seconds;
use rustc_hash::FxHashMap;

/// How many jobs are looked back on.
const JOBS: usize = 100;

/// The last waits by partition.
#[derive(Debug, Default)]
pub struct RecentWaits {
    waits: FxHashMap<u32, VecDeque<u32>>,
}

impl RecentWaits {
    /// A job of this partition started.
    pub fn add(&mut self, partition: u32, wait_seconds: u32) {
        let waits = self.waits.entry(partition).or_default();
        if waits.len() == JOBS {
            waits.pop_front();
        }
        waits.push_back(wait_seconds);
    }

    /// The wait in the middle; of an even number the lower.
    pub fn median(&self, partition: u32) -> Option<Seconds> {
        let mut sorted: Vec<u32> = self.waits.get(&partition)?.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get((sorted.len() - 1) / 2).map(|wait| Seconds(i64::from(*wait)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_hundred_of_the_partition_count() {
        let mut recent = RecentWaits::default();
        assert_eq!(recent.median(1), None);
        (0..100).for_each(|_| recent.add(1, 9_000));
        recent.add(2, 5);
        (1..=60).for_each(|wait| recent.add(1, wait));
        assert_eq!((recent.median(1), recent.median(2)), (Some(Seconds(50)), Some(Seconds(5))));
    }
}
