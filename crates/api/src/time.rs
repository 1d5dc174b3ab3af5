//! Times as answers write them: for programs seconds since 1970, for people RFC 3339 in UTC, always both.
//!
//! For: one shape for every point in time of every answer.
//!
//! Not for: local time, which only the asker's own machine knows (`qcast when`).
//!
//! Source: RFC 3339, section 5.6.

use jiff::Timestamp;
use queuecast_workload::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A point in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Moment {
    /// Seconds since 1970.
    #[schema(example = 1_763_209_200)]
    pub unix: i64,
    /// The same as RFC 3339 in UTC.
    #[schema(example = "2025-11-15T12:20:00Z")]
    pub utc: String,
}

impl From<Time> for Moment {
    fn from(time: Time) -> Self {
        Self { unix: time.0, utc: rfc3339(time) }
    }
}

/// RFC 3339 has four digits for the year, and no sign; what lies before is written as the first it has.
const FIRST_WRITTEN: i64 = -62_167_219_200;

/// As RFC 3339 in UTC, such as `2026-11-15T12:20:00Z`; of times beyond the calendar, the last it has.
pub fn rfc3339(time: Time) -> String {
    let last = Timestamp::MAX.as_second();
    Timestamp::from_second(time.0.clamp(FIRST_WRITTEN, last)).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_written_as_date_writes_them() {
        // `date -u -d @N +%FT%TZ`
        for (unix, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_763_209_200, "2025-11-15T12:20:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (i64::MAX, "9999-12-30T22:00:00Z"),
            (i64::MIN, "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(Time(unix)), text);
        }
    }
}
