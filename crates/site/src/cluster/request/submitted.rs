//! How many jobs are submitted now, waiting and running, by whose limits count them (`MaxSubmitJobs`, `GrpSubmitJobs`).
//!
//! Tasks of an array count each. A partition's quality of service counts the partition's jobs beside the job's own.
//!
//! Source: `acct_policy_add_job_submit` of 22.05, read for what it does.

use std::collections::HashMap;

use queuecast_records::JobRecord;

use super::super::limits::{Belongs, Limits};
use super::super::situation::{is_running, is_waiting};

/// The numbers of jobs submitted.
#[derive(Clone, Debug, Default)]
pub struct Submitted {
    qos: HashMap<String, u64>,
    /// By quality of service and name.
    users: HashMap<(String, String), u64>,
    accounts: HashMap<(String, String), u64>,
    /// By place among the associations, all below included.
    associations: HashMap<usize, u64>,
}

impl Submitted {
    /// Counts these jobs, if any limit counts them.
    pub fn of(jobs: &[JobRecord], limits: &Limits) -> Self {
        let mut submitted = Self::default();
        if !limits.count_submitted() {
            return submitted;
        }
        for job in jobs.iter().filter(|job| is_waiting(job) || is_running(job)) {
            let tasks = if is_waiting(job) { job.array_tasks_waiting() } else { 1 };
            let whose = Belongs::of(job);
            for qos in limits.qos_in_order(whose) {
                let name = || qos.name.clone();
                *submitted.qos.entry(name()).or_default() += tasks;
                *submitted.users.entry((name(), job.user.clone())).or_default() += tasks;
                *submitted.accounts.entry((name(), job.account.clone())).or_default() += tasks;
            }
            let associations = limits.associations();
            let own = associations.find(whose.account, whose.user, whose.partition);
            for place in own.into_iter().flat_map(|own| associations.up_from(own)) {
                *submitted.associations.entry(place).or_default() += tasks;
            }
        }
        submitted
    }

    /// With a quality of service.
    pub fn of_qos(&self, qos: &str) -> u64 {
        self.qos.get(qos).copied().unwrap_or(0)
    }

    /// A user's with it.
    pub fn of_user(&self, qos: &str, user: &str) -> u64 {
        self.users.get(&(qos.to_owned(), user.to_owned())).copied().unwrap_or(0)
    }

    /// An account's with it.
    pub fn of_account(&self, qos: &str, account: &str) -> u64 {
        self.accounts.get(&(qos.to_owned(), account.to_owned())).copied().unwrap_or(0)
    }

    /// At or below an association.
    pub fn of_association(&self, place: usize) -> u64 {
        self.associations.get(&place).copied().unwrap_or(0)
    }
}
