//! What a site looks like: who waits, who runs, since when.
//!
//! Kept up event by event, whoever the events come from: a log, a simulation, a live cluster. Nothing in here is known
//! before it has happened.

use std::collections::BTreeMap;

use queuecast_workload::{JobId, Machine, Submission, Time};

/// A running job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningJob {
    /// What was known at its submission.
    pub submission: Submission,
    /// When it started.
    pub started: Time,
}

/// Who waits and who runs. Handles are given in order of arrival, so that both are in that order.
#[derive(Clone, Debug)]
pub struct SiteState {
    machine: Machine,
    waiting: BTreeMap<JobId, Submission>,
    running: BTreeMap<JobId, RunningJob>,
    occupied: u64,
}

impl SiteState {
    /// Nobody.
    pub fn new(machine: Machine) -> Self {
        Self { machine, waiting: BTreeMap::new(), running: BTreeMap::new(), occupied: 0 }
    }

    /// A job was submitted.
    pub fn arrive(&mut self, job: &Submission) {
        self.waiting.insert(job.job, *job);
    }

    /// A waiting job started.
    pub fn start(&mut self, job: JobId, now: Time) {
        if let Some(submission) = self.waiting.remove(&job) {
            self.occupied += u64::from(submission.request.processors);
            self.running.insert(job, RunningJob { submission, started: now });
        }
    }

    /// A running job ended.
    pub fn end(&mut self, job: JobId) {
        if let Some(running) = self.running.remove(&job) {
            self.occupied -= u64::from(running.submission.request.processors);
        }
    }

    /// The machine.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// Who waits, in order of arrival.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Submission> {
        self.waiting.values()
    }

    /// Who runs, in order of arrival.
    pub fn running(&self) -> impl ExactSizeIterator<Item = &RunningJob> {
        self.running.values()
    }

    /// Processors that are held. In a log there may be more of them than the header says the machine has.
    pub fn occupied_processors(&self) -> u64 {
        self.occupied
    }
}
