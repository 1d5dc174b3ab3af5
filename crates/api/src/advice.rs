//! What several kinds of advice have in common: when it was given, what is said of a job, what a change does.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::forecast::NoForecastResponse;
use super::ranges::{SpanRangeResponse, SpansResponse, TimesResponse};
use super::time::Moment;

/// Time of the response, and age of the data behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextResponse {
    /// Name of the cluster.
    pub cluster: String,
    /// Time on the cluster when the response was made; `seconds_from_now` counts from here.
    pub now: Moment,
    /// Time at which the forecasts were made.
    pub made: Option<Moment>,
    /// Age of the last queue poll, in seconds.
    pub data_age_seconds: Option<i64>,
    /// Requested properties of the job that the forecast ignores because they are not simulated, such as `constraint`.
    #[serde(default)]
    pub not_modelled: Vec<String>,
}

/// Forecast of a job. Either `no_forecast` is `null`, or `start`, `run` and `completion` are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForecastTimesResponse {
    /// Start time.
    pub start: Option<TimesResponse>,
    /// Run time.
    pub run: Option<SpansResponse>,
    /// End time.
    pub completion: Option<TimesResponse>,
    /// Reason for having no forecast.
    pub no_forecast: Option<NoForecastResponse>,
}

/// Effect of a change on the job's start, compared in simulations that are otherwise the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GainResponse {
    /// Median time in seconds by which the job starts earlier; negative if it starts later.
    pub earlier_median_seconds: i64,
    /// 80 % range of that time.
    pub earlier_range80: SpanRangeResponse,
    /// Share of the simulations in which the job starts earlier.
    pub share_earlier: f64,
}

impl ForecastTimesResponse {
    /// When it ends, by the shares that are told, in seconds since 1970.
    pub fn completion_shares(&self) -> Option<Vec<(f64, f64)>> {
        let times = self.completion.as_ref()?;
        let range = |share: f64, moment: &Moment| (share, moment.unix as f64);
        Some(vec![
            range(0.025, &times.range95.from),
            range(0.1, &times.range80.from),
            range(0.25, &times.range50.from),
            range(0.5, &times.median),
            range(0.75, &times.range50.to),
            range(0.9, &times.range80.to),
            range(0.975, &times.range95.to),
        ])
    }
}
