//! A log as a search sees it: who was to be predicted when, and who had ended by then.

use queuecast_predict::templates::{Characteristic, Characteristics};
use queuecast_simulate::AskedAt;
use queuecast_workload::{Seconds, Submission, TracedJob};

use queuecast_predict::Fallback;

/// The jobs of a log in the order in which they are predicted, and the events of their lives in order of time.
#[derive(Clone, Debug)]
pub struct Workload {
    pub(crate) jobs: Vec<Job>,
    pub(crate) events: Vec<Event>,
}

/// A job and its fate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub submission: Submission,
    pub run: Seconds,
    /// What is planned where no template knows anything.
    pub plan_without: Option<Seconds>,
}

/// Something happens to a job, given by its place in [`Workload::jobs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Ended(u32),
    Predicted(u32),
}

impl Workload {
    /// The jobs as the log records them; a wait that is not known is taken for none. Jobs without a run time above
    /// zero are left out.
    ///
    /// Of one second, ends come before predictions; otherwise the order is that of `traced`.
    ///
    /// # Panics
    /// If there are more than four thousand million jobs.
    pub fn new(traced: &[TracedJob], asked_at: AskedAt) -> Self {
        let started = |job: &TracedJob| job.submission.submitted + job.recorded.wait.unwrap_or(Seconds::ZERO);
        let predicted = |job: &TracedJob| match asked_at {
            AskedAt::Submission => job.submission.submitted,
            AskedAt::Start => started(job),
        };
        let has_run = traced.iter().enumerate().filter(|(_, job)| job.recorded.run > Seconds::ZERO);
        let mut in_order: Vec<(usize, &TracedJob)> = has_run.collect();
        in_order.sort_by_key(|(_, job)| predicted(job));
        let mut timed = Vec::with_capacity(2 * in_order.len());
        for (index, (place, job)) in in_order.iter().enumerate() {
            let index = u32::try_from(index).expect("a log is held in memory and its jobs are fewer than 2^32");
            // Of one second, a false comes before a true.
            timed.push((predicted(job), true, *place, Event::Predicted(index)));
            timed.push((started(job) + job.recorded.run, false, *place, Event::Ended(index)));
        }
        timed.sort_unstable_by_key(|(time, is_prediction, place, _)| (*time, *is_prediction, *place));
        let events: Vec<Event> = timed.into_iter().map(|(.., event)| event).collect();
        let mut jobs: Vec<Job> = in_order
            .into_iter()
            .map(|(_, job)| Job { submission: job.submission, run: job.recorded.run, plan_without: None })
            .collect();
        let mut fallback = Fallback::default();
        for event in &events {
            match *event {
                Event::Ended(job) => fallback.learn(jobs[job as usize].run),
                Event::Predicted(job) => {
                    let job = &mut jobs[job as usize];
                    job.plan_without = fallback.plan(None, job.submission.limit);
                }
            }
        }
        Self { jobs, events }
    }

    /// How many jobs there are.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The first `count` jobs to be predicted, as if there were no others.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        let is_in = |event: &Event| {
            let (Event::Ended(job) | Event::Predicted(job)) = *event;
            (job as usize) < count
        };
        // Whoever ended before a prediction was predicted before it, so what is planned without templates stays.
        Self {
            jobs: self.jobs.iter().take(count).copied().collect(),
            events: self.events.iter().filter(|event| is_in(event)).copied().collect(),
        }
    }

    /// What tells jobs of this log apart: the characteristics of which at least two values are known.
    pub fn characteristics(&self) -> Characteristics {
        let tells_apart = |characteristic: &Characteristic| {
            let mut known = self.jobs.iter().filter_map(|job| characteristic.of(&job.submission));
            known.next().is_some_and(|first| known.any(|other| other != first))
        };
        Characteristic::ALL.into_iter().filter(tells_apart).collect()
    }

    /// Whether some job has a limit, so that relative run times mean something.
    pub fn has_limits(&self) -> bool {
        self.jobs.iter().any(|job| job.submission.limit.is_some())
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Time;

    use super::*;
    use crate::test_jobs;

    /// Jobs given as submission, wait (negative: unknown) and run time; their users number them.
    fn workload(jobs: &[(i64, i64, i64)], asked_at: AskedAt) -> (Workload, Vec<usize>) {
        let mut traced = test_jobs::random(jobs.len() as u64, 0);
        for (job, &(submitted, wait, run)) in traced.iter_mut().zip(jobs) {
            job.submission.submitted = Time(submitted);
            job.submission.limit = None;
            job.recorded.wait = (wait >= 0).then_some(Seconds(wait));
            job.recorded.run = Seconds(run);
        }
        let workload = Workload::new(&traced, asked_at);
        let order = workload.jobs.iter().map(|job| usize::try_from(job.submission.job.0).unwrap()).collect();
        (workload, order)
    }

    #[test]
    fn jobs_are_in_order_of_prediction() {
        let jobs = [(0, 100, 10), (1, 0, 10), (2, -1, 10), (2, 0, 10)];
        assert_eq!(workload(&jobs, AskedAt::Submission).1, [0, 1, 2, 3]);
        assert_eq!(workload(&jobs, AskedAt::Start).1, [1, 2, 3, 0]);
    }

    #[test]
    fn ends_come_before_predictions_of_the_same_second_and_ties_keep_the_logs_order() {
        use Event::{Ended, Predicted};
        let (workload, _) = workload(&[(0, 10, 10), (0, 0, 20), (20, 0, 5), (20, 0, 5)], AskedAt::Start);
        // By prediction the second job is 0 and the first is 1; both end at 20, the first in the log first.
        let expected = [Predicted(0), Predicted(1), Ended(1), Ended(0), Predicted(2), Predicted(3), Ended(2), Ended(3)];
        assert_eq!(workload.events, expected);
    }

    #[test]
    fn without_templates_the_mean_of_what_ended_is_planned() {
        let (workload, _) = workload(&[(0, 0, 10), (5, 0, 20), (10, 0, 1), (25, 0, 1)], AskedAt::Start);
        let plans: Vec<Option<Seconds>> = workload.jobs.iter().map(|job| job.plan_without).collect();
        assert_eq!(plans, [None, None, Some(Seconds(10)), Some(Seconds(10))]);
    }

    #[test]
    fn jobs_that_did_not_run_are_left_out() {
        assert_eq!(workload(&[(0, 0, 10), (5, 0, 0), (10, 0, -1)], AskedAt::Start).0.len(), 1);
    }

    #[test]
    fn a_characteristic_counts_when_it_tells_jobs_apart() {
        let mut traced = test_jobs::random(50, 3);
        for job in &mut traced {
            job.submission.group = None;
            job.submission.queue = Some(queuecast_workload::QueueId(4));
            job.submission.limit = None;
        }
        let workload = Workload::new(&traced, AskedAt::Start);
        let letters: String = workload.characteristics().iter().map(Characteristic::letter).collect();
        assert_eq!(letters, "pue");
        assert!(!workload.has_limits());
    }
}
