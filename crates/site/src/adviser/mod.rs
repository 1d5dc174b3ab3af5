//! Advice from futures played again.
//!
//! For: a job that does not exist, which is put where its priority puts it and played; one that waits, whose futures are played again
//! with the change (`queuecast_advise::change`). Nothing in here is guessed.
//!
//! Not for: who may ask for it, and how it is told (`api`).

mod answers;
mod limits;
mod places;
pub mod reasons;
mod supposed;
mod table;
mod why;
mod widths;

use std::sync::{Arc, PoisonError, RwLock};

use self::answers::Answers;
use queuecast_advise::change::{Change, starts_with, without_those_far_behind};
use queuecast_advise::limit::LimitAdvisers;
use queuecast_advise::width::ScalingMemory;
use queuecast_forecast::forward::HistorySampler;
use queuecast_forecast::queue::{Patience, PlayableQueue, QueueSettings, Threads, forecast_job};
use queuecast_predict::distribution::{RuntimeDistribution, RuntimeDistributions};
use queuecast_records::history::History;
use queuecast_workload::{JobId, Request, Seconds, Submission, Time};

use crate::cluster::{Imagined, Situation, WaitingJob};
use crate::forecasting::{
    Learner, RangeCorrection, SharedHistory, SharedWaits, start_times, times, waiting_job, waits_in,
};
use queuecast_advise::{Adviser, HypotheticalJob};
use queuecast_advise::{LimitAdvice, Place, SizeAdvice, SizeQuestion, Subject, TableRequest, TableRow, Why};
use queuecast_forecast::estimate::{JobForecast, NoForecast};

/// So many behind a job are played with it when only its own start is asked for.
const BEHIND: usize = 300;
/// So many jobs times futures are played for one change, at most; and so many futures, at least and at most.
const JOBS_PLAYED: usize = 20_000;
const FUTURES_LEAST: usize = 12;
const FUTURES_MOST: usize = 50;

/// Answers from the futures of one moment.
#[derive(Clone)]
pub struct OpenAdviser {
    situation: Arc<Situation>,
    runs: SharedHistory,
    names: Arc<RwLock<History>>,
    limits: Arc<RwLock<LimitAdvisers>>,
    scaling: Arc<RwLock<ScalingMemory>>,
    waits: SharedWaits,
    correction: Arc<RangeCorrection>,
    settings: QueueSettings,
    answers: Arc<Answers>,
}

impl OpenAdviser {
    /// From one situation and what was played of it.
    pub fn new(situation: Situation, learner: &Learner, correction: RangeCorrection, settings: QueueSettings) -> Self {
        Self {
            situation: Arc::new(situation),
            runs: learner.shared(),
            names: learner.shared_names(),
            limits: learner.shared_limits(),
            scaling: learner.shared_scaling(),
            waits: learner.shared_waits(),
            correction: Arc::new(correction),
            settings,
            answers: Arc::default(),
        }
    }

    fn now(&self) -> Time {
        self.situation.core.now
    }

    fn submission(&self, job: &HypotheticalJob, planned: Seconds) -> Submission {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        Submission {
            job: JobId(u64::MAX),
            submitted: self.now(),
            request: Request { processors: job.processors() },
            limit: Some(planned),
            user: job.user.as_deref().and_then(|name| names.user(name)),
            group: None,
            program: job.name.as_deref().and_then(|name| names.program(name)),
            queue: None,
            partition: job.partition.as_deref().and_then(|name| names.partition(name)),
        }
    }

    /// How long a job may run that has not started.
    fn distribution(&self, submission: &Submission) -> RuntimeDistribution {
        self.runs.distribution(submission, Seconds::ZERO, self.now())
    }

    fn horizon(&self) -> Time {
        self.now() + self.settings.horizon
    }

    /// When a job that came now would start, future by future.
    fn starts(&self, job: &Imagined, submission: Submission) -> Vec<Option<Time>> {
        let (queue, place) = self.situation.with(job, submission);
        let near = without_those_far_behind(&queue, place, BEHIND);
        forecast_job(&near, place, &mut self.sampler(), &self.as_far_as(&near))
    }

    fn sampler(&self) -> HistorySampler<SharedHistory> {
        HistorySampler::new(self.runs.clone())
    }

    /// As many futures as a queue of this length is given for one answer.
    fn as_far_as(&self, queue: &PlayableQueue) -> QueueSettings {
        let jobs = queue.tasks(self.settings.tasks_played).max(1);
        let futures = (JOBS_PLAYED / jobs).clamp(FUTURES_LEAST, FUTURES_MOST) as u64;
        QueueSettings { futures: futures.min(self.settings.futures), ..self.settings.clone() }
    }

    /// What is said of this job, if it starts so in the futures and runs so long.
    fn said(&self, job: &Submission, starts: &[Option<Time>], run: impl Fn(f64) -> Seconds) -> JobForecast {
        self.said_changed(job, starts, starts, run)
    }

    /// What is said of this job once something is changed: as much earlier or later than what is said of it unchanged as the futures have it. So a change
    /// that changes nothing is told as the job itself is.
    fn said_changed(
        &self,
        job: &Submission,
        unchanged: &[Option<Time>],
        starts: &[Option<Time>],
        run: impl Fn(f64) -> Seconds,
    ) -> JobForecast {
        let (now, horizon) = (self.now(), self.horizon());
        let raw = match start_times(starts, horizon) {
            Ok(raw) => raw,
            Err(none) => return JobForecast::NoForecast(none),
        };
        // A job that does not start as it is, and does with the change, has nothing to be compared with.
        let (unchanged, before) = start_times(unchanged, horizon).map_or((starts, raw), |before| (unchanged, before));
        let pooled = times(&self.waits.ask(job, &waits_in(unchanged, now, horizon), now), now);
        let mut told = self.correction.correct(&pooled, job.submitted, now);
        for (place, time) in told.iter_mut().enumerate() {
            *time = (*time + (raw[place] - before[place])).max(now);
        }
        told.sort_unstable();
        JobForecast::Estimate(waiting_job(&raw, told, starts, &runs_of(starts, run), now, horizon))
    }

    /// A job that waits and can be played: who it is, and its place in the queue.
    fn waiting(&self, job_id: u64) -> Result<(&WaitingJob, usize), NoForecast> {
        let job = self.situation.waiting.iter().find(|job| job.asks.job_id == job_id).ok_or_else(|| NoForecast {
            code: "not_waiting",
            why: "The job is no longer pending, or its submission is not known here yet. Try again in a minute."
                .to_owned(),
        })?;
        job.place.clone().map(|place| (job, place))
    }

    /// The queue as far as it matters to the job at a place, to be played with changes.
    fn replayed(&self, place: usize) -> Replayed<'_> {
        let near = without_those_far_behind(&self.situation.core, place, BEHIND);
        let settings = self.as_far_as(&near);
        let mut replayed = Replayed { adviser: self, near, place, settings, unchanged: Vec::new() };
        replayed.unchanged = replayed.starts(&[]);
        replayed
    }
}

/// One job's part of the queue, played again and again.
struct Replayed<'a> {
    adviser: &'a OpenAdviser,
    near: PlayableQueue,
    place: usize,
    settings: QueueSettings,
    /// When it starts if nothing is different.
    unchanged: Vec<Option<Time>>,
}

impl Replayed<'_> {
    fn starts(&self, changes: &[Change]) -> Vec<Option<Time>> {
        starts_with(&self.near, self.place, changes, &mut self.adviser.sampler(), &self.settings)
    }

    fn horizon(&self) -> Time {
        self.near.now + self.settings.horizon
    }
}

/// A run time for each future, from the shortest to the longest.
fn runs_of(starts: &[Option<Time>], run: impl Fn(f64) -> Seconds) -> Vec<Seconds> {
    let futures = starts.len();
    (0..futures).map(|future| run((future as f64 + 0.5) / futures as f64)).collect()
}

impl Adviser for OpenAdviser {
    fn within(self: Arc<Self>, patience: Patience, threads: Threads) -> Arc<dyn Adviser> {
        Arc::new(Self { settings: QueueSettings { patience, threads, ..self.settings.clone() }, ..(*self).clone() })
    }

    fn forecast(&self, job: &HypotheticalJob) -> JobForecast {
        self.supposed(job)
    }

    fn limits(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        let job = match subject {
            Subject::Hypothetical(job) => job,
            Subject::Waiting(job_id) => {
                let find = || self.limit_advice(subject);
                return self.answers.limits.or_find(*job_id, &self.settings.patience, find);
            }
        };
        let job = self.where_it_would_run(job)?;
        let mut advice = self.limit_advice(&Subject::Hypothetical(job.clone()))?;
        let forecasts = advice.choices.iter_mut().map(|choice| &mut choice.forecast);
        forecasts.chain([&mut advice.as_asked]).for_each(|forecast| self.not_before_it_may(&job, forecast));
        Ok(advice)
    }

    fn places(&self, job: &HypotheticalJob) -> Vec<Place> {
        self.place_advice(job)
    }

    fn widths(&self, job: &HypotheticalJob, question: &SizeQuestion) -> Result<SizeAdvice, NoForecast> {
        let job = self.where_it_would_run(job)?;
        let mut advice = self.width_advice(&job, question)?;
        advice.widths.iter_mut().for_each(|width| self.not_before_it_may(&job, &mut width.forecast));
        Ok(advice)
    }

    fn partitions(&self) -> Vec<&str> {
        self.situation.open_partitions()
    }

    fn table(&self, job: &HypotheticalJob, question: &TableRequest) -> Result<Vec<TableRow>, NoForecast> {
        self.table_of(job, question)
    }

    fn not_modelled(&self, job: &HypotheticalJob) -> Vec<&'static str> {
        supposed::not_modelled(job)
    }

    fn why(&self, job_id: u64) -> Result<Why, NoForecast> {
        self.answers.whys.or_find(job_id, &self.settings.patience, || self.what_holds(job_id))
    }
}

#[cfg(test)]
mod test_adviser;
