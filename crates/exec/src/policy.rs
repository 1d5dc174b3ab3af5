//! A program that says who starts.
//!
//! For: `simulate --policy exec:`. It hears of jobs with their planned run times, of ends and of new plans, as our own schedulers do, and is
//! asked in every pass who starts now. Whom it may start is checked here: who waits, and fits.
//!
//! Not for: lines and pipes (`message`, `conversation`); playing the future, for which a scheduler must be a value.

use std::collections::BTreeMap;

use queuecast_schedule::{Decisions, ForeignPolicy, JobKey, PlannedJob, Scheduler, SchedulerSource, Start};
use queuecast_workload::{Machine, Seconds, Time};
use rustc_hash::FxHashMap;

use crate::conversation::Conversation;
use crate::failure::leave;
use crate::message::{Event, Kind, StartsAnswer};
use crate::program::Program;

/// A policy that is a program, started once for each replay.
#[derive(Clone, Debug)]
pub struct ProgramPolicy(Program);

impl ProgramPolicy {
    /// This program.
    pub fn new(program: Program) -> Self {
        Self(program)
    }

    /// As policies are named.
    pub fn into_foreign(self) -> ForeignPolicy {
        ForeignPolicy::new(self)
    }
}

impl SchedulerSource for ProgramPolicy {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn scheduler(&self, machine: Machine) -> Box<dyn Scheduler> {
        let begun = Conversation::begin(&self.0, Kind::Policy, Some(machine.processors));
        Box::new(ProgramScheduler {
            conversation: begun.unwrap_or_else(|failure| leave(failure)),
            jobs: Jobs::of(machine),
            appointment: None,
        })
    }
}

struct ProgramScheduler {
    conversation: Conversation,
    jobs: Jobs,
    /// When it wants to be asked again although nothing happens.
    appointment: Option<Time>,
}

/// Who waits and runs. Keys are used again after an end; a program is told numbers that are not.
struct Jobs {
    machine: Machine,
    free: u32,
    arrived: u64,
    numbers: FxHashMap<JobKey, u64>,
    waiting: BTreeMap<u64, (JobKey, u32)>,
    running: FxHashMap<JobKey, u32>,
}

impl Jobs {
    fn of(machine: Machine) -> Self {
        Self {
            machine,
            free: machine.processors,
            arrived: 0,
            numbers: FxHashMap::default(),
            waiting: BTreeMap::new(),
            running: FxHashMap::default(),
        }
    }

    fn number(&self, key: JobKey) -> u64 {
        *self.numbers.get(&key).expect("a job that was submitted and has not ended")
    }

    /// Starts those who are named, or says why not. Who is passed is known when all have started: in one second nobody is first.
    fn start(&mut self, answer: &StartsAnswer, now: Time, decisions: &mut Decisions) -> Result<Option<Time>, String> {
        let mut started = Vec::with_capacity(answer.starts.len());
        for number in &answer.starts {
            let Some((key, processors)) = self.waiting.remove(number) else {
                return Err(format!("job {number} is not pending"));
            };
            if processors > self.free {
                return Err(format!("job {number} requests {processors} processors, but {} are free", self.free));
            }
            self.free -= processors;
            self.running.insert(key, processors);
            started.push((*number, key));
        }
        let first = self.waiting.keys().next().copied();
        let start = |(number, key)| Start { key, backfilled: first.is_some_and(|first| first < number) };
        decisions.starts.extend(started.into_iter().map(start));
        match answer.again_at_seconds.map(Time) {
            Some(again) if again <= now || again > Time::MAX => {
                Err(format!("again_at_seconds is {}; expected a time after the current time, {}", again.0, now.0))
            }
            None if self.running.is_empty() && !self.waiting.is_empty() => Err(format!(
                "no job is running or started, but {} jobs wait for {} processors; start a job, or set again_at_seconds",
                self.waiting.len(),
                self.machine.processors
            )),
            again => Ok(again),
        }
    }
}

impl ProgramScheduler {
    fn tell(&mut self, event: &Event) {
        self.conversation.tell(event).unwrap_or_else(|failure| leave(failure));
    }
}

impl Scheduler for ProgramScheduler {
    fn submit(&mut self, job: PlannedJob, now: Time) {
        let number = self.jobs.arrived;
        self.jobs.arrived += 1;
        self.jobs.numbers.insert(job.key, number);
        self.jobs.waiting.insert(number, (job.key, job.request.processors));
        self.tell(&Event::planned(number, &job, now));
    }

    fn end(&mut self, key: JobKey, now: Time) {
        self.jobs.free += self.jobs.running.remove(&key).unwrap_or(0);
        let job = self.jobs.number(key);
        self.tell(&Event::Freed { time_seconds: now, job });
    }

    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time) {
        let job = self.jobs.number(key);
        self.tell(&Event::Plan { time_seconds: now, job, planned_seconds: planned });
    }

    fn withdraw(&mut self, key: JobKey, now: Time) {
        let job = self.jobs.number(key);
        self.jobs.waiting.remove(&job);
        self.tell(&Event::Withdrawal { time_seconds: Some(now), job });
    }

    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        let Self { conversation, jobs, appointment } = self;
        if jobs.waiting.is_empty() {
            *appointment = None;
            return;
        }
        let event = Event::Pass { time_seconds: now };
        let answered = conversation.ask(&event, |answer: StartsAnswer| jobs.start(&answer, now, decisions));
        *appointment = answered.unwrap_or_else(|failure| leave(failure));
    }

    fn next_appointment(&self) -> Option<Time> {
        self.appointment
    }

    fn waiting(&self) -> usize {
        self.jobs.waiting.len()
    }
}
