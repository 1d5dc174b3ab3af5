//! Advice for everybody who comes, at several risks at once, and the count of what came of it.
//!
//! Not for: run-time distributions; whoever asks brings one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_predict::distribution::RuntimeDistribution;
use queuecast_workload::{JobId, Seconds, Submission, Time};
use rustc_hash::FxHashMap;

use super::adviser::{AdvisedLimit, LimitAdviser, LimitRecord};

/// What was advised to a job that has not ended.
#[derive(Clone, Debug)]
struct Open {
    advised: Vec<AdvisedLimit>,
    /// By adviser: whether it was counted as killed while it still ran.
    counted: Vec<bool>,
}

/// Advises every job when it arrives, whether anybody asked or not, so that the promised risk is checked on all of them.
#[derive(Clone, Debug)]
pub struct LimitAdvisers {
    advisers: Vec<LimitAdviser>,
    open: FxHashMap<JobId, Open>,
    /// When a job that runs outlives what it was advised: a job that runs for days is counted then and not when it ends, for
    /// otherwise long jobs would be heard of last.
    deadlines: BinaryHeap<Reverse<(Time, JobId, usize)>>,
}

impl LimitAdvisers {
    /// With one adviser for each accepted risk.
    pub fn new(accepted: &[f64]) -> Self {
        let advisers = accepted.iter().map(|accepted| LimitAdviser::new(*accepted)).collect();
        Self { advisers, open: FxHashMap::default(), deadlines: BinaryHeap::new() }
    }

    /// The accepted risks, in the order of the advice.
    pub fn accepted(&self) -> impl Iterator<Item = f64> + '_ {
        self.advisers.iter().map(LimitAdviser::accepted)
    }

    /// How each promised risk was kept so far, in the order of the advice.
    pub fn kept(&self) -> impl Iterator<Item = LimitRecord> + '_ {
        self.advisers.iter().map(LimitAdviser::kept)
    }

    /// What is advised at each risk; the longest is what was asked for or is allowed.
    pub fn advise(&self, runs: &RuntimeDistribution, longest: Seconds) -> Vec<AdvisedLimit> {
        self.advisers.iter().map(|adviser| adviser.advise(runs, longest)).collect()
    }

    /// A job arrived. One without a limit is not advised: nobody knows what it would have been killed at.
    pub fn on_arrival(&mut self, job: &Submission, runs: &RuntimeDistribution) -> Option<&[AdvisedLimit]> {
        let advised = self.advise(runs, job.limit?);
        let open = Open { counted: vec![false; advised.len()], advised };
        self.open.insert(job.job, open);
        self.open.get(&job.job).map(|open| &open.advised[..])
    }

    /// A job started.
    pub fn on_start(&mut self, job: &Submission, now: Time) {
        self.advance(now);
        let Some(open) = self.open.get(&job.job) else { return };
        for (adviser, advised) in open.advised.iter().enumerate() {
            if job.limit.is_some_and(|limit| advised.limit < limit) {
                self.deadlines.push(Reverse((now + advised.limit, job.job, adviser)));
            }
        }
    }

    /// A job ended after this long.
    pub fn on_end(&mut self, job: &Submission, run: Seconds, now: Time) {
        self.advance(now);
        let Some(open) = self.open.remove(&job.job) else { return };
        let run = run.min(job.limit.unwrap_or(Seconds::MAX));
        for ((adviser, advised), counted) in self.advisers.iter_mut().zip(&open.advised).zip(&open.counted) {
            if !counted {
                adviser.learn(run > advised.limit);
            }
        }
    }

    /// A job left without having run.
    pub fn on_withdrawn(&mut self, job: &Submission) {
        self.open.remove(&job.job);
    }

    /// Whoever still runs beyond what was advised would have been killed by now.
    fn advance(&mut self, now: Time) {
        while let Some(Reverse((_, job, adviser))) = self.deadlines.peek().copied().filter(|Reverse(next)| next.0 < now)
        {
            self.deadlines.pop();
            if let Some(open) = self.open.get_mut(&job) {
                open.counted[adviser] = true;
                self.advisers[adviser].learn(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    fn certain(seconds: i64) -> RuntimeDistribution {
        RuntimeDistribution::weighted([(Seconds(seconds), 1.0)], Seconds::ZERO)
    }

    #[test]
    fn a_job_that_outlives_its_advice_counts_when_it_does_and_once() {
        let mut desk = LimitAdvisers::new(&[0.01]);
        let fresh = desk.clone();
        let long = submission(1, 0, 1, Some(36_000));
        desk.on_arrival(&long, &certain(600));
        desk.on_start(&long, Time(0));
        let other = submission(2, 0, 1, Some(36_000));
        desk.on_start(&other, Time(10_000));
        let price = |desk: &LimitAdvisers| format!("{:?}", desk.advisers);
        let counted = price(&desk);
        assert_ne!(counted, price(&fresh), "twelve minutes are over");
        desk.on_end(&long, Seconds(20_000), Time(20_000));
        assert_eq!(counted, price(&desk));
        assert!(desk.open.is_empty());
    }

    #[test]
    fn a_job_that_runs_to_the_limit_it_kept_was_not_killed_by_us() {
        let mut desk = LimitAdvisers::new(&[0.01, 0.05]);
        let job = submission(1, 0, 1, Some(600));
        let advised = desk.on_arrival(&job, &certain(600)).map(<[_]>::to_vec);
        assert!(advised.is_some_and(|advised| advised.iter().all(|advised| advised.limit == Seconds(600))));
        let before = desk.advisers[0].clone();
        desk.on_start(&job, Time(0));
        desk.on_end(&job, Seconds(650), Time(650));
        let mut expected = before;
        expected.learn(false);
        assert_eq!(format!("{:?}", desk.advisers[0]), format!("{expected:?}"));
    }

    #[test]
    fn who_leaves_is_forgotten_and_who_has_no_limit_is_not_advised() {
        let mut desk = LimitAdvisers::new(&[0.01]);
        let job = submission(1, 0, 1, Some(600));
        desk.on_arrival(&job, &certain(60));
        desk.on_withdrawn(&job);
        assert!(desk.open.is_empty());
        assert!(desk.on_arrival(&submission(2, 0, 1, None), &certain(60)).is_none());
    }
}
