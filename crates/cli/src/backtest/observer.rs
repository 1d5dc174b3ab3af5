//! Hears the back-test: what was said and came goes into the scores, and if asked for into a file, forecast by forecast.

use queuecast_advise::limit::{AdvisedJob, LimitObserver};
use queuecast_evaluate::limit::LimitScores;
use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::MEDIAN;
use queuecast_site::backtest::{BacktestObserver, BacktestScores, MadeForecast, PastJob, PastJobs};
use queuecast_workload::{Seconds, Submission, Time};

use crate::ask::inert::inert;
use crate::details::{Column, Details, Kind, Value};

/// A row is a forecast whose job started. Columns of experts follow, the middle of what each said by itself.
const COLUMNS: [Column; 19] = [
    ("job", Kind::Integer),
    ("partition", Kind::Text),
    ("limit_seconds", Kind::Integer),
    ("processors", Kind::Integer),
    ("arrived", Kind::Integer),
    ("made", Kind::Integer),
    ("first", Kind::Integer),
    ("p025", Kind::Integer),
    ("p05", Kind::Integer),
    ("p10", Kind::Integer),
    ("p25", Kind::Integer),
    ("p50", Kind::Integer),
    ("p75", Kind::Integer),
    ("p90", Kind::Integer),
    ("p95", Kind::Integer),
    ("p975", Kind::Integer),
    ("plan", Kind::Integer),
    ("last_waits", Kind::Integer),
    ("started", Kind::Integer),
];

/// All columns.
pub fn columns() -> Vec<(String, Kind)> {
    let experts = EXPERTS.map(|name| (format!("expert_{}", name.replace(':', "_")), Kind::Integer));
    COLUMNS.map(|(name, kind)| (name.to_owned(), kind)).into_iter().chain(experts).collect()
}

fn add(details: &mut Details, job: &PastJob, partition: &str, forecast: &MadeForecast) {
    let time = |time: Option<Time>| Value::from(time.map(|time| time.0));
    let partition = inert(partition);
    let mut row: Vec<Value<'_>> = vec![
        job.number.into(),
        partition.as_str().into(),
        job.limit().map(|limit| limit.0).into(),
        job.asked.processors.into(),
        job.arrived.0.into(),
        forecast.made.0.into(),
        u32::from(forecast.first).into(),
    ];
    row.extend(forecast.said.map(|said| Value::from(said.0)));
    row.extend([time(forecast.plan), time(forecast.last_waits), job.started().0.into()]);
    row.extend(forecast.experts.map(|said| Value::from(said[MEDIAN].0)));
    details.add(&row);
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

    /// What came of it.
    pub fn finish(self) -> (BacktestScores, LimitScores, Option<Details>) {
        (self.scores, self.limits, self.details)
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
                add(details, job, partition, forecast);
            }
        }
    }
}
