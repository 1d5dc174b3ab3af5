//! The user's most recent run times: "recent user history" of Talby et al. (R-T2, median of three) and the mean
//! of the last two that EASY++ plans with (Tsafrir, Etsion and Feitelson).

use std::fmt;

use queuecast_workload::{Seconds, Submission, UserId};
use rustc_hash::FxHashMap;

use crate::RuntimeModel;

/// How several past run times become one prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Statistic {
    /// The mean, rounded down to whole seconds as in the golden schedules.
    Mean,
    /// The median; of an even number, the mean of the middle two, rounded down.
    Median,
}

/// Predicts from the last `jobs` ended jobs of the same user; until there are that many, it has no opinion.
#[derive(Clone, Debug)]
pub struct Recent {
    jobs: usize,
    statistic: Statistic,
    by_user: FxHashMap<UserId, UserHistory>,
}

/// A ring of the last run times and the prediction they give, made once an end rather than once a question.
#[derive(Clone, Debug, Default)]
struct UserHistory {
    runs: Vec<Seconds>,
    oldest: usize,
    prediction: Option<Seconds>,
}

impl Recent {
    /// From the last `jobs` (at least one) of the user.
    pub fn new(jobs: usize, statistic: Statistic) -> Self {
        assert!(jobs >= 1, "a prediction from no jobs is none");
        Self { jobs, statistic, by_user: FxHashMap::default() }
    }
}

impl RuntimeModel for Recent {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.by_user.get(&job.user?)?.prediction
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        let Some(user) = job.user else { return };
        let history = self.by_user.entry(user).or_default();
        if history.runs.len() < self.jobs {
            history.runs.push(run);
        } else {
            history.runs[history.oldest] = run;
            history.oldest = (history.oldest + 1) % self.jobs;
        }
        if history.runs.len() == self.jobs {
            history.prediction = Some(self.statistic.of(&history.runs));
        }
    }
}

impl Statistic {
    fn of(self, runs: &[Seconds]) -> Seconds {
        let count = runs.len();
        match self {
            Self::Mean => Seconds(runs.iter().map(|run| run.0).sum::<i64>() / count as i64),
            Self::Median => {
                let mut sorted = runs.to_vec();
                sorted.sort_unstable();
                Seconds(i64::midpoint(sorted[(count - 1) / 2].0, sorted[count / 2].0))
            }
        }
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Median => "median",
        })
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Request, Time};

    use super::*;

    fn job(user: u32) -> Submission {
        Submission {
            job: JobId(0),
            submitted: Time(0),
            request: Request { processors: 1 },
            limit: Some(Seconds(1_000)),
            user: Some(UserId(user)),
            group: None,
            program: None,
            queue: None,
            partition: None,
        }
    }

    #[test]
    fn has_no_opinion_until_enough_jobs_of_the_same_user_ended() {
        let mut recent = Recent::new(2, Statistic::Mean);
        recent.learn(&job(1), Seconds(10));
        recent.learn(&job(2), Seconds(90));
        assert_eq!(recent.predict(&job(1)), None);
        recent.learn(&job(1), Seconds(15));
        assert_eq!(recent.predict(&job(1)), Some(Seconds(12)));
    }

    #[test]
    fn forgets_the_oldest_first() {
        let mut recent = Recent::new(3, Statistic::Median);
        for run in [500, 1, 2, 3] {
            recent.learn(&job(1), Seconds(run));
        }
        assert_eq!(recent.predict(&job(1)), Some(Seconds(2)));
        recent.learn(&job(1), Seconds(900));
        assert_eq!(recent.predict(&job(1)), Some(Seconds(3)));
    }
}
