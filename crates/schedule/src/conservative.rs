//! Conservative backfilling: every job holds a reservation from its arrival on, and no reservation is put off as
//! long as plans are upper bounds.
//!
//! When processors come free early, the waiting jobs are offered, in order of arrival, the earliest start that the
//! other reservations leave (compression). One round is not always a fixed point: a job moved late in the round
//! may leave a hole for one before it, which the next round finds. This follows pyss, whose mean wait on KTH is
//! one of the goldens. Plans that turn out too short break the promise; at the next pass all reservations are then made
//! anew in order of arrival.

use queuecast_workload::{Machine, Seconds, Time};

use crate::{AvailabilityProfile, Decisions, JobKey, PlannedJob, PromisedStart, Scheduler, Start};

/// Conservative backfilling.
#[derive(Clone, Debug)]
pub struct Conservative {
    processors: u32,
    /// By key: what is known of each job in the system.
    jobs: Vec<Option<Job>>,
    /// In order of arrival; those from `reserved` on have no reservation yet.
    queue: Vec<JobKey>,
    reserved: usize,
    profile: AvailabilityProfile,
    /// What the next pass has to do with the reservations before it can start anyone.
    upkeep: Upkeep,
    /// Whether the last round of compression moved anyone.
    moved: bool,
    /// The earliest reserved start.
    appointment: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Upkeep {
    Nothing,
    /// A job ended: others may move forward.
    Compress,
    /// A plan changed: reservations may contradict each other.
    Rebuild,
}

#[derive(Clone, Copy, Debug)]
struct Job {
    planned: PlannedJob,
    /// The reserved start, once it has one; the start, once it runs.
    start: Option<Time>,
    running: bool,
}

impl Conservative {
    /// An empty machine and an empty queue.
    pub fn new(machine: Machine) -> Self {
        Self {
            processors: machine.processors,
            jobs: Vec::new(),
            queue: Vec::new(),
            reserved: 0,
            profile: AvailabilityProfile::new(machine.processors, Time(i64::MIN)),
            upkeep: Upkeep::Nothing,
            moved: false,
            appointment: None,
        }
    }

    fn job(&mut self, key: JobKey) -> &mut Job {
        self.jobs[key.index()].as_mut().expect("the job is in the system")
    }

    /// Gives the job the earliest start the profile has.
    fn reserve(&mut self, key: JobKey) -> Time {
        let PlannedJob { request, planned, .. } = self.job(key).planned;
        let start = self.profile.earliest(request.processors, planned);
        self.profile.reserve(start, planned, request.processors);
        self.job(key).start = Some(start);
        start
    }

    fn compress(&mut self) {
        self.moved = false;
        for index in 0..self.reserved {
            let key = self.queue[index];
            let Job { planned: job, start, .. } = *self.job(key);
            let start = start.expect("jobs before `reserved` have a reservation");
            self.profile.release(start, job.planned, job.request.processors);
            self.moved |= self.reserve(key) != start;
        }
    }

    fn rebuild(&mut self, now: Time) {
        self.profile.reset(self.processors, now);
        for job in self.jobs.iter().flatten().filter(|job| job.running) {
            let start = job.start.expect("a running job has started");
            self.profile.reserve(start, job.planned.planned, job.planned.request.processors);
        }
        for index in 0..self.reserved {
            self.reserve(self.queue[index]);
        }
        self.moved = true;
    }

    fn reserve_for_newcomers(&mut self, decisions: &mut Decisions) {
        for index in self.reserved..self.queue.len() {
            let key = self.queue[index];
            let start = self.reserve(key);
            decisions.promised_starts.push(PromisedStart { key, start });
        }
        self.reserved = self.queue.len();
    }

    fn start_due(&mut self, now: Time, decisions: &mut Decisions) {
        let mut overtakes = false;
        let mut appointment: Option<Time> = None;
        let jobs = &mut self.jobs;
        self.queue.retain(|&key| {
            let job = jobs[key.index()].as_mut().expect("a queued job is in the system");
            let start = job.start.expect("every queued job has a reservation by now");
            if start > now {
                overtakes = true;
                appointment = Some(appointment.map_or(start, |earliest| earliest.min(start)));
                return true;
            }
            job.running = true;
            job.start = Some(now);
            decisions.starts.push(Start { key, backfilled: overtakes });
            false
        });
        self.reserved = self.queue.len();
        self.appointment = appointment;
    }
}

impl Scheduler for Conservative {
    fn submit(&mut self, job: PlannedJob, _now: Time) {
        let index = job.key.index();
        if index >= self.jobs.len() {
            self.jobs.resize(index + 1, None);
        }
        debug_assert!(self.jobs[index].is_none(), "the key {index} is in use");
        self.jobs[index] = Some(Job { planned: job, start: None, running: false });
        self.queue.push(job.key);
    }

    fn end(&mut self, key: JobKey, now: Time) {
        let Job { planned: job, start, .. } = self.jobs[key.index()].take().expect("the job is in the system");
        let start = start.expect("a job that ended has started");
        let planned_end = start + job.planned;
        if planned_end > now {
            self.profile.advance(now);
            self.profile.release(now, planned_end - now, job.request.processors);
        }
        if planned_end > now || self.moved {
            self.upkeep = self.upkeep.max(Upkeep::Compress);
        }
    }

    fn replan(&mut self, key: JobKey, planned: Seconds, _now: Time) {
        self.job(key).planned.planned = planned;
        let untold = !self.job(key).running && self.job(key).start.is_none();
        if !untold {
            self.upkeep = Upkeep::Rebuild;
        }
    }

    fn withdraw(&mut self, key: JobKey, _now: Time) {
        let job = self.jobs[key.index()].take().expect("the job is in the system");
        debug_assert!(!job.running, "{key:?} is not waiting");
        if let Some(place) = self.queue.iter().position(|waiting| *waiting == key) {
            self.queue.remove(place);
            if place < self.reserved {
                self.reserved -= 1;
                // Who was promised a start because of it may now have an earlier one.
                self.upkeep = Upkeep::Rebuild;
            }
        }
    }

    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        self.profile.advance(now);
        match std::mem::replace(&mut self.upkeep, Upkeep::Nothing) {
            Upkeep::Nothing => {}
            Upkeep::Compress => self.compress(),
            Upkeep::Rebuild => self.rebuild(now),
        }
        self.reserve_for_newcomers(decisions);
        self.start_due(now, decisions);
    }

    fn next_appointment(&self) -> Option<Time> {
        self.appointment
    }

    fn waiting(&self) -> usize {
        self.queue.len()
    }
}
