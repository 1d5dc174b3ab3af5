//! Local time, as the asker's machine has it: Slurm's own commands print it, so ours do.
//!
//! For: showing a time of an answer on the asker's clock, and reading one that is written so (`--begin`).
//!
//! Not for: traces and answers; they have seconds since 1970 and know no zone.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    zone: TimeZone,
    /// Whether this is UTC because nothing better is known.
    is_guess: bool,
}

/// A time as a clock on the wall shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallTime {
    pub date: Date,
    pub hour: i8,
    pub minute: i8,
}

impl Zone {
    /// UTC, because nothing better is known.
    pub const UTC: Self = Self { zone: TimeZone::UTC, is_guess: true };

    /// This machine's, or UTC.
    pub fn local() -> Self {
        TimeZone::try_system().map_or(Self::UTC, |zone| Self { zone, is_guess: false })
    }

    /// Said behind a time that is not the machine's own.
    pub fn label(&self) -> &'static str {
        if self.is_guess { " UTC" } else { "" }
    }

    /// What a clock on the wall shows; of times beyond the calendar, the last it has.
    pub fn wall(&self, unix: i64) -> WallTime {
        let timestamp = Timestamp::from_second(unix).unwrap_or(Timestamp::MAX);
        let shown = self.zone.to_datetime(timestamp);
        WallTime { date: shown.date(), hour: shown.hour(), minute: shown.minute() }
    }

    /// When a clock on the wall shows this. Where it shows it twice, the first time; where it skips it, as much later.
    pub fn unix(&self, date: Date, time: Time) -> Option<i64> {
        let shown = self.zone.to_timestamp(date.to_datetime(time));
        shown.ok().map(Timestamp::as_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_clock_shows_the_zones_time_and_is_read_back() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a rule");
        let berlin = Zone { zone, is_guess: false };
        // 2026-07-01T12:00:00Z and 2026-12-01T12:00:00Z
        for (unix, hour) in [(1_782_907_200, 14), (1_796_126_400, 13)] {
            let wall = berlin.wall(unix);
            assert_eq!((wall.hour, wall.minute), (hour, 0));
            assert_eq!(berlin.unix(wall.date, Time::constant(wall.hour, 0, 0, 0)), Some(unix));
        }
        assert_eq!(Zone::UTC.wall(1_782_907_200).hour, 12);
        assert_eq!(Zone::UTC.wall(i64::MAX).date.year(), 9999);
    }
}
