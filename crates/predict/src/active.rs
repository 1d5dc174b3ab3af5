//! The waiting and running jobs of each user, for propagation.

use queuecast_workload::{Submission, Time, UserId};
use rustc_hash::FxHashMap;

/// A job in the system, as its user's other jobs see it.
#[derive(Clone, Copy, Debug)]
pub struct ActiveJob {
    pub submission: Submission,
    /// `None` while it waits.
    pub started: Option<Time>,
}

/// Every waiting or running job by user. Jobs of unknown user are nobody's.
#[derive(Clone, Debug, Default)]
pub struct ActiveJobs {
    by_user: FxHashMap<UserId, Vec<ActiveJob>>,
}

impl ActiveJobs {
    pub fn arrived(&mut self, job: &Submission) {
        if let Some(user) = job.user {
            self.by_user.entry(user).or_default().push(ActiveJob { submission: *job, started: None });
        }
    }

    pub fn started(&mut self, job: &Submission, now: Time) {
        let jobs = job.user.and_then(|user| self.by_user.get_mut(&user));
        if let Some(active) = jobs.and_then(|jobs| jobs.iter_mut().find(|active| active.submission.job == job.job)) {
            active.started = Some(now);
        }
    }

    pub fn ended(&mut self, job: &Submission) {
        let Some(user) = job.user else { return };
        let Some(jobs) = self.by_user.get_mut(&user) else { return };
        jobs.retain(|active| active.submission.job != job.job);
        if jobs.is_empty() {
            self.by_user.remove(&user);
        }
    }

    /// The user's jobs, oldest arrival first.
    pub fn of_user(&self, user: Option<UserId>) -> &[ActiveJob] {
        user.and_then(|user| self.by_user.get(&user)).map_or(&[], Vec::as_slice)
    }
}
