//! Who runs, by user: what their jobs have run so far says what is too short.

use queuecast_workload::{JobId, Submission, Time, UserId};
use rustc_hash::FxHashMap;

/// A job that runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningJob {
    pub submission: Submission,
    pub started: Time,
}

/// Those who run and whose user is known.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningJobs {
    of_user: FxHashMap<UserId, Vec<RunningJob>>,
    /// Whose list a job is in.
    user_of: FxHashMap<JobId, UserId>,
}

impl RunningJobs {
    pub fn start(&mut self, job: &Submission, started: Time) {
        self.stop(job.job);
        if let Some(user) = job.user {
            self.user_of.insert(job.job, user);
            self.of_user.entry(user).or_default().push(RunningJob { submission: *job, started });
        }
    }

    /// Takes a job from the list it is in, whatever is said of its user by now.
    pub fn stop(&mut self, job: JobId) {
        let user = self.user_of.remove(&job);
        if let Some(running) = user.and_then(|user| self.of_user.get_mut(&user)) {
            running.retain(|other| other.submission.job != job);
        }
    }

    /// A user's, who started last at the end.
    pub fn of(&self, user: UserId) -> &[RunningJob] {
        self.of_user.get(&user).map_or(&[], |running| running)
    }

    pub fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.of_user.values().flatten().map(|running| running.submission.job)
    }
}
