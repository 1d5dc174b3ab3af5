//! What several kinds of advice have in common, made an answer: when it was given, what is said of a job, what a change does.
//!
//! Not for: who may see it (`view`).

use queuecast_advise::change::Effect;
use queuecast_forecast::estimate::JobForecast;

use super::setting::{Setting, no_estimate};
use queuecast_api::advice::{EffectAnswer, OutlookAnswer, SaidAnswer};
use queuecast_api::ranges::SpanRangeAnswer;
use queuecast_api::time::Moment;

impl Setting<'_> {
    /// When this is said.
    pub fn said(&self) -> SaidAnswer {
        SaidAnswer {
            cluster: self.cluster.to_owned(),
            now: self.freshness.now.into(),
            made: self.freshness.made.map(Moment::from),
            data_age_seconds: self.freshness.data_age().map(|age| age.0),
            not_played: self.not_played.to_vec(),
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
            Err(none) => {
                OutlookAnswer { start: None, run: None, completion: None, no_estimate: Some(no_estimate(none)) }
            }
        }
    }
}

/// What a change does.
pub(super) fn effect(effect: Effect) -> EffectAnswer {
    EffectAnswer {
        earlier_median_seconds: effect.earlier_median.0,
        earlier_range80: SpanRangeAnswer { from_seconds: effect.earlier_low.0, to_seconds: effect.earlier_high.0 },
        share_earlier: effect.share_earlier,
    }
}
