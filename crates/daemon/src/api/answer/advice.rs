//! What several kinds of advice have in common, made an answer: when it was given, what is said of a job, what a change does.
//!
//! Not for: who may see it (`view`).

use queuecast_advise::change::Effect;
use queuecast_forecast::estimate::JobForecast;

use super::setting::{Setting, no_forecast};
use queuecast_api::advice::{ContextResponse, ForecastTimesResponse, GainResponse};
use queuecast_api::ranges::SpanRangeResponse;
use queuecast_api::time::Moment;

impl Setting<'_> {
    /// When this is said.
    pub fn said(&self) -> ContextResponse {
        ContextResponse {
            cluster: self.cluster.to_owned(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            not_modelled: self.not_modelled.to_vec(),
        }
    }

    /// What is said of a job that has not started.
    pub fn outlook(&self, forecast: &JobForecast) -> ForecastTimesResponse {
        match self.settled(None, forecast) {
            Ok(settled) => ForecastTimesResponse {
                start: Some(settled.start()),
                run: Some(settled.run()),
                completion: Some(settled.completion()),
                no_forecast: None,
            },
            Err(none) => {
                ForecastTimesResponse { start: None, run: None, completion: None, no_forecast: Some(no_forecast(none)) }
            }
        }
    }
}

/// What a change does.
pub(super) fn effect(effect: Effect) -> GainResponse {
    GainResponse {
        earlier_median_seconds: effect.earlier_median.0,
        earlier_range80: SpanRangeResponse { from_seconds: effect.earlier_low.0, to_seconds: effect.earlier_high.0 },
        share_earlier: effect.share_earlier,
    }
}
