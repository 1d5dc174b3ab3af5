//! How good advice about limits would have been: how many jobs it would have killed, and how much shorter it is than what people
//! asked for.
//!
//! For: [`LimitScores`] beside three others on the same jobs: what users asked for (kills nobody), the run time itself in whole
//! minutes (nobody can be shorter without killing), and the rule some centres write in e-mails, the longest of the user's last
//! runs with that limit and a fifth more.
//!
//! Whether the promise holds for each kind of job, and not only on the whole, is counted beside it (`conditions`).
//!
//! Not for: what shorter limits do to waits.

mod conditions;

pub use conditions::{ClassOf, ClassOutcome, LimitConditions, RiskDecile, WorstUser};

use std::collections::VecDeque;

use queuecast_advise::limit::{AdvisedJob, LimitObserver};
use queuecast_forecast::score::Covered;
use queuecast_workload::{Seconds, Submission, UserId};
use rustc_hash::FxHashMap;
use serde::Serialize;

use conditions::Conditions;

/// Users with fewer jobs are not looked at one by one.
const JOBS_OF_A_USER: u64 = 100;
/// What the centres' rule looks back on, and adds.
const RULE_JOBS: usize = 10;
const RULE_FACTOR: f64 = 1.2;

/// What one way of choosing limits did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitSummary {
    /// Who chose.
    pub method: String,
    /// The share of jobs that may be killed, where one was promised.
    pub max_risk: Option<f64>,
    /// Jobs.
    pub jobs: u64,
    /// The share that would have been killed before they ended, with an interval that takes jobs to be independent.
    pub killed: Option<Covered>,
    /// The median limit.
    pub median_limit_seconds: f64,
    /// The same as a share of the median that users asked for.
    pub median_of_requested: f64,
    /// The median over jobs of the limit as a share of what was asked for.
    pub median_share_of_requested: f64,
    /// All limits together as a share of all that was asked for.
    pub sum_share_of_requested: f64,
    /// The share of jobs left at what was asked for.
    pub unchanged: f64,
    /// Over users with a hundred jobs and more: the share killed of the user nine in ten do better than.
    pub ninetieth_user_killed: Option<f64>,
}

/// Counts what advice would have done, from a job on.
#[derive(Debug)]
pub struct LimitScores {
    from: u64,
    seen: u64,
    asked: Choice,
    least: Choice,
    rule: Choice,
    advised: Vec<(f64, Choice, Conditions)>,
    class_of: ClassOf,
    /// By user and limit asked for: the last run times.
    last_runs: FxHashMap<(Option<UserId>, Seconds), VecDeque<Seconds>>,
}

/// What one way of choosing came to.
#[derive(Debug, Default)]
struct Choice {
    limits: Vec<f64>,
    shares: Vec<f64>,
    killed: u64,
    unchanged: u64,
    users: FxHashMap<Option<UserId>, (u64, u64)>,
}

impl Choice {
    fn add(&mut self, job: &AdvisedJob<'_>, limit: Seconds) {
        let killed = job.run > limit;
        self.limits.push(limit.as_f64());
        self.shares.push(limit.as_f64() / job.asked.as_f64().max(1.0));
        self.killed += u64::from(killed);
        self.unchanged += u64::from(limit >= job.asked);
        let (jobs, dead) = self.users.entry(job.submission.user).or_default();
        *jobs += 1;
        *dead += u64::from(killed);
    }

    fn summary(&self, who: &str, promised: Option<f64>, asked: &Self) -> LimitSummary {
        let jobs = self.limits.len() as u64;
        let (limit, asked_for) = (median(&self.limits), median(&asked.limits));
        let sum = |choice: &Self| choice.limits.iter().sum::<f64>();
        let many = self.users.values().filter(|(jobs, _)| *jobs >= JOBS_OF_A_USER);
        let mut users: Vec<f64> = many.map(|(jobs, dead)| *dead as f64 / *jobs as f64).collect();
        users.sort_unstable_by(f64::total_cmp);
        LimitSummary {
            method: who.to_owned(),
            max_risk: promised,
            jobs,
            killed: Covered::of(self.killed, jobs),
            median_limit_seconds: limit,
            median_of_requested: limit / asked_for,
            median_share_of_requested: median(&self.shares),
            sum_share_of_requested: sum(self) / sum(asked),
            unchanged: self.unchanged as f64 / jobs as f64,
            ninetieth_user_killed: users.get(users.len() * 9 / 10).copied(),
        }
    }
}

impl LimitScores {
    /// For advice at these promised shares; jobs before this place, from zero, only teach.
    pub fn new(promised: impl Iterator<Item = f64>, from: u64, class_of: ClassOf) -> Self {
        Self {
            from,
            seen: 0,
            asked: Choice::default(),
            least: Choice::default(),
            rule: Choice::default(),
            advised: promised.map(|promised| (promised, Choice::default(), Conditions::default())).collect(),
            class_of,
            last_runs: FxHashMap::default(),
        }
    }

    /// One line for each way of choosing; none if there were no jobs.
    pub fn summaries(&self) -> Vec<LimitSummary> {
        if self.asked.limits.is_empty() {
            return Vec::new();
        }
        let advised =
            self.advised.iter().map(|(promised, choice, _)| choice.summary("advised", Some(*promised), &self.asked));
        let others = [
            self.asked.summary("asked for", None, &self.asked),
            self.rule.summary("longest of last ten and a fifth", None, &self.asked),
            self.least.summary("run time itself", None, &self.asked),
        ];
        advised.chain(others).collect()
    }

    /// Each promise by condition; none if there were no jobs.
    pub fn conditions(&self) -> Vec<LimitConditions> {
        if self.asked.limits.is_empty() {
            return Vec::new();
        }
        self.advised.iter().map(|(promised, _, conditions)| conditions.summary(*promised)).collect()
    }

    /// What the centres' rule gives.
    fn by_rule(&self, job: &AdvisedJob<'_>) -> Seconds {
        let last = self.last_runs.get(&(job.submission.user, job.asked));
        let longest = last.and_then(|last| last.iter().max());
        longest.map_or(job.asked, |longest| whole_minutes(longest.as_f64() * RULE_FACTOR).min(job.asked))
    }
}

impl LimitObserver for LimitScores {
    fn advised(&mut self, job: AdvisedJob<'_>) {
        let by_rule = self.by_rule(&job);
        self.seen += 1;
        if self.seen <= self.from {
            return;
        }
        self.asked.add(&job, job.asked);
        self.least.add(&job, whole_minutes(job.run.as_f64()).min(job.asked));
        self.rule.add(&job, by_rule);
        for ((_, choice, conditions), advised) in self.advised.iter_mut().zip(job.advised) {
            choice.add(&job, advised.limit);
            conditions.add(&job, advised, self.class_of);
        }
    }

    fn ended(&mut self, job: &Submission, run: Seconds) {
        let Some(limit) = job.limit else { return };
        let last = self.last_runs.entry((job.user, limit)).or_default();
        if last.len() == RULE_JOBS {
            last.pop_front();
        }
        last.push_back(run);
    }
}

fn whole_minutes(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "run times are far below")]
    let minutes = (seconds / 60.0).ceil() as i64;
    Seconds(minutes.max(1) * 60)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    let middle = sorted.len() / 2;
    *sorted.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use queuecast_advise::limit::{AdvisedLimit, Verdict};
    use queuecast_workload::{JobId, Request, Time};

    use super::*;

    fn scored(jobs: &[(i64, i64, i64)], from: u64) -> Vec<LimitSummary> {
        let mut scores = LimitScores::new([0.05].into_iter(), from, |_| ((0, 0), "all".to_owned()));
        for (number, (asked, advised, run)) in (0..).zip(jobs) {
            let submission = Submission {
                job: JobId(number),
                submitted: Time(0),
                request: Request { processors: 1 },
                limit: Some(Seconds(*asked)),
                user: Some(UserId(1)),
                group: None,
                program: None,
                queue: None,
                partition: None,
            };
            let advised = [AdvisedLimit { limit: Seconds(*advised), risk: 0.0, verdict: Verdict::Shorter }];
            let (asked, run) = (Seconds(*asked), Seconds(*run));
            scores.advised(AdvisedJob { submission: &submission, asked, advised: &advised, risks: &[], run });
            scores.ended(&submission, run);
        }
        scores.summaries()
    }

    /// By hand: of four jobs one outran what was advised, one was left as it was.
    #[test]
    fn killed_unchanged_and_medians_are_counted() {
        let lines = scored(&[(3_600, 600, 500), (3_600, 1_200, 1_300), (3_600, 3_600, 3_600), (7_200, 1_800, 60)], 0);
        let [advised, asked, rule, least] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((advised.jobs, advised.killed.map(|killed| killed.share)), (4, Some(0.25)));
        assert_eq!(
            (advised.median_limit_seconds, advised.median_of_requested, advised.unchanged),
            (1_800.0, 0.5, 0.25)
        );
        assert!((advised.sum_share_of_requested - 7_200.0 / 18_000.0).abs() < 1e-12);
        assert_eq!((asked.killed.map(|killed| killed.share), asked.median_share_of_requested), (Some(0.0), 1.0));
        assert_eq!(least.killed.map(|killed| killed.share), Some(0.0), "nobody is killed at its own run time");
        // The second ran 1,300 s where 500 s and a fifth were allowed, the third beyond 1,300 s and a fifth.
        assert_eq!(rule.killed.map(|killed| killed.share), Some(0.5));
    }

    #[test]
    fn jobs_that_only_teach_are_not_counted_and_no_jobs_give_no_lines() {
        assert_eq!(scored(&[(600, 60, 500), (600, 600, 500)], 1)[0].jobs, 1);
        assert_eq!(scored(&[(600, 60, 500)], 1), []);
    }
}
