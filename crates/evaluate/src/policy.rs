//! Who starts when, in a replay: one of our policies, or one from elsewhere.
//!
//! Not for: whoever plays the future, which only our own policies can (`queuecast-forecast`).

use std::fmt;

use queuecast_schedule::{AnyScheduler, Decisions, ForeignPolicy, JobKey, PlannedJob, PolicySpecification, Scheduler};
use queuecast_workload::{Machine, Seconds, Time};

/// A policy that a log can be replayed under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayPolicy {
    /// One of ours.
    Ours(PolicySpecification),
    /// Somebody else's.
    Foreign(ForeignPolicy),
}

impl ReplayPolicy {
    /// A scheduler of this policy for an empty machine.
    pub fn build(&self, machine: Machine) -> ReplayScheduler {
        match self {
            Self::Ours(policy) => ReplayScheduler::Ours(policy.build(machine)),
            Self::Foreign(policy) => ReplayScheduler::Foreign(policy.build(machine)),
        }
    }
}

impl From<PolicySpecification> for ReplayPolicy {
    fn from(policy: PolicySpecification) -> Self {
        Self::Ours(policy)
    }
}

impl fmt::Display for ReplayPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(policy) => policy.fmt(f),
            Self::Foreign(policy) => policy.fmt(f),
        }
    }
}

/// A scheduler of a [`ReplayPolicy`].
#[expect(clippy::large_enum_variant, reason = "there is one to a replay, and it is called in the innermost loop")]
pub enum ReplayScheduler {
    /// One of ours.
    Ours(AnyScheduler),
    /// Somebody else's.
    Foreign(Box<dyn Scheduler>),
}

macro_rules! whichever {
    ($self:ident, $scheduler:ident => $call:expr) => {
        match $self {
            ReplayScheduler::Ours($scheduler) => $call,
            ReplayScheduler::Foreign($scheduler) => $call,
        }
    };
}

impl Scheduler for ReplayScheduler {
    fn submit(&mut self, job: PlannedJob, now: Time) {
        whichever!(self, scheduler => scheduler.submit(job, now));
    }
    fn end(&mut self, key: JobKey, now: Time) {
        whichever!(self, scheduler => scheduler.end(key, now));
    }
    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time) {
        whichever!(self, scheduler => scheduler.replan(key, planned, now));
    }
    fn withdraw(&mut self, key: JobKey, now: Time) {
        whichever!(self, scheduler => scheduler.withdraw(key, now));
    }
    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        whichever!(self, scheduler => scheduler.pass(now, decisions));
    }
    fn submission_matters(&mut self, key: JobKey, now: Time) -> bool {
        whichever!(self, scheduler => scheduler.submission_matters(key, now))
    }
    fn next_appointment(&self) -> Option<Time> {
        whichever!(self, scheduler => scheduler.next_appointment())
    }
    fn waiting(&self) -> usize {
        whichever!(self, scheduler => scheduler.waiting())
    }
}
