//! Who waits, seen from one job: those of the same user, of the same queue, and those no larger.
//!
//! For: sums and ages without looking at everybody: over as many cells as there are shapes in the queue. How long one that is
//! no larger has been waiting says much about a wait to come: nearly every policy would have let it go first.
//!
//! Not for: all that wait, which the nineteen features count.

use std::collections::BTreeMap;

use queuecast_workload::{JobId, QueueId, Seconds, Submission, Time, UserId};
use rustc_hash::FxHashMap;

use super::shape::Shape;
use crate::features::Demand;

/// Some of those that wait. Handles are given in order of arrival, so the first is the oldest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Company {
    arrived: BTreeMap<JobId, Time>,
    processor_seconds: i128,
}

impl Company {
    fn join(&mut self, job: &Submission, demand: Demand) {
        self.arrived.insert(job.job, job.submitted);
        self.processor_seconds += demand.processor_seconds();
    }

    /// Says whether nobody is left.
    fn leave(&mut self, job: JobId, demand: Demand) -> bool {
        if self.arrived.remove(&job).is_some() {
            self.processor_seconds -= demand.processor_seconds();
        }
        self.arrived.is_empty()
    }

    fn seen(&self, now: Time) -> Seen {
        let oldest = self.arrived.values().next();
        Seen {
            jobs: self.arrived.len() as f64,
            processor_seconds: self.processor_seconds as f64,
            oldest: oldest.map(|arrived| now - *arrived),
        }
    }
}

/// What is to be seen of a company.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// How many wait.
    pub(crate) jobs: f64,
    /// What they ask for.
    pub(crate) processor_seconds: f64,
    /// How long the oldest has been waiting.
    pub(crate) oldest: Option<Seconds>,
}

impl Seen {
    /// Both together.
    fn with(self, other: Self) -> Self {
        Self {
            jobs: self.jobs + other.jobs,
            processor_seconds: self.processor_seconds + other.processor_seconds,
            oldest: self.oldest.max(other.oldest),
        }
    }
}

/// Who waits, as one job sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sight {
    pub(crate) of_user: Seen,
    pub(crate) of_queue: Seen,
    pub(crate) no_wider: Seen,
    pub(crate) no_larger: Seen,
}

/// Everybody who waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaitingJobs {
    /// Whose they are, where they wait and what they ask for, as it was when they came: a live record may change meanwhile.
    waiting: FxHashMap<JobId, (Option<UserId>, Option<QueueId>, Demand)>,
    by_user: FxHashMap<Option<UserId>, Company>,
    by_queue: FxHashMap<Option<QueueId>, Company>,
    by_shape: BTreeMap<Shape, Company>,
}

impl WaitingJobs {
    pub(crate) fn arrive(&mut self, job: &Submission, demand: Demand) {
        self.leave(job);
        self.waiting.insert(job.job, (job.user, job.queue, demand));
        self.by_user.entry(job.user).or_default().join(job, demand);
        self.by_queue.entry(job.queue).or_default().join(job, demand);
        self.by_shape.entry(Shape::fine(demand)).or_default().join(job, demand);
    }

    /// It started, or is gone; what it had asked for, if it was known.
    pub(crate) fn leave(&mut self, job: &Submission) -> Option<Demand> {
        let (user, queue, demand) = self.waiting.remove(&job.job)?;
        if self.by_user.get_mut(&user).is_some_and(|company| company.leave(job.job, demand)) {
            self.by_user.remove(&user);
        }
        if self.by_queue.get_mut(&queue).is_some_and(|company| company.leave(job.job, demand)) {
            self.by_queue.remove(&queue);
        }
        let shape = Shape::fine(demand);
        if self.by_shape.get_mut(&shape).is_some_and(|company| company.leave(job.job, demand)) {
            self.by_shape.remove(&shape);
        }
        Some(demand)
    }

    /// What a job that is about to arrive sees.
    pub(crate) fn sight(&self, job: &Submission, demand: Demand, now: Time) -> Sight {
        let seen = |company: Option<&Company>| company.map_or_else(Seen::default, |company| company.seen(now));
        let mut sight = Sight {
            of_user: seen(self.by_user.get(&job.user)),
            of_queue: seen(self.by_queue.get(&job.queue)),
            ..Sight::default()
        };
        let own = Shape::fine(demand);
        for (shape, company) in self.by_shape.iter().filter(|(shape, _)| shape.is_no_wider(own)) {
            let seen = company.seen(now);
            sight.no_wider = sight.no_wider.with(seen);
            if shape.is_no_larger(own) {
                sight.no_larger = sight.no_larger.with(seen);
            }
        }
        sight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    fn waiting(id: u64, submitted: i64, user: u32, processors: u32, limit: i64) -> (Submission, Demand) {
        let job = Submission { user: Some(UserId(user)), ..submission(id, submitted, processors, Some(limit)) };
        (job, Demand { processors, estimate: Seconds(limit) })
    }

    #[test]
    fn a_job_sees_its_user_and_who_is_no_larger() {
        let mut waits = WaitingJobs::default();
        let jobs = [waiting(0, 0, 1, 64, 3_600), waiting(1, 100, 1, 4, 600), waiting(2, 300, 2, 4, 86_400)];
        for (job, demand) in &jobs {
            waits.arrive(job, *demand);
        }
        let (asks, demand) = waiting(3, 1_000, 1, 8, 3_600);
        let sight = waits.sight(&asks, demand, Time(1_000));
        let seen = |jobs, processor_seconds, oldest| Seen { jobs, processor_seconds, oldest: Some(Seconds(oldest)) };
        assert_eq!(sight.of_user, seen(2.0, 64.0 * 3_600.0 + 2_400.0, 1_000));
        assert_eq!(sight.no_wider, seen(2.0, 2_400.0 + 4.0 * 86_400.0, 900));
        assert_eq!(sight.no_larger, seen(1.0, 2_400.0, 900));
        for (job, _) in &jobs {
            // Meanwhile it is somebody else's, as far as a record says.
            waits.leave(&Submission { user: None, ..*job });
            waits.leave(job);
        }
        assert_eq!(waits.sight(&asks, demand, Time(1_000)), Sight::default());
        assert!(waits.by_user.is_empty() && waits.by_queue.is_empty() && waits.by_shape.is_empty());
    }
}
