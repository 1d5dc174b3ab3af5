//! A log made ready for having its estimates replaced.
//!
//! For: what every model starts from: run times, users and sessions, the original estimates, and how often users repeat
//! theirs.
//!
//! The paper kills jobs at their estimate and asks for estimates that are not below run times, but does not say what
//! becomes of the 1 to 10 % of jobs that ran longer. Here such a run is cut at the estimate, for every model alike: it
//! costs 0.4 to 1.1 % of the work. To raise the estimate instead would add thousands of odd estimates to the few
//! hundred there are.

use std::collections::{BTreeMap, BTreeSet};

use queuecast_workload::generate::estimates::{
    EstimateShare, Predecessor, Repetition, TimeTally, UserHistories, UsersJob,
};
use queuecast_workload::{Machine, Seconds, TracedJob, UserId};

use super::logs::{Estimates, shares};
use crate::Log;

/// A log whose estimates can be replaced.
#[derive(Clone, Debug)]
pub struct Workload {
    /// What reports call it.
    pub name: String,
    /// The machine it is replayed on.
    pub machine: Machine,
    /// The jobs with their original estimates, in order of submission.
    pub jobs: Vec<TracedJob>,
    /// The longest estimate.
    pub maximum: Seconds,
    /// What the vanilla model is told.
    pub vanilla: Vec<EstimateShare>,
    /// What the improved one is told.
    pub improved: Vec<EstimateShare>,
    /// The original estimates.
    pub estimates: Vec<Seconds>,
    /// How often there is each run time.
    pub run_times: TimeTally,
    /// The jobs as sessions are made of them.
    pub users_jobs: Vec<UsersJob>,
    /// How often users repeat their estimate.
    pub repetition: Repetition,
    /// The share of jobs that ran as long as they were estimated or longer, from 0 to 1.
    pub exact_share: f64,
}

impl Workload {
    /// A log of the paper.
    pub fn new(log: &Log, told: &Estimates) -> Self {
        let vanilla: Vec<EstimateShare> = shares(told.vanilla).collect();
        let improved = vanilla.iter().copied().chain(shares(told.improved)).collect();
        Self::of_jobs(&log.name, log.machine, &log.jobs, told.maximum, (vanilla, improved))
    }

    /// Any jobs, of which those count that have an estimate up to `maximum` and a run time, and what the vanilla and
    /// the improved model are told.
    pub fn of_jobs(
        name: &str,
        machine: Machine,
        jobs: &[TracedJob],
        maximum: Seconds,
        (vanilla, improved): (Vec<EstimateShare>, Vec<EstimateShare>),
    ) -> Self {
        let (mut exact, mut histories) = (0, UserHistories::default());
        let (mut kept, mut estimates, mut users_jobs) = (Vec::new(), Vec::new(), Vec::new());
        for job in jobs {
            let Some(limit) = job.submission.limit.filter(|&limit| limit <= maximum) else { continue };
            if job.recorded.run <= Seconds::ZERO || !machine.can_hold(job.submission.request) {
                continue;
            }
            let mut job = *job;
            exact += usize::from(job.recorded.run >= limit);
            job.recorded.run = job.recorded.run.min(limit);
            let (submitted, run_time) = (job.submission.submitted, job.recorded.run);
            let ended = submitted + job.recorded.wait.unwrap_or(Seconds::ZERO) + run_time;
            let predecessor = histories.follow(job.submission.user, submitted, ended);
            users_jobs.push(UsersJob { run_time, predecessor });
            estimates.push(limit);
            kept.push(job);
        }
        let predecessors: Vec<Option<Predecessor>> = users_jobs.iter().map(|job| job.predecessor).collect();
        Self {
            name: name.to_owned(),
            machine,
            maximum,
            vanilla,
            improved,
            run_times: users_jobs.iter().map(|job| job.run_time).collect(),
            repetition: Repetition::fit(&predecessors, &estimates),
            exact_share: exact as f64 / (kept.len() as f64).max(1.0),
            jobs: kept,
            estimates,
            users_jobs,
        }
    }

    /// How often users repeat themselves with other estimates.
    pub fn repetition_with(&self, estimates: &[Seconds]) -> Repetition {
        let predecessors: Vec<Option<Predecessor>> = self.users_jobs.iter().map(|job| job.predecessor).collect();
        Repetition::fit(&predecessors, estimates)
    }

    /// The original estimates and how often there is each, without those that only the user with the most such
    /// estimates has, if so wanted.
    pub fn distribution(&self, without_sole_owner: bool) -> TimeTally {
        let left_out = if without_sole_owner { self.owned_by_one() } else { BTreeSet::new() };
        self.estimates.iter().copied().filter(|estimate| !left_out.contains(estimate)).collect()
    }

    fn owned_by_one(&self) -> BTreeSet<Seconds> {
        let mut users: BTreeMap<Seconds, BTreeSet<Option<UserId>>> = BTreeMap::new();
        for (job, &estimate) in self.jobs.iter().zip(&self.estimates) {
            users.entry(estimate).or_default().insert(job.submission.user);
        }
        let mut owned: BTreeMap<Option<UserId>, BTreeSet<Seconds>> = BTreeMap::new();
        for (estimate, users) in users {
            if let (1, Some(&owner)) = (users.len(), users.first()) {
                owned.entry(owner).or_default().insert(estimate);
            }
        }
        owned.into_values().max_by_key(BTreeSet::len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::swf::SwfRecord;

    use super::*;

    /// Run time, estimate and user of each job; a minute apart.
    fn workload(jobs: &[(i64, i64, i64)]) -> Workload {
        let job = |(number, &(run_time, requested_time, user)): (usize, &(i64, i64, i64))| {
            let number = i64::try_from(number).unwrap();
            let known = SwfRecord {
                job_number: number,
                submit_time: 60 * number,
                run_time,
                requested_time,
                user,
                ..SwfRecord::UNKNOWN
            };
            SwfRecord { requested_processors: 1, ..known }.to_traced().unwrap()
        };
        let jobs: Vec<TracedJob> = jobs.iter().enumerate().map(job).collect();
        Workload::of_jobs("made up", Machine { processors: 8 }, &jobs, Seconds(3_600), (Vec::new(), Vec::new()))
    }

    #[test]
    fn runs_are_cut_at_their_estimate_and_what_cannot_be_used_is_left_out() {
        let workload = workload(&[(50, 60, 1), (90, 60, 1), (50, -1, 1), (50, 3_601, 1), (0, 60, 1), (60, 60, 1)]);
        let runs: Vec<i64> = workload.jobs.iter().map(|job| job.recorded.run.0).collect();
        assert_eq!(runs, [50, 60, 60]);
        assert!((workload.exact_share - 2.0 / 3.0).abs() < 1e-12);
        assert!((workload.repetition.within_session - 1.0).abs() < 1e-12);
    }

    #[test]
    fn only_what_the_most_inventive_user_alone_has_is_left_out() {
        let workload = workload(&[(1, 60, 1), (1, 61, 1), (1, 62, 1), (1, 300, 1), (1, 300, 2), (1, 77, 2)]);
        let all: Vec<i64> = workload.distribution(false).iter().map(|(time, _)| time.0).collect();
        let without: Vec<i64> = workload.distribution(true).iter().map(|(time, _)| time.0).collect();
        assert_eq!((all, without), (vec![60, 61, 62, 77, 300], vec![77, 300]));
    }
}
