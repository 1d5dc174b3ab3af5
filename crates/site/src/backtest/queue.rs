//! Who waits and who runs, as time goes on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use queuecast_forecast::forward::{Prospect, RuntimeSampler};
use queuecast_forecast::queue::{PlayableQueue, RunningHere, WaitingHere};
use queuecast_schedule::slurm::Demand;
use queuecast_workload::{Seconds, Time};

use super::past_job::PastJob;
use super::seen_machine::SeenMachine;

/// How long a job without a limit is planned to run.
const WITHOUT_LIMIT: Seconds = Seconds(365 * 86_400);

/// The queue and what runs. Jobs that ask for more than there is are not in it.
pub struct Queue<'a> {
    jobs: &'a [PastJob],
    machine: &'a SeenMachine,
    /// By priority, then by arrival.
    waiting: BTreeMap<(Reverse<u32>, u32), Demand>,
    running: BTreeSet<u32>,
}

impl<'a> Queue<'a> {
    pub fn new(jobs: &'a [PastJob], machine: &'a SeenMachine) -> Self {
        Self { jobs, machine, waiting: BTreeMap::new(), running: BTreeSet::new() }
    }

    pub fn arrived(&mut self, place: u32) {
        if let Some(demand) = self.machine.demand(&self.jobs[place as usize]) {
            self.waiting.insert(self.key(place), demand);
        }
    }

    pub fn left(&mut self, place: u32) {
        self.waiting.remove(&self.key(place));
    }

    pub fn started(&mut self, place: u32) {
        self.left(place);
        self.running.insert(place);
    }

    pub fn ended(&mut self, place: u32) {
        self.running.remove(&place);
    }

    fn key(&self, place: u32) -> (Reverse<u32>, u32) {
        (Reverse(self.jobs[place as usize].priority), place)
    }

    /// As the model takes it, with the places of those who wait, in its order.
    pub fn situation(&self, now: Time) -> (PlayableQueue, Vec<u32>) {
        let places: Vec<u32> = self.waiting.keys().map(|(_, place)| *place).collect();
        let waiting = self.waiting.iter().map(|((_, place), demand)| {
            let job = &self.jobs[*place as usize];
            WaitingHere::new(job.submission(*place), demand.clone(), job.limit().unwrap_or(WITHOUT_LIMIT))
        });
        let running = self.running.iter().map(|place| {
            let job = &self.jobs[*place as usize];
            let planned_end = job.started() + job.limit().unwrap_or(WITHOUT_LIMIT);
            let holds = vec![(u32::from(self.machine.pool(job)), job.held.amount())];
            RunningHere::new(job.submission(*place), job.started(), planned_end, holds)
        });
        let situation = PlayableQueue::new(now, self.machine.cluster(), waiting.collect(), running.collect());
        (situation, places)
    }
}

/// Every job runs to its limit: what Slurm plans with.
#[derive(Default)]
pub struct ToTheLimit(Vec<Seconds>);

impl RuntimeSampler for ToTheLimit {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.0 = prospects.iter().map(|prospect| prospect.submission.limit.unwrap_or(WITHOUT_LIMIT)).collect();
    }

    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.0[place]
    }
}
