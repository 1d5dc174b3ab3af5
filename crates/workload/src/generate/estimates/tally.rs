//! How often each time occurs.
//!
//! For: run times and estimates of a log of any length in the memory of the different ones among them, of which there
//! are few: a deal of estimates needs no more of a log than this.
//!
//! Not for: which job has which time.

use std::collections::BTreeMap;

use crate::Seconds;

/// Times and how often each occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeTally {
    counts: BTreeMap<Seconds, u64>,
    total: u64,
}

impl TimeTally {
    /// Counts a time once more.
    pub fn add(&mut self, time: Seconds) {
        *self.counts.entry(time).or_default() += 1;
        self.total += 1;
    }

    /// How many there are in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The longest.
    pub fn longest(&self) -> Option<Seconds> {
        self.counts.last_key_value().map(|(&time, _)| time)
    }

    /// The different times, the shortest first, each with how often it occurs.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seconds, u64)> + '_ {
        self.counts.iter().map(|(&time, &count)| (time, count))
    }
}

impl FromIterator<Seconds> for TimeTally {
    fn from_iter<I: IntoIterator<Item = Seconds>>(times: I) -> Self {
        let mut tally = Self::default();
        times.into_iter().for_each(|time| tally.add(time));
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_and_come_from_the_shortest() {
        let tally: TimeTally = [30, 10, 30, 20].map(Seconds).into_iter().collect();
        assert_eq!(tally.iter().collect::<Vec<_>>(), [(Seconds(10), 1), (Seconds(20), 1), (Seconds(30), 2)]);
        assert_eq!((tally.total(), tally.longest()), (4, Some(Seconds(30))));
        assert!(TimeTally::default().is_empty() && TimeTally::default().longest().is_none());
    }
}
