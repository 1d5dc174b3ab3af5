//! Whether a promise holds for *this* job: the share killed by how large the risk was told to be, by user, and by class.
//!
//! For: on the whole a promise may hold while it is broken for everybody who was told a high risk, or for one user all the time. Only jobs
//! that were told a shorter limit than they asked for count; who was killed at the own limit is not ours.
//!
//! Not for: how much shorter the limits are ([`super`]).

use std::collections::BTreeMap;

use queuecast_advise::limit::{AdvisedJob, AdvisedLimit};
use queuecast_forecast::score::Covered;
use queuecast_workload::{Submission, UserId};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Users with fewer jobs are not looked at one by one.
const JOBS_OF_A_USER: u64 = 200;
/// Parts of the jobs, by the risk they were told.
const DECILES: usize = 10;

/// Puts a job into a class: the place decides the order, the words are shown.
pub type ClassOf = fn(&Submission) -> ((usize, usize), String);

/// A tenth of the jobs that were told a shorter limit, by the risk told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RiskDecile {
    /// From the least risk told.
    pub from: f64,
    /// To the highest.
    pub to: f64,
    /// The mean: what should come.
    pub mean_risk: f64,
    /// Jobs.
    pub jobs: u64,
    /// What came.
    pub killed: Option<Covered>,
}

/// The user with the largest share killed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorstUser {
    /// How many users have as many jobs that they are looked at.
    pub users: u64,
    /// This one's jobs that count.
    pub jobs: u64,
    /// Those of them that would have been killed.
    pub killed: u64,
    /// As a share.
    pub share: f64,
}

/// What one class of jobs was told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassOutcome {
    /// In words.
    pub class: String,
    /// Jobs.
    pub jobs: u64,
    /// Those told a shorter limit.
    pub advised: u64,
    /// The share of those that would have been killed.
    pub killed: Option<Covered>,
}

/// One promise, by condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitConditions {
    /// The promise.
    pub max_risk: f64,
    /// Jobs told a shorter limit.
    pub advised: u64,
    /// The share of those that would have been killed.
    pub killed: Option<Covered>,
    /// The median over those of the limit told as a share of what was asked for.
    pub median_share_of_requested: Option<f64>,
    /// By the risk told.
    pub by_risk: Vec<RiskDecile>,
    /// Of users with 200 jobs and more, the one with the largest share of all jobs killed.
    pub worst_user: Option<WorstUser>,
    /// Of users with 200 jobs and more that were told a shorter limit, the one with the largest share of those killed.
    pub worst_user_advised: Option<WorstUser>,
    /// By limit and size.
    pub by_class: Vec<ClassOutcome>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    jobs: u64,
    told: u64,
    killed: u64,
}

/// Collects what came of one promise.
#[derive(Debug, Default)]
pub struct Conditions {
    /// The risk told, and whether it came.
    told: Vec<(f64, bool)>,
    shares: Vec<f64>,
    users: FxHashMap<Option<UserId>, Tally>,
    classes: BTreeMap<((usize, usize), String), Tally>,
}

impl Conditions {
    /// A job, and what it was told.
    pub fn add(&mut self, job: &AdvisedJob<'_>, advised: &AdvisedLimit, class_of: ClassOf) {
        let is_told = advised.limit < job.asked;
        let killed = is_told && job.run > advised.limit;
        if is_told {
            self.told.push((advised.risk, killed));
            self.shares.push(advised.limit.as_f64() / job.asked.as_f64().max(1.0));
        }
        let user = self.users.entry(job.submission.user).or_default();
        let class = self.classes.entry(class_of(job.submission)).or_default();
        for tally in [user, class] {
            tally.jobs += 1;
            tally.told += u64::from(is_told);
            tally.killed += u64::from(killed);
        }
    }

    /// The promise, by condition.
    pub fn summary(&self, promised: f64) -> LimitConditions {
        let told = self.told.len() as u64;
        let killed = self.told.iter().filter(|job| job.1).count() as u64;
        let mut shares = self.shares.clone();
        shares.sort_unstable_by(f64::total_cmp);
        LimitConditions {
            max_risk: promised,
            advised: told,
            killed: Covered::of(killed, told),
            median_share_of_requested: shares.get(shares.len() / 2).copied(),
            by_risk: self.deciles(),
            worst_user: self.worst(|tally| tally.jobs),
            worst_user_advised: self.worst(|tally| tally.told),
            by_class: self.classes.iter().map(|((_, class), tally)| outcome(class, *tally)).collect(),
        }
    }

    fn deciles(&self) -> Vec<RiskDecile> {
        let mut told = self.told.clone();
        // Of equal risks in the order in which they came: which of them was killed decides nothing.
        told.sort_by(|one, other| one.0.total_cmp(&other.0));
        let bound = |decile: usize| told.len() * decile / DECILES;
        let deciles = (0..DECILES).filter_map(|decile| {
            let jobs = &told[bound(decile)..bound(decile + 1)];
            let (first, last) = (jobs.first()?, jobs.last()?);
            let count = jobs.len() as u64;
            Some(RiskDecile {
                from: first.0,
                to: last.0,
                mean_risk: jobs.iter().map(|job| job.0).sum::<f64>() / count as f64,
                jobs: count,
                killed: Covered::of(jobs.iter().filter(|job| job.1).count() as u64, count),
            })
        });
        deciles.collect()
    }

    fn worst(&self, counted: impl Fn(&Tally) -> u64) -> Option<WorstUser> {
        let many: Vec<(u64, u64)> = self
            .users
            .iter()
            .filter(|(user, _)| user.is_some())
            .map(|(_, tally)| (counted(tally), tally.killed))
            .filter(|(jobs, _)| *jobs >= JOBS_OF_A_USER)
            .collect();
        let share = |(jobs, killed): (u64, u64)| killed as f64 / jobs as f64;
        // Of equals the one with more jobs, so that it does not depend on the order of a map.
        let worst =
            many.iter().copied().max_by(|one, other| share(*one).total_cmp(&share(*other)).then(one.cmp(other)))?;
        Some(WorstUser { users: many.len() as u64, jobs: worst.0, killed: worst.1, share: share(worst) })
    }
}

fn outcome(class: &str, tally: Tally) -> ClassOutcome {
    let Tally { jobs, told, killed } = tally;
    ClassOutcome { class: class.to_owned(), jobs, advised: told, killed: Covered::of(killed, told) }
}

#[cfg(test)]
mod tests {
    use queuecast_advise::limit::Verdict;
    use queuecast_testkit::submission;
    use queuecast_workload::Seconds;

    use super::*;

    fn class(job: &Submission) -> ((usize, usize), String) {
        let is_wide = job.request.processors > 1;
        ((usize::from(is_wide), 0), if is_wide { "wide" } else { "narrow" }.to_owned())
    }

    /// By hand: 400 jobs of two users, every fourth kept as it was; of those told a risk of 4 % every tenth is killed, of others none.
    fn counted() -> LimitConditions {
        let mut conditions = Conditions::default();
        for number in 0..400_u32 {
            let mut job = submission(u64::from(number), 0, 1 + number % 2, Some(6_000));
            job.user = Some(UserId(u32::from(number >= 250)));
            let is_kept = number % 4 == 3;
            let risk = if number % 4 == 0 { 0.04 } else { 0.01 };
            let limit = Seconds(if is_kept { 6_000 } else { 600 });
            let run = Seconds(if number % 40 == 0 || is_kept { 6_000 } else { 100 });
            let advised = AdvisedLimit { limit, risk, verdict: Verdict::Shorter };
            let asked = Seconds(6_000);
            conditions.add(
                &AdvisedJob { submission: &job, asked, advised: &[advised], risks: &[], run },
                &advised,
                class,
            );
        }
        conditions.summary(0.05)
    }

    #[test]
    fn who_kept_what_was_asked_for_is_nobodys_victim_and_deciles_are_by_the_risk_told() {
        let counted = counted();
        assert_eq!((counted.advised, counted.killed.map(|killed| killed.share)), (300, Some(10.0 / 300.0)));
        assert_eq!(counted.median_share_of_requested, Some(0.1));
        assert_eq!(counted.by_risk.iter().map(|decile| decile.jobs).sum::<u64>(), 300);
        let killed: Vec<f64> =
            counted.by_risk.iter().filter_map(|decile| decile.killed.map(|killed| killed.share)).collect();
        assert!(killed[..6].iter().all(|share| *share == 0.0), "{killed:?}");
        assert!(killed[7..].iter().all(|share| *share > 0.0), "{killed:?}");
        assert!((counted.by_risk[9].mean_risk - 0.04).abs() < 1e-12);
    }

    #[test]
    fn the_worst_user_has_many_jobs_and_classes_are_in_order() {
        let counted = counted();
        let worst = counted.worst_user.expect("one has 250 jobs");
        assert_eq!((worst.users, worst.jobs, worst.killed), (1, 250, 7));
        assert_eq!(counted.worst_user_advised, None, "nobody was told 200 shorter limits");
        let classes: Vec<_> =
            counted.by_class.iter().map(|class| (class.class.as_str(), class.jobs, class.advised)).collect();
        assert_eq!(classes, [("narrow", 200, 200), ("wide", 200, 100)]);
    }
}
