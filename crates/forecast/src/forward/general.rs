//! Any policy, played forward through its own scheduler.
//!
//! For: policies without a player of their own. The scheduler is built from the situation by telling it of every
//! running job at its start and of every waiting one now, and cloned for every future.
//!
//! Not for: speed; a clone allocates. Under conservative backfilling the reservations that waiting jobs hold are not on
//! record and are made anew in order of arrival, which can differ from what compression has left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_schedule::{AnyScheduler, Decisions, JobKey, PlannedJob, PolicySpecification, Scheduler};
use queuecast_workload::{Machine, Request, Seconds, Time};

use crate::forward::arrivals::SampledArrival;
use crate::forward::futures::JobDraws;
use crate::forward::planner::Plan;
use crate::forward::playable_machine::{PlayableMachine, PlayedJob};

/// Plays a policy through its scheduler.
#[derive(Debug)]
pub(crate) struct GeneralPlayer {
    policy: PolicySpecification,
    /// After the pass at the second of the forecast.
    base: Option<AnyScheduler>,
    /// The jobs by key, which is the order in which the scheduler was told of them, with their places.
    jobs: Vec<(PlayedJob, usize)>,
    played: Vec<(PlayedJob, usize)>,
    decisions: Decisions,
    ends: BinaryHeap<Reverse<(Time, u32)>>,
    outlived: BinaryHeap<Reverse<(Time, u32)>>,
    /// By key, in the future being played; zero while it waits.
    runs: Vec<Seconds>,
}

fn key_of(index: usize) -> JobKey {
    JobKey(u32::try_from(index).expect("fewer than 2^32 jobs are in the system"))
}

impl GeneralPlayer {
    pub fn new(policy: PolicySpecification) -> Self {
        Self {
            policy,
            base: None,
            jobs: Vec::new(),
            played: Vec::new(),
            decisions: Decisions::default(),
            ends: BinaryHeap::new(),
            outlived: BinaryHeap::new(),
            runs: Vec::new(),
        }
    }

    pub fn prepare(&mut self, situation: &PlayableMachine) -> bool {
        let (waiting, running) = situation.jobs.split_at(situation.target + 1);
        self.jobs.clear();
        let places = situation.target + 1..;
        self.jobs.extend(running.iter().copied().zip(places));
        self.jobs.sort_by_key(|(job, _)| job.started);
        self.jobs.extend(waiting.iter().copied().zip(0..));
        // A log may have more in use than the machine has, which no scheduler believes.
        let missing = u32::try_from(-situation.free.min(0)).unwrap_or(u32::MAX);
        let machine = Machine { processors: situation.processors.saturating_add(missing) };
        let mut scheduler = self.policy.build(machine);
        for index in 0..self.jobs.len() {
            let (job, _) = self.jobs[index];
            let planned = PlannedJob {
                key: key_of(index),
                submitted: job.submitted,
                request: Request { processors: job.processors },
                planned: job.plan.planned,
            };
            let time = job.started.unwrap_or(situation.now);
            scheduler.submit(planned, time);
            if job.started.is_some() {
                // Alone before a machine that holds it: it starts.
                self.decisions.clear();
                scheduler.pass(time, &mut self.decisions);
            }
        }
        self.decisions.clear();
        scheduler.pass(situation.now, &mut self.decisions);
        let mut at_once = false;
        for start in &self.decisions.starts {
            let (job, place) = &mut self.jobs[start.key.0 as usize];
            job.started = Some(situation.now);
            at_once |= *place == situation.target;
        }
        self.base = Some(scheduler);
        at_once
    }

    pub fn play(
        &mut self,
        situation: &PlayableMachine,
        arrivals: &[SampledArrival],
        draws: &mut impl JobDraws,
    ) -> Time {
        let Some(mut scheduler) = self.base.clone() else { return situation.now };
        self.played.clone_from(&self.jobs);
        self.ends.clear();
        self.outlived.clear();
        self.runs.clear();
        self.runs.resize(self.jobs.len(), Seconds::ZERO);
        for index in 0..self.played.len() {
            let (job, place) = self.played[index];
            if let Some(started) = job.started {
                let run = situation.sound_run(&job, situation.now - started, draws.run(place));
                self.runs_for(index, started, run);
            }
        }
        let mut arrived = 0;
        let mut now = situation.now;
        loop {
            let next = [
                self.ends.peek().map(|Reverse((time, _))| *time),
                self.outlived.peek().map(|Reverse((time, _))| *time),
                arrivals.get(arrived).map(|arrival| arrival.arrives),
                scheduler.next_appointment(),
            ];
            let Some(next) = next.into_iter().flatten().min() else {
                debug_assert!(false, "the machine holds every job once empty");
                return now;
            };
            now = next.max(now);
            let mut pass_due = scheduler.next_appointment().is_some_and(|appointment| appointment <= now);
            while let Some(Reverse((_, key))) = self.ends.peek().copied().filter(|Reverse((time, _))| *time <= now) {
                self.ends.pop();
                scheduler.end(JobKey(key), now);
                pass_due = true;
            }
            self.raise_outlived(situation, &mut scheduler, now);
            while let Some(arrival) = arrivals.get(arrived).filter(|arrival| arrival.arrives <= now) {
                let request = Request { processors: arrival.processors.min(situation.processors) };
                let (key, planned) = (key_of(self.played.len()), arrival.planned);
                scheduler.submit(PlannedJob { key, submitted: now, request, planned }, now);
                let job = PlayedJob {
                    processors: request.processors,
                    limit: arrival.limit,
                    submitted: now,
                    plan: Plan { first: planned, planned, misses: 0 },
                    started: None,
                };
                self.played.push((job, situation.jobs.len() + arrived));
                self.runs.push(Seconds::ZERO);
                arrived += 1;
                pass_due = true;
            }
            if pass_due && self.pass(situation, arrivals, &mut scheduler, now, draws) {
                return now;
            }
        }
    }

    /// Notes when a job that has just started, or runs already, will end and whether it will outlive its plan.
    fn runs_for(&mut self, index: usize, started: Time, run: Seconds) {
        let key = key_of(index).0;
        self.runs[index] = run;
        self.ends.push(Reverse((started + run, key)));
        let planned = self.played[index].0.plan.planned;
        if planned < run {
            self.outlived.push(Reverse((started + planned, key)));
        }
    }

    fn raise_outlived(&mut self, situation: &PlayableMachine, scheduler: &mut AnyScheduler, now: Time) {
        while let Some(Reverse((_, key))) = self.outlived.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            self.outlived.pop();
            let (job, _) = &mut self.played[key as usize];
            let Some(started) = job.started else { continue };
            job.plan.outlive(now - started, situation.correction, job.limit);
            let planned = job.plan.planned;
            scheduler.replan(JobKey(key), planned, now);
            if planned < self.runs[key as usize] {
                self.outlived.push(Reverse((started + planned, key)));
            }
        }
    }

    /// True if the job asked about started.
    fn pass(
        &mut self,
        situation: &PlayableMachine,
        arrivals: &[SampledArrival],
        scheduler: &mut AnyScheduler,
        now: Time,
        draws: &mut impl JobDraws,
    ) -> bool {
        self.decisions.clear();
        scheduler.pass(now, &mut self.decisions);
        let mut target_started = false;
        for number in 0..self.decisions.starts.len() {
            let index = self.decisions.starts[number].key.0 as usize;
            self.played[index].0.started = Some(now);
            let (job, place) = self.played[index];
            if place == situation.target {
                target_started = true;
                continue;
            }
            let run = match place.checked_sub(situation.jobs.len()) {
                Some(arrival) => arrivals[arrival].run,
                None => draws.run(place),
            };
            self.runs_for(index, now, situation.sound_run(&job, Seconds::ZERO, run));
        }
        target_started
    }

    /// When the jobs of the situation started in the future played last, so far as it went.
    #[cfg(test)]
    pub fn starts(&self) -> Vec<Option<Time>> {
        let mut starts = vec![None; self.played.len()];
        for (job, place) in &self.played {
            starts[*place] = job.started;
        }
        starts
    }
}
