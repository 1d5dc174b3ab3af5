//! The user's most recent run times: "recent user history" of Talby et al. (R-T2, median of three) and the mean
//! of the last two that EASY++ plans with (Tsafrir, Etsion and Feitelson).

use std::fmt;

use queuecast_workload::{JobId, Seconds, Submission, UserId};
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

/// Predicts from the user's last jobs.
#[derive(Clone, Debug)]
pub struct Recent {
    parameters: RecentParameters,
    by_user: FxHashMap<UserId, UserHistory>,
}

/// Which of the user's jobs, and what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecentParameters {
    /// How many, at most.
    pub jobs: usize,
    /// How many there must be for an opinion. As many as `jobs` in Listing 3; with one, the rule of Tsafrir et al.
    pub least: usize,
    /// What is made of them.
    pub statistic: Statistic,
    /// The last *started* jobs, running ones at what they are planned to run, instead of the last *ended* ones.
    pub running: bool,
    /// Whether no prediction exceeds the user's limit.
    pub capped: bool,
}

impl RecentParameters {
    /// The last `jobs` ended ones, all of them needed, capped at the limit.
    pub fn new(jobs: usize, statistic: Statistic) -> Self {
        Self { jobs, least: jobs, statistic, running: false, capped: true }
    }
}

/// A ring of the last run times and the prediction they give, made once an end rather than once a question.
#[derive(Clone, Debug, Default)]
struct UserHistory {
    runs: Vec<(JobId, Seconds)>,
    oldest: usize,
    prediction: Option<Seconds>,
}

impl Recent {
    /// From the last jobs (at least one) of the user.
    pub fn new(parameters: RecentParameters) -> Self {
        assert!(parameters.jobs >= 1 && parameters.least >= 1, "a prediction needs at least one job");
        Self { parameters, by_user: FxHashMap::default() }
    }

    /// The user's newest run time.
    fn add(&mut self, job: &Submission, run: Seconds) {
        let Some(user) = job.user else { return };
        let history = self.by_user.entry(user).or_default();
        if history.runs.len() < self.parameters.jobs {
            history.runs.push((job.job, run));
        } else {
            history.runs[history.oldest] = (job.job, run);
            history.oldest = (history.oldest + 1) % self.parameters.jobs;
        }
        history.predict_anew(&self.parameters);
    }

    /// More is known of a job that took its place when it started, unless it has been pushed out since.
    fn correct(&mut self, job: &Submission, run: Seconds) {
        let Some(history) = job.user.and_then(|user| self.by_user.get_mut(&user)) else { return };
        if let Some((_, known)) = history.runs.iter_mut().find(|(other, _)| *other == job.job) {
            *known = run;
            history.predict_anew(&self.parameters);
        }
    }
}

impl UserHistory {
    fn predict_anew(&mut self, parameters: &RecentParameters) {
        if self.runs.len() >= parameters.least {
            let runs: Vec<Seconds> = self.runs.iter().map(|(_, run)| *run).collect();
            self.prediction = Some(parameters.statistic.of(&runs));
        }
    }
}

impl RuntimeModel for Recent {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.by_user.get(&job.user?)?.prediction
    }

    fn learn(&mut self, job: &Submission, run: Seconds) {
        if self.parameters.running {
            self.correct(job, run);
        } else {
            self.add(job, run);
        }
    }

    fn counts_running(&self) -> bool {
        self.parameters.running
    }

    fn started(&mut self, job: &Submission, planned: Seconds) {
        self.add(job, planned);
    }

    fn outlived(&mut self, job: &Submission, planned: Seconds) {
        self.correct(job, planned);
    }
}

impl Statistic {
    /// Of at least one run time.
    pub fn of(self, runs: &[Seconds]) -> Seconds {
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

/// What differs from the paper's rule is named, the rest is not.
impl fmt::Display for RecentParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { jobs, least, statistic, running, capped } = self;
        write!(f, "n={jobs},stat={statistic}")?;
        if least != jobs {
            write!(f, ",least={least}")?;
        }
        if *running {
            f.write_str(",running=yes")?;
        }
        if !capped {
            f.write_str(",cap=no")?;
        }
        Ok(())
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
    use super::*;
    use crate::submissions::job_of;

    #[test]
    fn has_no_opinion_until_enough_jobs_of_the_same_user_ended() {
        let mut recent = Recent::new(RecentParameters::new(2, Statistic::Mean));
        recent.learn(&job_of(1), Seconds(10));
        recent.learn(&job_of(2), Seconds(90));
        assert_eq!(recent.predict(&job_of(1)), None);
        recent.learn(&job_of(1), Seconds(15));
        assert_eq!(recent.predict(&job_of(1)), Some(Seconds(12)));
    }

    #[test]
    fn takes_fewer_jobs_where_that_is_allowed() {
        let mut recent = Recent::new(RecentParameters { least: 1, ..RecentParameters::new(2, Statistic::Mean) });
        recent.learn(&job_of(1), Seconds(10));
        assert_eq!(recent.predict(&job_of(1)), Some(Seconds(10)));
        recent.learn(&job_of(1), Seconds(20));
        assert_eq!(recent.predict(&job_of(1)), Some(Seconds(15)));
    }

    #[test]
    fn forgets_the_oldest_first() {
        let mut recent = Recent::new(RecentParameters::new(3, Statistic::Median));
        for run in [500, 1, 2, 3] {
            recent.learn(&job_of(1), Seconds(run));
        }
        assert_eq!(recent.predict(&job_of(1)), Some(Seconds(2)));
        recent.learn(&job_of(1), Seconds(900));
        assert_eq!(recent.predict(&job_of(1)), Some(Seconds(3)));
    }

    /// Three jobs start; the first is pushed out and does not come back when it ends.
    #[test]
    fn running_jobs_count_at_their_plans_until_they_end() {
        let job = |number| Submission { job: JobId(number), ..job_of(1) };
        let mut recent = Recent::new(RecentParameters { running: true, ..RecentParameters::new(2, Statistic::Mean) });
        recent.started(&job(0), Seconds(1_000));
        recent.started(&job(1), Seconds(100));
        recent.started(&job(2), Seconds(200));
        assert_eq!(recent.predict(&job(3)), Some(Seconds(150)));
        recent.outlived(&job(1), Seconds(400));
        assert_eq!(recent.predict(&job(3)), Some(Seconds(300)));
        recent.learn(&job(2), Seconds(20));
        assert_eq!(recent.predict(&job(3)), Some(Seconds(210)));
        recent.learn(&job(0), Seconds(5));
        assert_eq!(recent.predict(&job(3)), Some(Seconds(210)));
    }
}
