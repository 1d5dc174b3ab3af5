//! Policies that this crate does not know: somebody else's, who brings a name and makes schedulers.
//!
//! For: policies that are no part of this workspace, such as a program of a user's own (`queuecast-exec`).
//!
//! Not for: playing the future. Such a scheduler is no value that could be copied, so it stands beside
//! [`PolicySpecification`](crate::PolicySpecification) and not in it.

use std::fmt;
use std::panic::RefUnwindSafe;
use std::sync::Arc;

use queuecast_workload::Machine;

use crate::Scheduler;

/// Makes schedulers of one policy.
pub trait SchedulerSource: fmt::Debug + RefUnwindSafe + Send + Sync {
    /// What it is called on the command line and in results. Two of one name are the same.
    fn name(&self) -> &str;

    /// One more scheduler, for an empty machine.
    fn scheduler(&self, machine: Machine) -> Box<dyn Scheduler>;
}

/// A policy from elsewhere, known by its name.
#[derive(Clone, Debug)]
pub struct ForeignPolicy(Arc<dyn SchedulerSource>);

impl ForeignPolicy {
    /// Schedulers from here.
    pub fn new(source: impl SchedulerSource + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// A scheduler of this policy for an empty machine.
    pub fn build(&self, machine: Machine) -> Box<dyn Scheduler> {
        self.0.scheduler(machine)
    }
}

impl PartialEq for ForeignPolicy {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for ForeignPolicy {}

impl fmt::Display for ForeignPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}
