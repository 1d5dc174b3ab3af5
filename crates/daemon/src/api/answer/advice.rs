//! What several kinds of advice have in common as answers: when it was given, what is said of a job, what a change does.
//!
//! Not for: who may see it (`view`).

use queuecast_advise::change::Effect;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::forecast::{NoEstimateAnswer, Setting};
use super::ranges::{SpanRangeAnswer, SpansAnswer, TimesAnswer};
use super::time::Moment;
use queuecast_forecast::estimate::JobForecast;

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

impl From<Effect> for EffectAnswer {
    fn from(effect: Effect) -> Self {
        Self {
            earlier_median_seconds: effect.earlier_median.0,
            earlier_range80: SpanRangeAnswer { from_seconds: effect.earlier_low.0, to_seconds: effect.earlier_high.0 },
            share_earlier: effect.share_earlier,
        }
    }
}

impl Setting<'_> {
    /// When this is said.
    pub fn said(&self) -> SaidAnswer {
        SaidAnswer {
            cluster: self.cluster.to_owned(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
        }
    }

    /// What is said of a job that has not started.
    pub fn outlook(&self, forecast: &JobForecast) -> OutlookAnswer {
        match self.settled(None, forecast) {
            Ok(settled) => OutlookAnswer {
                start: Some(settled.start()),
                run: Some(settled.run()),
                completion: Some(settled.completion()),
                no_estimate: None,
            },
            Err(none) => OutlookAnswer { start: None, run: None, completion: None, no_estimate: Some(none.into()) },
        }
    }
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
