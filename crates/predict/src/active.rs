//! The waiting and running jobs of each user, for propagation.
//!
//! A user's jobs that ask for the same are kept together: they are predicted once, not job by job, and left alone
//! while their prediction stands. A user with ten thousand equal jobs in the queue costs one prediction an end.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Seconds, Submission, Time, UserId};
use rustc_hash::FxHashMap;

use crate::Revisions;

/// Every waiting or running job by user. Jobs of unknown user are nobody's.
#[derive(Clone, Debug, Default)]
pub struct ActiveJobs {
    by_user: FxHashMap<UserId, Vec<Alike>>,
}

/// A user's jobs that ask for the same.
#[derive(Clone, Debug)]
struct Alike {
    /// One of them, present or past, to stand for all.
    like: Submission,
    /// What was last predicted for all of them; `None` when they were not all told the same.
    predicted: Option<Seconds>,
    /// When each started, in order of arrival; `None` while it waits. Equal jobs start and end about in order of arrival,
    /// so that whoever leaves is near the front, and few have to move up.
    started: VecDeque<(JobId, Option<Time>)>,
}

impl ActiveJobs {
    pub fn arrived(&mut self, job: &Submission, predicted: Seconds) {
        let Some(user) = job.user else { return };
        let groups = self.by_user.entry(user).or_default();
        if let Some(alike) = groups.iter_mut().find(|alike| alike.fits(job)) {
            if alike.predicted != Some(predicted) {
                alike.predicted = None;
            }
            alike.started.push_back((job.job, None));
        } else {
            groups.push(Alike { like: *job, predicted: Some(predicted), started: VecDeque::from([(job.job, None)]) });
        }
    }

    pub fn started(&mut self, job: &Submission, now: Time) {
        let groups = job.user.and_then(|user| self.by_user.get_mut(&user));
        let alike = groups.and_then(|groups| groups.iter_mut().find(|alike| alike.fits(job)));
        if let Some(alike) = alike
            && let Some(place) = alike.place(job.job)
        {
            alike.started[place].1 = Some(now);
        }
    }

    pub fn ended(&mut self, job: &Submission) {
        let Some(groups) = job.user.and_then(|user| self.by_user.get_mut(&user)) else { return };
        let Some(index) = groups.iter().position(|alike| alike.fits(job)) else { return };
        if let Some(place) = groups[index].place(job.job) {
            groups[index].started.remove(place);
        }
        if groups[index].started.is_empty() {
            groups.swap_remove(index);
        }
    }

    /// Predicts the jobs of the cause's user anew, but for the cause itself.
    pub fn revise(
        &mut self,
        cause: &Submission,
        now: Time,
        predict: impl Fn(&Submission) -> Seconds,
        revisions: &mut Revisions,
    ) {
        let Some(groups) = cause.user.and_then(|user| self.by_user.get_mut(&user)) else { return };
        for alike in groups {
            let planned = predict(&alike.like);
            if alike.predicted == Some(planned) {
                // Each of them was told so already, or was already older and has a plan beyond it.
                continue;
            }
            // A job that outlived its plan is corrected instead, and so is not told this.
            alike.predicted = alike.place(cause.job).is_none().then_some(planned);
            for &(job, started) in &alike.started {
                // A running job already older than the new guess keeps its plan: the guess is refuted, not better.
                if job != cause.job && started.is_none_or(|started| planned > now - started) {
                    revisions.plan(job, planned);
                }
            }
        }
    }
}

impl Alike {
    /// Handles are given in order of arrival.
    fn place(&self, job: JobId) -> Option<usize> {
        self.started.binary_search_by_key(&job, |(other, _)| *other).ok()
    }

    /// Whether the job, of the same user, asks for the same.
    fn fits(&self, job: &Submission) -> bool {
        // All but who asks and when; named one by one, so that a new field is not forgotten.
        let Submission { job: _, submitted: _, user: _, request, limit, group, program, queue, partition } = *job;
        let like = &self.like;
        like.request == request
            && like.limit == limit
            && like.program == program
            && like.queue == queue
            && like.partition == partition
            && like.group == group
    }
}
