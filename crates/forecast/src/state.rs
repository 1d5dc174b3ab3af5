//! What a site looks like: who waits, who runs, since when, and the features of an arrival among them (R-K1, R-K2).
//!
//! Kept up event by event, whoever the events come from: a log, a simulation, a live cluster. Nothing in here is known
//! before it has happened.
//!
//! Not for: what follows for the job that arrives; that is the forecasters'.

use std::collections::BTreeMap;

use queuecast_workload::{JobId, Machine, Seconds, Submission, Time};

use crate::features::{Demand, FeatureIndex, Features, LimitsSeen};
use crate::room::Room;

/// A running job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunningJob {
    /// What was known at its submission.
    pub submission: Submission,
    /// When it started.
    pub started: Time,
    /// Its limit, or what it has been reckoned with since it arrived without one; see [`SiteState::estimate`].
    pub estimate: Seconds,
}

/// A waiting job.
#[derive(Clone, Copy, Debug)]
struct WaitingJob {
    submission: Submission,
    estimate: Seconds,
}

/// Who waits and who runs. Handles are given in order of arrival, so that both are in that order.
#[derive(Clone, Debug)]
pub struct SiteState {
    machine: Machine,
    waiting: BTreeMap<JobId, WaitingJob>,
    running: BTreeMap<JobId, RunningJob>,
    occupied: u64,
    limits: LimitsSeen,
    index: FeatureIndex,
    room: Room,
    /// The latest time that was told.
    now: Time,
}

impl SiteState {
    /// Nobody.
    pub fn new(machine: Machine) -> Self {
        Self {
            machine,
            waiting: BTreeMap::new(),
            running: BTreeMap::new(),
            occupied: 0,
            limits: LimitsSeen::default(),
            index: FeatureIndex::default(),
            room: Room::default(),
            now: Time(i64::MIN),
        }
    }

    /// A job was submitted. One that waits under the same handle is forgotten.
    pub fn arrive(&mut self, job: &Submission) {
        let arrived = WaitingJob { submission: *job, estimate: self.limits.estimate(job) };
        self.limits.note(job);
        if let Some(replaced) = self.waiting.insert(job.job, arrived) {
            self.index.dequeue(replaced.demand());
        }
        self.index.queue(arrived.demand());
    }

    /// A waiting job started. One that runs under the same handle is forgotten.
    pub fn start(&mut self, job: JobId, now: Time) {
        if let Some(waited) = self.waiting.remove(&job) {
            self.end(job);
            self.index.dequeue(waited.demand());
            self.index.run(job, waited.demand(), now);
            self.occupied += u64::from(waited.submission.request.processors);
            self.now = self.now.max(now);
            self.room.set(self.occupied, self.now);
            let WaitingJob { submission, estimate } = waited;
            self.running.insert(job, RunningJob { submission, started: now, estimate });
        }
    }

    /// A running job ended.
    pub fn end(&mut self, job: JobId) {
        if let Some(running) = self.running.remove(&job) {
            self.index.finish(job, running.demand(), running.started);
            self.occupied -= u64::from(running.submission.request.processors);
            self.room.set(self.occupied, self.now);
        }
    }

    /// A waiting job left without having started.
    pub fn withdraw(&mut self, job: JobId) {
        if let Some(waited) = self.waiting.remove(&job) {
            self.index.dequeue(waited.demand());
        }
    }

    /// Work that waits and work that is left of what runs, in processor-seconds by the jobs' limits.
    pub fn work(&self, now: Time) -> f64 {
        self.index.work(now)
    }

    /// Time has passed. An end is taken to be at the latest time told. Never needed for what the features are, only for how quickly they are found: a
    /// question looks at every running job that has outlived its estimate since the last call or start.
    pub fn advance(&mut self, now: Time) {
        self.now = self.now.max(now);
        self.index.advance(now);
    }

    /// Since when there has been room for whom.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// The features of a job that is about to arrive. Time does not turn back: an earlier `now` than the last start or
    /// [`Self::advance`] counts as that. Takes microseconds however many jobs there are.
    pub fn features(&self, job: &Submission, now: Time) -> Features {
        let demand = Demand { processors: job.request.processors, estimate: self.estimate(job) };
        self.index.features(demand, self.occupied, now)
    }

    /// How long a job that is about to arrive would be reckoned to run: its limit or, if it has none, the mean of all
    /// limits so far (a day where there were none).
    pub fn estimate(&self, job: &Submission) -> Seconds {
        self.limits.estimate(job)
    }

    /// The machine.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// Who waits, in order of arrival.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Submission> {
        self.waiting.values().map(|job| &job.submission)
    }

    /// Whether a job waits.
    pub fn is_waiting(&self, job: JobId) -> bool {
        self.waiting.contains_key(&job)
    }

    /// Who runs, in order of arrival.
    pub fn running(&self) -> impl ExactSizeIterator<Item = &RunningJob> {
        self.running.values()
    }

    /// Processors that are held. In a log there may be more of them than the header says the machine has.
    pub fn occupied_processors(&self) -> u64 {
        self.occupied
    }

    /// What those who wait ask for, for the tests that add it up by hand.
    #[cfg(test)]
    pub(crate) fn waiting_demands(&self) -> impl Iterator<Item = Demand> {
        self.waiting.values().map(WaitingJob::demand)
    }
}

impl WaitingJob {
    fn demand(&self) -> Demand {
        Demand { processors: self.submission.request.processors, estimate: self.estimate }
    }
}

impl RunningJob {
    fn demand(&self) -> Demand {
        Demand { processors: self.submission.request.processors, estimate: self.estimate }
    }
}
