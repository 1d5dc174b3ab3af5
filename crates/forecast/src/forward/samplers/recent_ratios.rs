//! Which part of their limits jobs have used lately: the user's own last jobs, and the site's for who has few.
//!
//! For: a distribution to work with today (R-O1 and R-O2 in their plainest form). A job of the user counts
//! for more if it asked for the same processors or the same limit; the site's last jobs together count as much as a few
//! of the user's own. For a job that runs, whatever it has outlived already is left out.
//!
//! Not for: running jobs as evidence (they are not counted as censored), programs, sessions.

use std::collections::VecDeque;

use queuecast_workload::{Outcome, Seconds, Submission, Time, UserId};
use rustc_hash::FxHashMap;

use crate::forward::samplers::{Prospect, RuntimeSampler};

/// How much of the past counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecentRatiosParameters {
    /// How many of the user's last jobs are remembered.
    pub user_jobs: usize,
    /// How many of the site's.
    pub site_jobs: usize,
    /// As many of the user's jobs the site's count for, all together.
    pub site_weight: f64,
    /// A job counts so many times over if it asked for as many processors, and again if its limit was the same.
    pub alike: f64,
    /// Each earlier job of the user counts that much of the next.
    pub fading: f64,
}

impl Default for RecentRatiosParameters {
    fn default() -> Self {
        Self { user_jobs: 30, site_jobs: 100, site_weight: 1.0, alike: 4.0, fading: 0.95 }
    }
}

/// Recent ratios of run time to limit.
#[derive(Clone, Debug)]
pub struct RecentRatios {
    parameters: RecentRatiosParameters,
    site: VecDeque<Ended>,
    users: FxHashMap<UserId, VecDeque<Ended>>,
    /// For each place, where its values begin; one more at the end.
    begins: Vec<usize>,
    /// The values of all places, one after the other, each with the weight up to and with it.
    values: Vec<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Value {
    run: Seconds,
    weight: f64,
}

/// What is remembered of a job.
#[derive(Clone, Copy, Debug)]
struct Ended {
    processors: u32,
    limit: Option<Seconds>,
    run: Seconds,
}

impl Ended {
    /// Its run time if it had had this limit.
    fn run_under(&self, limit: Option<Seconds>) -> Seconds {
        match (self.limit, limit) {
            (Some(own), Some(limit)) if own != limit && own.0 > 0 => scaled(limit, self.run.as_f64() / own.as_f64()),
            (None, Some(limit)) => self.run.min(limit),
            _ => self.run,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a part of a limit is no longer than the longest run time")]
fn scaled(limit: Seconds, ratio: f64) -> Seconds {
    Seconds((limit.as_f64() * ratio).round().min(Seconds::MAX.as_f64()) as i64)
}

impl RecentRatios {
    /// Nothing has happened yet.
    pub fn new(parameters: RecentRatiosParameters) -> Self {
        Self { parameters, site: VecDeque::new(), users: FxHashMap::default(), begins: Vec::new(), values: Vec::new() }
    }

    fn prepare_one(&mut self, prospect: &Prospect) {
        let RecentRatiosParameters { site_weight, alike, fading, .. } = self.parameters;
        let Prospect { submission, age } = prospect;
        let mut total = 0.0;
        let mut add = |ended: &Ended, weight: f64| {
            let run = ended.run_under(submission.limit).max(Seconds(1));
            if age.is_none_or(|age| run > age) {
                total += weight;
                self.values.push(Value { run, weight: total });
            }
        };
        if let Some(own) = submission.user.and_then(|user| self.users.get(&user)) {
            let mut recency = 1.0;
            for ended in own.iter().rev() {
                let mut weight = recency;
                if ended.processors == submission.request.processors {
                    weight *= alike;
                }
                if ended.limit == submission.limit {
                    weight *= alike;
                }
                add(ended, weight);
                recency *= fading;
            }
        }
        let share = site_weight / self.site.len() as f64;
        for ended in &self.site {
            add(ended, share);
        }
    }
}

impl RuntimeSampler for RecentRatios {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.begins.clear();
        self.values.clear();
        for prospect in prospects {
            self.begins.push(self.values.len());
            self.prepare_one(prospect);
            if self.begins.last() == Some(&self.values.len()) {
                // Nobody like it: its limit; past that, or without one, as long again as it has run.
                let age = prospect.age.unwrap_or(Seconds::ZERO);
                let limit = prospect.submission.limit.filter(|limit| *limit > age);
                self.values.push(Value { run: limit.unwrap_or(age + age + Seconds(1)), weight: 1.0 });
            }
        }
        self.begins.push(self.values.len());
    }

    fn sample(&self, place: usize, uniform: f64) -> Seconds {
        let values = &self.values[self.begins[place]..self.begins[place + 1]];
        let wanted = uniform * values[values.len() - 1].weight;
        let found = values.partition_point(|value| value.weight <= wanted);
        values[found.min(values.len() - 1)].run
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        let ended = Ended { processors: job.request.processors, limit: job.limit, run: outcome.run() };
        let remember = |jobs: &mut VecDeque<Ended>, most: usize| {
            if jobs.len() >= most {
                jobs.pop_front();
            }
            jobs.push_back(ended);
        };
        remember(&mut self.site, self.parameters.site_jobs);
        if let Some(user) = job.user {
            remember(self.users.entry(user).or_default(), self.parameters.user_jobs);
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Status;

    use super::*;
    use queuecast_testkit::submission;

    fn learnt(jobs: &[(i64, i64)]) -> RecentRatios {
        let mut sampler = RecentRatios::new(RecentRatiosParameters::default());
        for &(limit, run) in jobs {
            let job = Submission { user: Some(UserId(1)), ..submission(0, 0, 1, Some(limit)) };
            let outcome = Outcome { started: Time(0), ended: Time(run), status: Status::Completed };
            sampler.on_end(&job, &outcome);
        }
        sampler
    }

    fn draws(sampler: &mut RecentRatios, age: Option<i64>) -> Vec<i64> {
        let job = Submission { user: Some(UserId(1)), ..submission(9, 0, 1, Some(1_000)) };
        sampler.prepare(&[Prospect { submission: job, age: age.map(Seconds) }], Time(0));
        let mut draws: Vec<i64> = (0..100).map(|step| sampler.sample(0, f64::from(step) / 100.0).0).collect();
        draws.sort_unstable();
        draws.dedup();
        draws
    }

    #[test]
    fn ratios_carry_over_to_another_limit_and_what_is_outlived_is_left_out() {
        let mut sampler = learnt(&[(100, 10), (100, 50), (100, 100)]);
        assert_eq!(draws(&mut sampler, None), [100, 500, 1_000]);
        assert_eq!(draws(&mut sampler, Some(100)), [500, 1_000]);
        assert_eq!(draws(&mut sampler, Some(500)), [1_000]);
    }

    #[test]
    fn where_nothing_is_left_the_limit_is_taken_and_then_the_age_again() {
        let mut sampler = learnt(&[(100, 10)]);
        assert_eq!(draws(&mut sampler, Some(600)), [1_000]);
        assert_eq!(draws(&mut sampler, Some(1_000)), [2_001]);
    }
}
