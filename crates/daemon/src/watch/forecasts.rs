//! Forecasting everybody beside the watching, keeping what is to be scored, and scoring it.
//!
//! For: one forecast at a time, of the newest reading there is when it begins. While it is made facts are read, kept and learnt as
//! always; when it is made it is kept, and only then told.
//!
//! Not for: how a queue is forecast (`forecasting`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use queuecast_records::JobRecord;
use queuecast_workload::Time;

use super::background::Done;
use super::publish::{can_be_scored, in_order, published};
use super::watcher::{ForecastDeadlines, Watcher};
use crate::store::{KeptForecast, StoreError};
use queuecast_advise::Adviser;
use queuecast_forecast::estimate::JobForecast;
use queuecast_forecast::pooled::Answer;
use queuecast_forecast::queue::{Patience, PlayedEffort};
use queuecast_forecast::score::ScoredForecast;
use queuecast_site::cluster::Situation;
use queuecast_site::forecasting::should_keep;
use queuecast_site::forecasting::{Forecasting, Said, expert_medians};
use queuecast_site::ledger::StoredJobId;
use queuecast_site::published::PublishedJob;

/// So many scored forecasts are taken at once.
const SCORED_AT_ONCE: usize = 10_000;

/// A reading that is to be forecast, and everything it takes.
struct Task {
    made: Time,
    records: Arc<[JobRecord]>,
    situation: Situation,
    /// Of everybody who waits, in the situation's order: the row under which a forecast is kept, if one is to be.
    to_be_kept: Vec<Option<StoredJobId>>,
    forecasting: Forecasting,
    patience: Patience,
}

/// A reading that was forecast.
pub struct Finished {
    made: Time,
    took: Duration,
    kept: Vec<KeptForecast>,
    /// What it takes to learn from those.
    answers: Vec<(StoredJobId, Box<Answer>)>,
    jobs: Arc<[PublishedJob]>,
    adviser: Arc<dyn Adviser>,
    effort: PlayedEffort,
}

/// Whether a forecast is being made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Making {
    /// None is.
    #[default]
    Nothing,
    /// One is, of the newest reading.
    Newest,
    /// One is, and the queue has been read since.
    Older,
}

impl Task {
    fn finish(self) -> Finished {
        let begun = Instant::now();
        let (waiting, running) = (self.situation.waiting.clone(), self.situation.running.clone());
        let forecasts = self.forecasting.forecast(self.situation, self.patience);
        let mut kept = Vec::new();
        let mut answers = Vec::new();
        let mut jobs = Vec::with_capacity(waiting.len() + running.len());
        for ((job, said), row) in waiting.iter().zip(forecasts.waiting).zip(self.to_be_kept) {
            let record = &self.records[job.record];
            let keep = row.and_then(|row| to_keep(row, self.made, &said, record.planned_start));
            let is_kept = keep.is_some();
            kept.extend(keep);
            if let (Some(row), Some((_, answer))) = (row.filter(|_| is_kept), said.raw) {
                answers.push((row, answer));
            }
            jobs.push(published(record, said.forecast, is_kept));
        }
        for ((record, _), forecast) in running.iter().zip(forecasts.running) {
            jobs.push(published(&self.records[*record], forecast, false));
        }
        let (jobs, adviser, effort) = (in_order(jobs), forecasts.adviser, forecasts.effort);
        Finished { made: self.made, took: begun.elapsed(), kept, answers, jobs, adviser, effort }
    }
}

fn to_keep(job: StoredJobId, made: Time, said: &Said, slurm_estimate: Option<Time>) -> Option<KeptForecast> {
    let (JobForecast::Estimate(estimate), Some((raw, answer))) = (&said.forecast, &said.raw) else { return None };
    Some(KeptForecast {
        job,
        made,
        start: estimate.start.times,
        raw: *raw,
        run_median: Some(estimate.run.spans[4]),
        completion_median: Some(estimate.completion.times[4]),
        slurm_estimate,
        experts: expert_medians(answer, made),
    })
}

impl Watcher {
    /// Scores the forecasts whose jobs have started, and learns from how far off they were.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        loop {
            let from = self.scored;
            let Some(scored) = self.stored(|store| store.scored(from, SCORED_AT_ONCE))? else { return Ok(()) };
            for (number, forecast) in &scored {
                self.scored = Some(*number);
                self.scorekeeper.add(forecast);
                if self.observed.counts_forecast(forecast) {
                    Arc::make_mut(&mut self.observed).scored(forecast);
                }
                let ScoredForecast { raw, submitted, made, started, .. } = forecast;
                self.forecasting.correction.learn(raw, *submitted, *made, *started);
            }
            if !scored.is_empty() {
                self.score = Arc::new(self.scorekeeper.score());
                self.has_news = true;
            }
            if scored.len() < SCORED_AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Begins to forecast everybody, unless that is being done: then it is begun again when that is finished.
    pub(super) fn begin_forecast(&mut self) {
        if self.making != Making::Nothing {
            self.making = Making::Older;
            return;
        }
        let Some(task) = self.task() else { return };
        self.making = Making::Newest;
        self.background.begin("forecast", move || Done::Forecast(Box::new(task.finish())));
    }

    fn task(&mut self) -> Option<Task> {
        let reading = self.latest.reading()?;
        let made = reading.now;
        let (learner, identities) = (&mut self.forecasting.learner, &self.identities);
        learner.advance(made);
        let situation = Situation::of(&reading, |record| learner.described(identities.row(record), record));
        self.health.queue.bad_records += situation.problems.len() as u64;
        let last_kept: &HashMap<_, _> = &self.last_kept;
        let row = |record: &JobRecord| {
            let row = identities.row(record).filter(|_| can_be_scored(record))?;
            should_keep(record.key.submitted, last_kept.get(&row).copied(), made).then_some(row)
        };
        let to_be_kept = situation.waiting.iter().map(|job| row(&reading.jobs[job.record])).collect();
        let (_, records) = self.latest.queue.clone()?;
        let patience = self.patience();
        Some(Task { made, records, situation, to_be_kept, forecasting: self.forecasting.clone(), patience })
    }

    /// A first forecast is not waited for long: a coarse answer is better than none. Later ones may take longer, and facts are not late for them.
    fn patience(&self) -> Patience {
        let ForecastDeadlines { first, later } = self.settings.deadlines;
        let within = if self.forecast_made.is_none() { first } else { later };
        match Instant::now().checked_add(within) {
            Some(deadline) => Patience::until(move || Instant::now() >= deadline),
            None => Patience::ENDLESS,
        }
    }

    /// Keeps what was forecast and is to be scored; then it may be told.
    pub(super) fn forecast_finished(&mut self, finished: Finished) -> Result<(), StoreError> {
        let Finished { made, took, mut kept, mut answers, mut jobs, adviser, effort } = finished;
        if self.stored(|store| store.give(&kept))?.is_none() {
            // It is told all the same, and not scored.
            kept.clear();
            answers.clear();
            jobs = jobs.iter().map(|job| PublishedJob { kept: false, ..job.clone() }).collect();
        }
        for (job, answer) in answers {
            self.forecasting.learner.keep(job, *answer);
        }
        // Who left while it was made is not remembered again.
        let open = self.identities.rows();
        let kept = kept.iter().filter(|forecast| open.contains(&forecast.job));
        self.last_kept.extend(kept.map(|forecast| (forecast.job, made)));
        self.jobs = jobs;
        self.adviser = Some(adviser);
        self.forecast_made = Some(made);
        self.health.forecast_seconds = took.as_secs_f64();
        self.health.effort = effort;
        self.has_news = true;
        let is_newest = std::mem::take(&mut self.making) == Making::Newest;
        self.forget()?;
        if !is_newest {
            self.begin_forecast();
        }
        Ok(())
    }
}
