//! A forecast's ranges: the median, and between which ends it lies with 50, 80 and 95 %.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// Forecast of a point in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimesAnswer {
    /// Median.
    pub median: Moment,
    /// Median minus `now`, in seconds; negative for the past.
    pub seconds_from_now: i64,
    /// 50 % range.
    pub range50: TimeRangeAnswer,
    /// 80 % range.
    pub range80: TimeRangeAnswer,
    /// 95 % range.
    pub range95: TimeRangeAnswer,
}

/// A range of times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeRangeAnswer {
    /// Lower end.
    pub from: Moment,
    /// Upper end.
    pub to: Moment,
}

/// Forecast of a duration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpansAnswer {
    /// Median in seconds.
    pub median_seconds: i64,
    /// 50 % range.
    pub range50: SpanRangeAnswer,
    /// 80 % range.
    pub range80: SpanRangeAnswer,
    /// 95 % range.
    pub range95: SpanRangeAnswer,
}

/// A range of durations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpanRangeAnswer {
    /// Lower end in seconds.
    pub from_seconds: i64,
    /// Upper end in seconds.
    pub to_seconds: i64,
}
