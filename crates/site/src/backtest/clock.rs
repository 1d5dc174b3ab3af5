//! What happened, in the order in which it did, from jobs in the order in which they came. Only those who are there are in memory.
//!
//! Within one second ends come first, then those who leave, then arrivals, then starts, as in `queuecast_advise::limit`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_workload::Time;

use super::past_job::{Fate, PastJob};

/// What happens to a job; of what happens in one second, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Ended,
    Left,
    Arrived,
    Started,
}

/// Goes through a history.
pub struct Clock<'a> {
    jobs: &'a [PastJob],
    arrived: usize,
    to_come: BinaryHeap<Reverse<(Time, Event, u32)>>,
}

impl<'a> Clock<'a> {
    pub fn new(jobs: &'a [PastJob]) -> Self {
        Self { jobs, arrived: 0, to_come: BinaryHeap::new() }
    }
}

impl Iterator for Clock<'_> {
    type Item = (Time, Event, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let place = u32::try_from(self.arrived).ok()?;
        let arrival = self.jobs.get(self.arrived).map(|job| (job.arrived, Event::Arrived, place));
        let first = match (self.to_come.peek().map(|Reverse(event)| *event), arrival) {
            (Some(event), Some(arrival)) => event.min(arrival),
            (event, arrival) => event.or(arrival)?,
        };
        let (now, event, place) = first;
        let job = &self.jobs[place as usize];
        if event == Event::Arrived {
            self.arrived += 1;
        } else {
            self.to_come.pop();
        }
        match (event, job.fate) {
            (Event::Arrived, Fate::Ended | Fate::RunsOn) => {
                self.to_come.push(Reverse((job.started(), Event::Started, place)));
            }
            (Event::Arrived, Fate::Withdrawn) => self.to_come.push(Reverse((job.started(), Event::Left, place))),
            (Event::Started, Fate::Ended) => self.to_come.push(Reverse((job.ended(), Event::Ended, place))),
            _ => {}
        }
        Some((now, event, place))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_jobs::{job, withdrawn};
    use super::*;

    #[test]
    fn ends_come_before_arrivals_and_arrivals_before_starts() {
        use Event::{Arrived, Ended, Left, Started};
        let jobs = [job(0, 0, 10), withdrawn(5, 5), job(10, 0, 0), PastJob { fate: Fate::RunsOn, ..job(10, 1, 99) }];
        let events: Vec<_> = Clock::new(&jobs).map(|(now, event, place)| (now.0, event, place)).collect();
        let expected = [
            (0, Arrived, 0),
            (0, Started, 0),
            (5, Arrived, 1),
            (10, Ended, 0),
            (10, Left, 1),
            (10, Arrived, 2),
            (10, Arrived, 3),
            (10, Started, 2),
            (11, Ended, 2),
            (11, Started, 3),
        ];
        assert_eq!(events, expected);
    }
}
