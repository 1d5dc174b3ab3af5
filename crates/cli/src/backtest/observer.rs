//! Hears the back-test: what was said and came goes into the scores, and if asked for into a file, forecast by forecast.

use std::io::Write;
use std::path::Path;

use queuecast_advise::limit::{AdvisedJob, LimitObserver};
use queuecast_evaluate::limit::LimitScores;
use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::MEDIAN;
use queuecast_site::backtest::{BacktestObserver, BacktestScores, MadeForecast, PastJob, PastJobs};
use queuecast_workload::files::Output;
use queuecast_workload::{Seconds, Submission, Time};

use crate::ask::inert::inert;
use crate::failure::{Failure, OnSide};
use crate::output::not_a_formula;

/// Those of experts follow, the middle of what each said by itself.
const COLUMNS: [&str; 19] = [
    "job",
    "partition",
    "limit_seconds",
    "processors",
    "arrived",
    "made",
    "first",
    "p025",
    "p05",
    "p10",
    "p25",
    "p50",
    "p75",
    "p90",
    "p95",
    "p975",
    "plan",
    "last_waits",
    "started",
];

/// A file with a line for every forecast whose job started.
pub struct Details {
    writer: csv::Writer<Output>,
    failure: Option<csv::Error>,
}

impl Details {
    /// Makes sure that it can be written, before anything is played.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let mut writer = csv::Writer::from_writer(Output::create(path).writing()?);
        let experts = EXPERTS.map(|name| format!("expert_{}", name.replace(':', "_")));
        writer.write_record(COLUMNS.into_iter().chain(experts.iter().map(String::as_str))).writing()?;
        Ok(Self { writer, failure: None })
    }

    fn add(&mut self, job: &PastJob, partition: &str, forecast: &MadeForecast) {
        let time = |time: Option<Time>| time.map_or_else(String::new, |time| time.0.to_string());
        let head = [
            job.number.to_string(),
            not_a_formula(&inert(partition)),
            job.limit().map_or_else(String::new, |limit| limit.0.to_string()),
            job.asked.processors.to_string(),
            job.arrived.0.to_string(),
            forecast.made.0.to_string(),
            u8::from(forecast.first).to_string(),
        ];
        let said = forecast.said.map(|said| said.0.to_string());
        let tail = [time(forecast.plan), time(forecast.last_waits), job.started().0.to_string()];
        let experts = forecast.experts.map(|said| said[MEDIAN].0.to_string());
        if self.failure.is_none() {
            self.failure = self.writer.write_record(head.iter().chain(&said).chain(&tail).chain(&experts)).err();
        }
    }

    fn finish(self) -> Result<(), Failure> {
        if let Some(failure) = self.failure {
            return Err(failure).writing();
        }
        let mut output = self.writer.into_inner().map_err(|error| anyhow::anyhow!("{}", error.error())).writing()?;
        output.flush().writing()?;
        output.finish().writing()
    }
}

/// Hears everything.
pub struct Observer<'a> {
    past: &'a PastJobs,
    pub scores: BacktestScores,
    limits: LimitScores,
    details: Option<Details>,
}

impl<'a> Observer<'a> {
    pub fn new(past: &'a PastJobs, limits: LimitScores, details: Option<Details>) -> Self {
        Self { past, scores: BacktestScores::default(), limits, details }
    }

    pub fn finish(self) -> Result<(BacktestScores, LimitScores), Failure> {
        self.details.map(Details::finish).transpose()?;
        Ok((self.scores, self.limits))
    }
}

impl LimitObserver for Observer<'_> {
    fn advised(&mut self, job: AdvisedJob<'_>) {
        self.limits.advised(job);
    }

    fn ended(&mut self, job: &Submission, run: Seconds) {
        self.limits.ended(job, run);
    }
}

impl BacktestObserver for Observer<'_> {
    fn started(&mut self, job: &PastJob, forecasts: &[MadeForecast]) {
        let partition = self.past.partition(job);
        self.scores.started(job, partition, forecasts);
        if let Some(details) = &mut self.details {
            for forecast in forecasts {
                details.add(job, partition, forecast);
            }
        }
    }
}
