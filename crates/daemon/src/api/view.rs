//! What one asker may see of the board: the only door from the interface's routes to what is published.
//!
//! For: authorising in one place. A route gets a [`View`] and nothing else, so one that forgets to ask who asks cannot be
//! written.
//!
//! Not for: how answers look (`answer`).
//!
//! Source: Slurm-web's issue 170, where what one view hid another showed; slurm.conf(5) `PrivateData`.

use std::sync::Arc;

use queuecast_slurm::record::WrittenJobId;
use queuecast_workload::{Seconds, Time};

use super::answer::forecast::{ForecastAnswer, Setting};
use super::answer::freshness::Freshness;
use super::answer::health::HealthAnswer;
use super::answer::limit::LimitAnswer;
use super::answer::places::PlacesAnswer;
use super::answer::problem::Problem;
use super::answer::queue::{QueueAnswer, QueueQuestion};
use super::answer::score::ScoreAnswer;
use super::answer::size::WidthsAnswer;
use super::answer::time::Moment;
use super::answer::why::WhyAnswer;
use super::asker::Sees;
use super::sight::Sight;
use crate::advice::{LimitAdvice, Place, SizeAdvice, Subject, Why};
use crate::published::{Adviser, Health, HypotheticalJob, JobForecast, NoEstimate, PublishedJob};

/// The board as one asker sees it.
pub(crate) struct View {
    sight: Arc<Sight>,
    sees: Sees,
    freshness: Freshness,
    horizon: Seconds,
}

/// A hypothetical job that may be asked about, and who forecasts it.
pub(crate) struct Advice {
    pub adviser: Arc<dyn Adviser>,
    pub job: HypotheticalJob,
    not_considered: Vec<String>,
}

/// A job that may be asked about, and who is asked.
pub(crate) struct JobAdvice {
    pub adviser: Arc<dyn Adviser>,
    pub job: PublishedJob,
}

impl JobAdvice {
    pub fn subject(&self) -> Subject {
        Subject::Waiting(self.job.job_id)
    }
}

impl Advice {
    pub fn subject(&self) -> Subject {
        Subject::Hypothetical(self.job.clone())
    }
}

impl View {
    pub fn new(sight: Arc<Sight>, sees: Sees, now: Time, horizon: Seconds) -> Self {
        let freshness = Freshness::of(&sight.published, now);
        Self { sight, sees, freshness, horizon }
    }

    /// What is said of a job. That it is somebody else's looks like that it does not exist.
    pub fn job(&self, asked: &str) -> Result<ForecastAnswer, Problem> {
        let job = self.find(asked)?;
        Ok(self.setting().of_job(job, self.score().lately(&job.partitions)))
    }

    fn find(&self, asked: &str) -> Result<&PublishedJob, Problem> {
        self.knows_who_asks()?;
        let id = WrittenJobId::parse(asked.as_bytes()).filter(|id| !id.is_step).ok_or_else(Problem::not_a_job_id)?;
        self.sight.find(&id, |job| self.may_see(job)).ok_or_else(|| Problem::no_such_job(asked))
    }

    /// The waiting jobs.
    pub fn queue(&self, question: &QueueQuestion) -> Result<QueueAnswer, Problem> {
        self.knows_who_asks()?;
        let page = question.page()?;
        let jobs = &self.sight.published.jobs;
        let from = question.after.map_or(0, |after| jobs.partition_point(|job| job.job_id <= after));
        let wanted = |job: &&PublishedJob| {
            job.started.is_none()
                && question.user.as_ref().is_none_or(|user| job.user == *user)
                && question.partition.as_ref().is_none_or(|partition| job.partitions.contains(partition))
                && self.may_see(job)
        };
        // One more than asked for tells whether there is another page.
        let mut found: Vec<&PublishedJob> = jobs[from..].iter().filter(wanted).take(page + 1).collect();
        let is_last = found.len() <= page;
        found.truncate(page);
        let next_after = if is_last { None } else { found.last().map(|job| job.job_id) };
        let (setting, score) = (self.setting(), self.score());
        let answers = found.into_iter().map(|job| setting.of_job(job, score.lately(&job.partitions)));
        Ok(QueueAnswer {
            cluster: self.sight.published.cluster.clone(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            jobs: answers.collect(),
            next_after,
        })
    }

    /// Who forecasts this job that does not exist. Whose it is and what it is called count only if they are the asker's
    /// own, or else one could learn how long another user's jobs of some name run.
    pub fn advice(&self, mut job: HypotheticalJob) -> Result<Advice, Problem> {
        self.knows_who_asks()?;
        let adviser = self.sight.published.adviser.clone().ok_or_else(Problem::not_ready)?;
        let mut not_considered = Vec::new();
        if !self.is_own_name(job.user.as_deref()) {
            for (field, value) in [("user", &mut job.user), ("name", &mut job.name)] {
                not_considered.extend(value.take().map(|_| field.to_owned()));
            }
        }
        Ok(Advice { adviser, job, not_considered })
    }

    /// What is said of a job that does not exist.
    pub fn advised(&self, advice: &Advice, forecast: &JobForecast) -> ForecastAnswer {
        let partitions: Vec<String> = advice.job.partition.iter().cloned().collect();
        let lately = self.score().lately(&partitions);
        self.setting().of_hypothetical(&advice.job, forecast, lately, advice.not_considered.clone())
    }

    /// Whom to ask about a job.
    pub fn job_advice(&self, asked: &str) -> Result<JobAdvice, Problem> {
        let job = self.find(asked)?.clone();
        let adviser = self.sight.published.adviser.clone().ok_or_else(Problem::not_ready)?;
        Ok(JobAdvice { adviser, job })
    }

    /// Limits for a job that does not exist.
    pub fn limits_of_hypothetical(&self, advice: &Advice, found: Result<LimitAdvice, NoEstimate>) -> LimitAnswer {
        self.setting().limits((&advice.job).into(), advice.not_considered.clone(), found)
    }

    /// Limits for a job.
    pub fn limits_of_job(&self, advice: &JobAdvice, found: Result<LimitAdvice, NoEstimate>) -> LimitAnswer {
        self.setting().limits((&advice.job).into(), Vec::new(), found)
    }

    /// Where a job that does not exist could run.
    pub fn places(&self, advice: &Advice, found: Vec<Place>) -> PlacesAnswer {
        self.setting().places((&advice.job).into(), advice.not_considered.clone(), found)
    }

    /// How wide a job that does not exist could run.
    pub fn widths(&self, advice: &Advice, found: Result<SizeAdvice, NoEstimate>) -> WidthsAnswer {
        self.setting().widths((&advice.job).into(), advice.not_considered.clone(), found)
    }

    /// What holds a job.
    pub fn why(&self, advice: &JobAdvice, found: Result<Why, NoEstimate>) -> WhyAnswer {
        let forecast = self.setting().of_job(&advice.job, self.score().lately(&advice.job.partitions));
        self.setting().why(forecast, found, self.sees == Sees::Everything)
    }

    /// The scorecard.
    pub fn score(&self) -> &ScoreAnswer {
        match self.sees {
            Sees::Everything => &self.sight.score,
            Sees::Own(_) | Sees::Nothing => &self.sight.coarse_score,
        }
    }

    /// How the daemon is.
    pub fn health(&self) -> HealthAnswer {
        HealthAnswer::new(&self.sight.published, self.freshness, self.sees == Sees::Everything)
    }

    /// Counts that name nobody, for metrics.
    pub fn figures(&self) -> Figures<'_> {
        Figures {
            health: &self.sight.published.health,
            now: self.freshness.now,
            waiting: self.sight.waiting,
            running: self.sight.running,
            score: self.score(),
        }
    }

    fn setting(&self) -> Setting<'_> {
        Setting { cluster: &self.sight.published.cluster, freshness: self.freshness, horizon: self.horizon }
    }

    fn knows_who_asks(&self) -> Result<(), Problem> {
        if self.sees == Sees::Nothing { Err(Problem::jobs_are_private()) } else { Ok(()) }
    }

    /// A job of which Slurm did not say whose it is is nobody's own.
    fn may_see(&self, job: &PublishedJob) -> bool {
        match self.sees {
            Sees::Everything => true,
            Sees::Own(user) => job.user_id == Some(user),
            Sees::Nothing => false,
        }
    }

    /// The kernel tells numbers and not names: a name is the asker's own if one of their jobs bears it.
    fn is_own_name(&self, name: Option<&str>) -> bool {
        let jobs = &self.sight.published.jobs;
        match self.sees {
            Sees::Everything => true,
            Sees::Own(user) => {
                name.is_some_and(|name| jobs.iter().any(|job| job.user_id == Some(user) && job.user == name))
            }
            Sees::Nothing => false,
        }
    }
}

/// Counts that name nobody.
pub(crate) struct Figures<'a> {
    pub health: &'a Health,
    pub now: Time,
    pub waiting: u64,
    pub running: u64,
    pub score: &'a ScoreAnswer,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::answer::score::{CoverageAnswer, FiguresAnswer, ScoreGroupAnswer};
    use crate::api::metrics::{self, Requests};
    use crate::api::test_board::{NOW, job, published};

    fn group(name: &str, jobs: u64) -> ScoreGroupAnswer {
        let figures = FiguresAnswer {
            forecasts: 20 * jobs,
            jobs,
            coverage: Some(CoverageAnswer { p50: 0.5, p80: 0.8, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresAnswer::default()
        };
        ScoreGroupAnswer { name: name.to_owned(), first: figures.clone(), all: figures }
    }

    /// A board whose every job is in a partition with so many scored jobs.
    fn view(jobs: u64, sees: Sees) -> View {
        let score = ScoreAnswer {
            overall: Some(group("all", jobs)),
            by_partition: vec![group("batch", jobs)],
            by_class: vec![group("up to 1 h", jobs)],
        };
        let sight = Sight::with_score(Arc::new(published(vec![job(7)])), score);
        View::new(Arc::new(sight), sees, NOW, Seconds(86_400))
    }

    #[test]
    fn the_score_of_a_few_jobs_is_in_no_answer_to_those_who_may_not_see_them() {
        for (jobs, sees, is_told) in [
            (4, Sees::Everything, true),
            (4, Sees::Own(1_000), false),
            (4, Sees::Nothing, false),
            (5, Sees::Own(1_000), true),
            (5, Sees::Nothing, true),
        ] {
            let view = view(jobs, sees);
            assert_eq!(view.score().overall.is_some(), is_told, "{jobs} {sees:?}");
            assert_eq!(!view.score().by_partition.is_empty(), is_told, "{jobs} {sees:?}");
            let metrics = metrics::text(&view.figures(), &Requests::default());
            assert_eq!(metrics.contains("queuecast_range80_coverage_ratio 0.8"), is_told, "{metrics}");
            assert_eq!(metrics.contains("queuecast_median_absolute_error_seconds 240.0"), is_told, "{metrics}");
            if sees != Sees::Nothing {
                let lately = view.job("7").expect("an own job").lately;
                assert_eq!(lately.is_some(), is_told, "{jobs} {sees:?}");
            }
        }
    }
}
