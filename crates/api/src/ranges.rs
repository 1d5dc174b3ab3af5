//! A forecast's ranges: the median, and between which ends it lies with 50, 80 and 95 %.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// Forecast of a point in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimesResponse {
    /// Median.
    pub median: Moment,
    /// Median minus `now`, in seconds; negative for the past.
    pub seconds_from_now: i64,
    /// 50 % range.
    pub range50: TimeRangeResponse,
    /// 80 % range.
    pub range80: TimeRangeResponse,
    /// 95 % range.
    pub range95: TimeRangeResponse,
}

/// A range of times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeRangeResponse {
    /// Lower end.
    pub from: Moment,
    /// Upper end.
    pub to: Moment,
}

/// Forecast of a duration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpansResponse {
    /// Median in seconds.
    pub median_seconds: i64,
    /// 50 % range.
    pub range50: SpanRangeResponse,
    /// 80 % range.
    pub range80: SpanRangeResponse,
    /// 95 % range.
    pub range95: SpanRangeResponse,
}

/// A range of durations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SpanRangeResponse {
    /// Lower end in seconds.
    pub from_seconds: i64,
    /// Upper end in seconds.
    pub to_seconds: i64,
}
