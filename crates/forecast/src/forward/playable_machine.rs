//! The site at this second, as flat tables that the players read.
//!
//! Not for: run times. A situation holds what the scheduler knows; draws come with each future.
//!
//! Jobs stand in one table: those who wait in order of arrival, then the job asked about, then those who run. Requests
//! beyond the machine, which logs hold, count as the whole machine, for else such a job would block the queue for ever.

use queuecast_predict::Correction;
use queuecast_simulate::Overrun;
use queuecast_workload::{Seconds, Submission, Time};

use crate::forward::planner::{Plan, Planner};
use crate::forward::samplers::Prospect;
use crate::state::SiteState;

/// A job as the scheduler knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedJob {
    /// What it asks for, at most the machine.
    pub processors: u32,
    /// Its limit, if it has one.
    pub limit: Option<Seconds>,
    /// When it was submitted.
    pub submitted: Time,
    /// What the scheduler plans.
    pub plan: Plan,
    /// When it started, if it has.
    pub started: Option<Time>,
}

/// The site at this second. Made once and taken anew for every forecast, so that its memory is reused.
#[derive(Clone, Debug)]
pub struct PlayableMachine {
    pub(crate) now: Time,
    pub(crate) processors: u32,
    /// Below zero where a log has more processors in use than the machine has.
    pub(crate) free: i64,
    pub(crate) correction: Correction,
    pub(crate) overrun: Overrun,
    /// Where the job asked about stands; those before it wait, those after it run.
    pub(crate) target: usize,
    pub(crate) jobs: Vec<PlayedJob>,
    /// Those who wait and stand behind the job asked about, in order: they come in this second.
    pub(crate) behind: Vec<PlayedJob>,
    prospects: Vec<Prospect>,
}

impl PlayableMachine {
    /// An empty machine. `overrun` says whether jobs are killed at their limits.
    pub fn new(overrun: Overrun) -> Self {
        Self {
            now: Time(0),
            processors: 0,
            free: 0,
            correction: Correction::Steps,
            overrun,
            target: 0,
            jobs: Vec::new(),
            behind: Vec::new(),
            prospects: Vec::new(),
        }
    }

    /// Takes in what the site looks like as `job` is about to arrive, behind all who wait.
    pub fn take(&mut self, job: &Submission, state: &SiteState, now: Time, planner: &impl Planner) {
        self.take_in_order(state.waiting(), job, std::iter::empty(), state, now, planner);
    }

    /// The same with these before it and those behind it. Who waits and is neither is not played.
    pub fn take_in_order<'a>(
        &mut self,
        before: impl Iterator<Item = &'a Submission>,
        job: &Submission,
        behind: impl Iterator<Item = &'a Submission>,
        state: &SiteState,
        now: Time,
        planner: &impl Planner,
    ) {
        self.now = now;
        self.processors = state.machine().processors;
        self.correction = planner.correction();
        self.jobs.clear();
        self.prospects.clear();
        for submission in before {
            self.add(submission, None, planner);
        }
        self.target = self.jobs.len();
        self.add(job, None, planner);
        for running in state.running() {
            self.add(&running.submission, Some(running.started), planner);
        }
        let held: i64 = self.jobs[self.target + 1..].iter().map(|job| i64::from(job.processors)).sum();
        self.free = i64::from(self.processors) - held;
        self.behind.clear();
        for submission in behind {
            self.add(submission, None, planner);
            self.behind.extend(self.jobs.pop());
        }
    }

    fn add(&mut self, submission: &Submission, started: Option<Time>, planner: &impl Planner) {
        let age = started.map(|started| self.now - started);
        self.jobs.push(PlayedJob {
            processors: submission.request.processors.min(self.processors),
            limit: submission.limit,
            submitted: submission.submitted,
            plan: planner.plan(submission, age),
            started,
        });
        self.prospects.push(Prospect { submission: *submission, age });
    }

    /// Everybody, for whoever draws run times: those who wait, the job asked about, those who run, those behind it.
    pub fn prospects(&self) -> &[Prospect] {
        &self.prospects
    }

    /// What a draw comes to: the future holds no job that has ended already, and with kills none beyond its limit. A
    /// job that has passed its limit all the same ends in the next second.
    pub(crate) fn sound_run(&self, job: &PlayedJob, age: Seconds, drawn: Seconds) -> Seconds {
        let longest = match self.overrun {
            Overrun::Kill => job.limit.unwrap_or(Seconds::MAX),
            Overrun::RunOn => Seconds::MAX,
        };
        drawn.min(longest).max(age + Seconds(1))
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Machine};

    use super::*;
    use crate::forward::planner::LimitPlanner;
    use queuecast_testkit::submission;

    #[test]
    fn a_job_at_its_limit_ends_in_the_next_second_unless_it_may_run_on() {
        let mut state = SiteState::new(Machine { processors: 4 });
        state.arrive(&submission(0, 0, 4, Some(100)));
        state.start(JobId(0), Time(0));
        for (overrun, expected) in [(Overrun::Kill, 121), (Overrun::RunOn, 500)] {
            let mut situation = PlayableMachine::new(overrun);
            situation.take(&submission(1, 120, 9, Some(10)), &state, Time(120), &LimitPlanner);
            let running = situation.jobs[1];
            assert_eq!(running.plan.planned, Seconds(160), "raised by a step");
            assert_eq!(situation.sound_run(&running, Seconds(120), Seconds(500)), Seconds(expected));
            assert_eq!(situation.jobs[0].processors, 4, "more than the machine counts as the machine");
        }
    }
}
