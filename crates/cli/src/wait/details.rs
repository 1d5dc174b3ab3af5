//! `--details` of `qcast wait`: what each method said of each job, and how long it waited.

use queuecast_forecast::score::SHARES;
use queuecast_forecast::{ForecastJob, ForecastObserver};
use queuecast_workload::TracedJob;

use crate::details::{Column, Details, Kind, Value};

/// A row is a forecast whose job has started. Quantiles are at [`SHARES`].
pub const COLUMNS: [Column; 20] = [
    ("method", Kind::Text),
    ("job", Kind::Integer),
    ("user", Kind::Integer),
    ("submitted", Kind::Integer),
    ("processors", Kind::Integer),
    ("limit_seconds", Kind::Integer),
    ("scored", Kind::Truth),
    ("point_seconds", Kind::Number),
    ("p025_seconds", Kind::Number),
    ("p05_seconds", Kind::Number),
    ("p10_seconds", Kind::Number),
    ("p25_seconds", Kind::Number),
    ("p50_seconds", Kind::Number),
    ("p75_seconds", Kind::Number),
    ("p90_seconds", Kind::Number),
    ("p95_seconds", Kind::Number),
    ("p975_seconds", Kind::Number),
    ("bound95_seconds", Kind::Number),
    ("class", Kind::Integer),
    ("wait_seconds", Kind::Integer),
];

/// Writes a row for every forecast.
pub struct ForecastRows<'a> {
    pub details: &'a mut Details,
    pub method: &'a str,
    /// The jobs by handle: the number that the log gives each.
    pub jobs: &'a [TracedJob],
    pub from: u64,
    pub to: u64,
}

impl ForecastObserver for ForecastRows<'_> {
    fn started(&mut self, job: ForecastJob<'_>) {
        let ForecastJob { submission, forecast, wait } = job;
        let place = submission.job.0;
        let number = usize::try_from(place).ok().and_then(|place| self.jobs.get(place)).map(|job| job.number);
        let mut row: Vec<Value<'_>> = vec![
            self.method.into(),
            number.into(),
            submission.user.map(|user| user.0).into(),
            submission.submitted.0.into(),
            submission.request.processors.into(),
            submission.limit.map(|limit| limit.0).into(),
            (self.from..self.to).contains(&place).into(),
            forecast.point_seconds.into(),
        ];
        row.extend(SHARES.map(|share| Value::from(forecast.distribution.quantile(share))));
        let class = i64::try_from(forecast.ranges.single.index()).unwrap_or(i64::MAX);
        row.extend([Value::from(forecast.bound95_seconds), class.into(), wait.0.into()]);
        self.details.add(&row);
    }
}
