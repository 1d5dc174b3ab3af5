//! What is learnt from: jobs as they looked on arrival, with their waits or with how long they have waited so far.

use std::collections::BTreeMap;

use queuecast_workload::{JobId, Seconds, Time};

use crate::circumstances::INPUTS;

/// What is known of one job on arrival, as numbers.
pub(super) type InputRow = [f64; INPUTS];

#[derive(Clone, Debug)]
struct Example {
    arrived: Time,
    row: InputRow,
    /// `None` while it waits.
    wait: Option<Seconds>,
}

/// The last arrivals; the oldest make room, whether they have started or not.
#[derive(Clone, Debug)]
pub(super) struct Examples {
    capacity: usize,
    jobs: BTreeMap<JobId, Example>,
}

impl Examples {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), jobs: BTreeMap::new() }
    }

    pub(super) fn arrive(&mut self, job: JobId, arrived: Time, row: &InputRow) {
        self.jobs.insert(job, Example { arrived, row: *row, wait: None });
        if self.jobs.len() > self.capacity {
            self.jobs.pop_first();
        }
    }

    pub(super) fn start(&mut self, job: JobId, wait: Seconds) {
        if let Some(example) = self.jobs.get_mut(&job) {
            example.wait = Some(wait);
        }
    }

    pub(super) fn withdraw(&mut self, job: JobId) {
        self.jobs.remove(&job);
    }

    /// Jobs of which it is known whether they waited longer than this, and whether they did.
    pub(super) fn labelled(&self, longer_than: Seconds, now: Time) -> impl Iterator<Item = (&InputRow, bool)> {
        self.jobs.values().filter_map(move |example| match example.wait {
            Some(wait) => Some((&example.row, wait > longer_than)),
            None => (now - example.arrived > longer_than).then_some((&example.row, true)),
        })
    }

    /// The waits that are known, in seconds.
    pub(super) fn waits(&self) -> impl Iterator<Item = f64> {
        self.jobs.values().filter_map(|example| example.wait).map(Seconds::as_f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circumstances::INPUTS;

    #[test]
    fn who_still_waits_teaches_what_is_certain() {
        let mut examples = Examples::new(10);
        for id in 0..3 {
            examples.arrive(JobId(id), Time(0), &[id as f64; INPUTS]);
        }
        examples.start(JobId(0), Seconds(50));
        examples.start(JobId(1), Seconds(900));
        let labels = |seconds, now| {
            let labelled = examples.labelled(Seconds(seconds), Time(now));
            labelled.map(|(row, longer)| (row[0], longer)).collect::<Vec<_>>()
        };
        assert_eq!(labels(60, 1_000), [(0.0, false), (1.0, true), (2.0, true)]);
        assert_eq!(labels(3_600, 1_000), [(0.0, false), (1.0, false)], "the third may yet start within the hour");
        assert_eq!(examples.waits().collect::<Vec<_>>(), [50.0, 900.0]);
    }

    #[test]
    fn the_oldest_make_room() {
        let mut examples = Examples::new(2);
        for id in 0..5 {
            examples.arrive(JobId(id), Time(0), &[0.0; INPUTS]);
            examples.start(JobId(id), Seconds(1));
        }
        assert_eq!(examples.waits().count(), 2);
    }
}
