//! The median of a growing set: a logarithmic step to add to it, none to ask.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_workload::Seconds;

/// The median of the run times added so far.
#[derive(Clone, Debug, Default)]
pub struct RunningMedian {
    /// The smaller half; one more than the larger half if the count is odd.
    lower: BinaryHeap<Seconds>,
    upper: BinaryHeap<Reverse<Seconds>>,
}

impl RunningMedian {
    pub fn add(&mut self, run: Seconds) {
        if self.lower.peek().is_none_or(|largest| run <= *largest) {
            self.lower.push(run);
        } else {
            self.upper.push(Reverse(run));
        }
        if self.lower.len() > self.upper.len() + 1 {
            self.upper.extend(self.lower.pop().map(Reverse));
        } else if self.upper.len() > self.lower.len() {
            self.lower.extend(self.upper.pop().map(|Reverse(run)| run));
        }
    }

    /// Of an even number, the mean of the middle two, rounded down; of none, none.
    pub fn median(&self) -> Option<Seconds> {
        let middle = *self.lower.peek()?;
        match self.upper.peek() {
            Some(Reverse(above)) if self.upper.len() == self.lower.len() => {
                Some(Seconds(i64::midpoint(middle.0, above.0)))
            }
            _ => Some(middle),
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.lower.clear();
        self.upper.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistic;

    #[test]
    fn it_is_the_median_of_everything_added_after_every_addition() {
        let mut median = RunningMedian::default();
        assert_eq!(median.median(), None);
        let mut all = Vec::new();
        for step in 0..500_i64 {
            let run = Seconds((step * 7_919) % 101);
            all.push(run);
            median.add(run);
            assert_eq!(median.median(), Some(Statistic::Median.of(&all)), "after {} run times", all.len());
        }
        median.clear();
        assert_eq!(median.median(), None);
    }
}
