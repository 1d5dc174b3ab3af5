//! What is going to happen on a cluster: ends, and predictions about to be outlived.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_schedule::JobKey;
use queuecast_workload::Time;

/// Something that happens to a job at a time. Of two at the same time, the one scheduled first happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    time: Time,
    sequence: u64,
    key: JobKey,
}

/// A queue of events.
#[derive(Clone, Debug, Default)]
pub struct Events {
    heap: BinaryHeap<Reverse<Event>>,
    sequence: u64,
}

impl Events {
    pub fn schedule(&mut self, time: Time, key: JobKey) {
        self.sequence += 1;
        self.heap.push(Reverse(Event { time, sequence: self.sequence, key }));
    }

    #[inline]
    pub fn next_time(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse(event)| event.time)
    }

    /// The next event, if it is due at `now`.
    #[inline]
    pub fn take_due(&mut self, now: Time) -> Option<JobKey> {
        if self.next_time()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse(event)| event.key)
    }
}
