//! Advice along a history: every job is advised when it arrives, and nothing is told before it happens.
//!
//! Within one second ends come first, then arrivals, then starts, as in [`crate::replay_waits`].

use queuecast_predict::distribution::{RuntimeDistribution, RuntimeDistributions};
use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time, TracedJob};

use super::adviser::AdvisedLimit;
use super::advisers::LimitAdvisers;

/// A job with what it was advised and how long it ran.
#[derive(Clone, Copy, Debug)]
pub struct AdvisedJob<'a> {
    /// The job.
    pub submission: &'a Submission,
    /// What it asked for.
    pub asked: Seconds,
    /// What was advised at each risk.
    pub advised: &'a [AdvisedLimit],
    /// How long it ran, up to what it asked for.
    pub run: Seconds,
}

/// Hears of every job that was advised, in order of arrival.
pub trait LimitObserver {
    /// A job that was advised, with how long it will have run.
    fn advised(&mut self, job: AdvisedJob<'_>);

    /// A job ended: from now on anybody may know how long it ran.
    fn ended(&mut self, _job: &Submission, _run: Seconds) {}
}

/// What happens to a job; of what happens in one second, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Ended,
    Arrived,
    Started,
}

/// Plays jobs, which are in order of submission, through run-time distributions and a desk. Handles are given anew, in order. A job
/// without a wait on record starts at once; jobs without a limit teach and are not advised.
pub fn replay_limits(
    jobs: &mut [TracedJob],
    runs: &mut impl RuntimeDistributions,
    desk: &mut LimitAdvisers,
    observer: &mut impl LimitObserver,
) {
    let mut events: Vec<(Time, Event, u32)> = Vec::with_capacity(3 * jobs.len());
    for (place, job) in (0_u32..).zip(jobs.iter_mut()) {
        job.submission.job = JobId(u64::from(place));
        job.recorded.run = job.recorded.run.min(job.submission.limit.unwrap_or(Seconds::MAX));
        let started = job.submission.submitted + job.recorded.wait.unwrap_or(Seconds::ZERO).max(Seconds::ZERO);
        events.push((job.submission.submitted, Event::Arrived, place));
        events.push((started, Event::Started, place));
        events.push((started + job.recorded.run.max(Seconds(1)), Event::Ended, place));
    }
    events.sort_unstable();
    let mut distribution = RuntimeDistribution::default();
    for (now, event, place) in events {
        let TracedJob { submission, recorded, .. } = &jobs[place as usize];
        match event {
            Event::Arrived => {
                runs.arrive(submission, now, &mut distribution);
                if let (Some(advised), Some(asked)) = (desk.on_arrival(submission, &distribution), submission.limit) {
                    observer.advised(AdvisedJob { submission, asked, advised, run: recorded.run });
                }
            }
            Event::Started => {
                runs.on_start(submission, now);
                desk.on_start(submission, now);
            }
            Event::Ended => {
                let started = now - recorded.run.max(Seconds(1));
                runs.on_end(submission, &Outcome { started, ended: started + recorded.run, status: recorded.status });
                desk.on_end(submission, recorded.run, now);
                observer.ended(submission, recorded.run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_predict::distribution::{WeightedHistory, WeightedHistoryParameters};
    use queuecast_workload::{Recorded, Status};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use queuecast_testkit::submission;

    struct Said(Vec<(Time, Vec<AdvisedLimit>)>);

    impl LimitObserver for Said {
        fn advised(&mut self, job: AdvisedJob<'_>) {
            self.0.push((job.submission.submitted, job.advised.to_vec()));
        }
    }

    fn said(mut jobs: Vec<TracedJob>) -> Vec<(Time, Vec<AdvisedLimit>)> {
        let mut history = WeightedHistory::new(WeightedHistoryParameters::default());
        let mut said = Said(Vec::new());
        replay_limits(&mut jobs, &mut history, &mut LimitAdvisers::new(&[0.01, 0.2]), &mut said);
        said.0
    }

    /// Every wait and run time that is not known at some second is replaced by another: what is advised up to then stays the same.
    #[test]
    fn nothing_is_advised_from_what_is_not_known_yet() {
        let random = &mut Pcg64::seed_from_u64(7);
        for _ in 0..40 {
            let mut now = 0;
            let mut jobs: Vec<TracedJob> = Vec::new();
            for number in 0..200 {
                now += random.random_range(0..200);
                let limit = [600, 3_600, 36_000][random.random_range(0..3)];
                let mut submission = submission(number, now, random.random_range(1..3), Some(limit));
                submission.user = Some(queuecast_workload::UserId(random.random_range(0..4)));
                let run = Seconds(random.random_range(1..=limit / 2));
                let wait = Some(Seconds(random.random_range(0..500)));
                let recorded = Recorded { wait, run, status: Status::Completed };
                jobs.push(TracedJob { number: 1 + i64::try_from(number).expect("few"), submission, recorded });
            }
            let second = Time(random.random_range(0..now));
            let mut other = jobs.clone();
            for job in &mut other {
                let submitted = job.submission.submitted;
                let started = submitted + job.recorded.wait.unwrap_or(Seconds::ZERO);
                if started > second {
                    job.recorded.wait =
                        Some((second - submitted).max(Seconds::ZERO) + Seconds(random.random_range(1..900)));
                    job.recorded.run = Seconds(random.random_range(1..600));
                } else if started + job.recorded.run > second {
                    job.recorded.run = second - started + Seconds(random.random_range(1..900));
                }
            }
            let known = |said: Vec<(Time, Vec<AdvisedLimit>)>| -> Vec<_> {
                said.into_iter().take_while(|(submitted, _)| *submitted <= second).collect()
            };
            assert_eq!(known(said(jobs)), known(said(other)));
        }
    }
}
