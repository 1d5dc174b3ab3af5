//! What several kinds of advice have in common: when it was given, what is said of a job, what a change does.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::forecast::NoEstimateAnswer;
use super::ranges::{SpanRangeAnswer, SpansAnswer, TimesAnswer};
use super::time::Moment;

/// When something was said, and how old what it was said from was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SaidAnswer {
    /// The cluster's name.
    pub cluster: String,
    /// The cluster's time when this was answered: what `seconds_from_now` counts from.
    pub now: Moment,
    /// When the forecasts were made.
    pub made: Option<Moment>,
    /// How long ago the queue was last read.
    pub data_age_seconds: Option<i64>,
    /// What was asked of the job and has no part in what is said, because it is not played, such as `constraint`.
    #[serde(default)]
    pub not_played: Vec<String>,
}

/// What is said of a job. Either `no_estimate` is `null`, or `start`, `run` and `completion` are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutlookAnswer {
    /// When it starts.
    pub start: Option<TimesAnswer>,
    /// How long it runs.
    pub run: Option<SpansAnswer>,
    /// When it ends.
    pub completion: Option<TimesAnswer>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// What a change does to a job's start, in futures that are otherwise the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EffectAnswer {
    /// By how much it starts earlier: in half of the futures by more. Negative if later.
    pub earlier_median_seconds: i64,
    /// In eight of ten futures between these.
    pub earlier_range80: SpanRangeAnswer,
    /// In which share of the futures it starts earlier at all.
    pub share_earlier: f64,
}

impl OutlookAnswer {
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
