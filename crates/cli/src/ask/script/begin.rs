//! Before when a job shall not start: a time, or so long from now.
//!
//! Not for: `midnight`, `teatime`, `tomorrow` and the like, and dates with slashes; they are told as not understood.
//!
//! Source: sbatch(1) `--begin`.

use jiff::civil::{Date, Time};

use crate::ask::zone::Zone;

/// When it may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// So many seconds from now.
    FromNow(i64),
    /// At this time of a day: today's, or the next day's if it has passed.
    Daily(Time),
    /// At this time of this day.
    On(Date, Time),
}

impl Begin {
    /// Reads `now+1hour`, `16:00` or `2026-11-16T16:00`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(span) = text.strip_prefix("now") {
            return if span.is_empty() { Some(Self::FromNow(0)) } else { span.strip_prefix('+').and_then(from_now) };
        }
        match text.split_once('T') {
            Some((date, time)) => Some(Self::On(day(date)?, time_of_day(time)?)),
            None if text.contains(':') => time_of_day(text).map(Self::Daily),
            None => day(text).map(|date| Self::On(date, Time::midnight())),
        }
    }

    /// In seconds since 1970; now, where the calendar ends before.
    pub fn unix(self, now: i64, zone: &Zone) -> i64 {
        match self {
            Self::FromNow(seconds) => now.saturating_add(seconds),
            Self::On(date, time) => zone.unix(date, time).unwrap_or(now),
            Self::Daily(time) => {
                let today = zone.wall(now).date;
                let at = |date: Date| zone.unix(date, time).filter(|at| *at >= now);
                at(today).or_else(|| at(today.tomorrow().ok()?)).unwrap_or(now)
            }
        }
    }
}

fn from_now(text: &str) -> Option<Begin> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit_seconds = match unit.trim_end_matches('s') {
        "" | "second" => 1,
        "minute" => 60,
        "hour" => 3_600,
        "day" => 86_400,
        "week" => 604_800,
        _ => return None,
    };
    let number: u32 = number.parse().ok()?;
    Some(Begin::FromNow(i64::from(number) * unit_seconds))
}

fn day(text: &str) -> Option<Date> {
    let mut parts = text.split('-').map(digits);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_whole = parts.next().is_none() && (1970..=9999).contains(&year);
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok().filter(|_| is_whole)
}

fn time_of_day(text: &str) -> Option<Time> {
    let mut parts = text.split(':').map(|part| i8::try_from(digits(part)?).ok());
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().map_or(Some(0), |second| second)?;
    // The calendar knows leap seconds; sbatch does not.
    let is_whole = parts.next().is_none() && second < 60;
    Time::new(hour, minute, second, 0).ok().filter(|_| is_whole)
}

fn digits(text: &str) -> Option<i16> {
    if (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2025-11-15T12:20:00Z
    const NOW: i64 = 1_763_209_200;

    fn unix(text: &str) -> Option<i64> {
        Begin::parse(text).map(|begin| begin.unix(NOW, &Zone::UTC))
    }

    #[test]
    fn times_and_spans_from_now_are_read() {
        assert_eq!(unix("now"), Some(NOW));
        assert_eq!(unix("now+90"), Some(NOW + 90));
        assert_eq!(unix("now+1hour"), Some(NOW + 3_600));
        assert_eq!(unix("now+2days"), Some(NOW + 172_800));
        assert_eq!(unix("16:00"), Some(1_763_222_400));
        assert_eq!(unix("08:00:30"), Some(1_763_280_030), "that was this morning: tomorrow's");
        assert_eq!(unix("2025-11-16"), Some(1_763_251_200));
        assert_eq!(unix("2025-11-16T01:00"), Some(1_763_254_800));
    }

    #[test]
    fn other_words_are_not_understood() {
        for text in [
            "",
            "teatime",
            "tomorrow",
            "now-1",
            "now+1year",
            "now+s",
            "25:00",
            "2025-02-29",
            "12/01/25",
            "16:0:0:0",
            "99999-01-01",
        ] {
            assert_eq!(unix(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text: String, near in "[0-9nowT:+-]{0,20}") {
            let _ = (unix(&text), unix(&near));
        }
    }
}
