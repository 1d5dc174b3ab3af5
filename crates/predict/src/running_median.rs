//! The median of a growing set: cheap while it is small, a logarithmic step to add to it when it is large, none to ask.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_workload::Seconds;

/// Up to here a sorted list is faster than two heaps, and most sets stay below.
const SMALL: usize = 64;

/// The median of the run times added so far.
#[derive(Clone, Debug, Default)]
pub struct RunningMedian {
    /// All of them, in order, while there are few.
    sorted: Vec<Seconds>,
    /// All of them once there are many.
    halves: Option<Box<Halves>>,
}

/// The smaller and the larger half; the smaller has one more if the count is odd.
#[derive(Clone, Debug, Default)]
struct Halves {
    lower: BinaryHeap<Seconds>,
    upper: BinaryHeap<Reverse<Seconds>>,
}

impl RunningMedian {
    pub fn add(&mut self, run: Seconds) {
        if let Some(halves) = &mut self.halves {
            halves.add(run);
        } else if self.sorted.len() < SMALL {
            let place = self.sorted.partition_point(|other| *other <= run);
            self.sorted.insert(place, run);
        } else {
            let mut halves = Halves::default();
            self.sorted.drain(..).chain([run]).for_each(|run| halves.add(run));
            self.halves = Some(Box::new(halves));
        }
    }

    /// Of an even number, the mean of the middle two, rounded down; of none, none.
    pub fn median(&self) -> Option<Seconds> {
        if let Some(halves) = &self.halves {
            return halves.median();
        }
        let count = self.sorted.len();
        let (below, above) = (self.sorted.get(count.saturating_sub(1) / 2)?, self.sorted[count / 2]);
        Some(Seconds(i64::midpoint(below.0, above.0)))
    }

    /// Forgets everything, keeping the memory of a small set.
    pub fn clear(&mut self) {
        self.sorted.clear();
        self.halves = None;
    }
}

impl Halves {
    fn add(&mut self, run: Seconds) {
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

    fn median(&self) -> Option<Seconds> {
        let middle = *self.lower.peek()?;
        match self.upper.peek() {
            Some(Reverse(above)) if self.upper.len() == self.lower.len() => {
                Some(Seconds(i64::midpoint(middle.0, above.0)))
            }
            _ => Some(middle),
        }
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
