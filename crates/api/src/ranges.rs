//! A forecast's ranges: the median, and between which ends it lies with 50, 80 and 95 %.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// When something comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimesAnswer {
    /// As likely before as after.
    pub median: Moment,
    /// The median less `now`; negative for what has been.
    pub seconds_from_now: i64,
    /// Within this with 50 %.
    pub range50: TimeRangeAnswer,
    /// Within this with 80 %.
    pub range80: TimeRangeAnswer,
    /// Within this with 95 %.
    pub range95: TimeRangeAnswer,
}

/// Two ends in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeRangeAnswer {
    /// Not before.
    pub from: Moment,
    /// Not after.
    pub to: Moment,
}

/// How long something lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpansAnswer {
    /// As likely shorter as longer.
    pub median_seconds: i64,
    /// Within this with 50 %.
    pub range50: SpanRangeAnswer,
    /// Within this with 80 %.
    pub range80: SpanRangeAnswer,
    /// Within this with 95 %.
    pub range95: SpanRangeAnswer,
}

/// Two ends of a span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpanRangeAnswer {
    /// Not shorter.
    pub from_seconds: i64,
    /// Not longer.
    pub to_seconds: i64,
}
