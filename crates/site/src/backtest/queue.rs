//! Who waits and who runs, as time goes on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use queuecast_forecast::forward::{Prospect, RuntimeSampler};
use queuecast_forecast::queue::{PlayableQueue, RunningHere, WaitingHere};
use queuecast_forecast::{Room, stuck};
use queuecast_schedule::slurm::Demand;
use queuecast_workload::{JobId, Seconds, Submission, Time};
use rustc_hash::FxHashSet;

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
    /// By pool: how many processors are in use, and since when others have been free.
    in_use: Vec<u64>,
    rooms: Vec<Room>,
}

impl<'a> Queue<'a> {
    pub fn new(jobs: &'a [PastJob], machine: &'a SeenMachine) -> Self {
        let pools = machine.pools.len();
        Self {
            jobs,
            machine,
            waiting: BTreeMap::new(),
            running: BTreeSet::new(),
            in_use: vec![0; pools],
            rooms: vec![Room::default(); pools],
        }
    }

    pub fn arrived(&mut self, place: u32) {
        if let Some(demand) = self.machine.demand(&self.jobs[place as usize]) {
            self.waiting.insert(self.key(place), demand);
        }
    }

    pub fn left(&mut self, place: u32) {
        self.waiting.remove(&self.key(place));
    }

    pub fn started(&mut self, place: u32, now: Time) {
        self.left(place);
        if self.running.insert(place) {
            self.use_changes(place, now, |in_use, held| in_use + held);
        }
    }

    pub fn ended(&mut self, place: u32, now: Time) {
        if self.running.remove(&place) {
            self.use_changes(place, now, u64::saturating_sub);
        }
    }

    fn use_changes(&mut self, place: u32, now: Time, change: impl Fn(u64, u64) -> u64) {
        let job = &self.jobs[place as usize];
        let pool = usize::from(self.machine.pool(job));
        if let (Some(in_use), Some(room)) = (self.in_use.get_mut(pool), self.rooms.get_mut(pool)) {
            *in_use = change(*in_use, u64::from(job.held.processors));
            room.set(*in_use, now);
        }
    }

    /// Who of those who wait, in this order, fits and does not start: held by something the history does not tell.
    pub fn stuck(&self, in_order: &[Submission], now: Time) -> FxHashSet<JobId> {
        let pool = |job: &Submission| {
            usize::try_from(job.job.0).ok().and_then(|place| self.jobs.get(place)).map(|job| self.machine.pool(job))
        };
        let of_pool =
            |(number, room): (u8, &Room)| stuck(in_order.iter().filter(|job| pool(job) == Some(number)), room, now);
        (0_u8..).zip(&self.rooms).flat_map(of_pool).collect()
    }

    fn key(&self, place: u32) -> (Reverse<u32>, u32) {
        (Reverse(self.jobs[place as usize].priority), place)
    }

    /// Whether the history says who goes first.
    pub fn are_priorities_known(&self) -> bool {
        let mut priorities = self.jobs.iter().map(|job| job.priority);
        let first = priorities.next();
        priorities.any(|priority| Some(priority) != first)
    }

    /// Who waits, by who goes first.
    pub fn waiting(&self) -> Vec<Submission> {
        self.waiting.keys().map(|(_, place)| self.jobs[*place as usize].submission(*place)).collect()
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
