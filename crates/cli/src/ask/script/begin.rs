//! Before when a job shall not start: a time, or so long from now, in all of sbatch's forms.
//!
//! Source: sbatch(1) `--begin`; Slurm's `parse_time.c`, whose rules these are: words in any order, a day without a time begins at
//! midnight, a time without a day is the next such, a month and day without a year are the next such; `T` is a separator before it is a
//! letter, so `Today` is refused and `today` is not.

use jiff::ToSpan;
use jiff::civil::{Date, Time};

use crate::ask::zone::Zone;

/// When it may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// So many seconds from now.
    FromNow(i64),
    /// At this second since 1970.
    Unix(i64),
    /// At this time of this day, of which one at least is said.
    At(Option<Day>, Option<Time>),
}

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Day {
    /// So many days of 24 hours from now: today's or tomorrow's.
    FromNow(i64),
    /// This one.
    On(Date),
    /// The next of this month and day.
    Next(i8, i8),
}

/// Times of day that have a name.
const NAMED_TIMES: [(&str, i8); 5] = [("midnight", 0), ("noon", 12), ("elevenses", 11), ("fika", 15), ("teatime", 16)];

/// Units behind a number, longest first.
const UNITS: [(&str, i64); 10] = [
    ("seconds", 1),
    ("second", 1),
    ("minutes", 60),
    ("minute", 60),
    ("hours", 3_600),
    ("hour", 3_600),
    ("days", 86_400),
    ("day", 86_400),
    ("weeks", 604_800),
    ("week", 604_800),
];

/// Nobody waits for longer.
const MOST_FROM_NOW: i64 = 1_000_000_000_000;

impl Begin {
    /// Reads it; `None` if sbatch would refuse it.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(seconds) = without_prefix(text, "uts") {
            return seconds.parse().ok().filter(|unix| (1_000_000..=MOST_FROM_NOW).contains(unix)).map(Self::Unix);
        }
        let (mut day, mut time, mut from_now) = (None, None, None);
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if matches!(letter, ' ' | '\t' | '-' | 'T') {
                rest = &rest[1..];
            } else if let Some(after) = without_prefix(rest, "today") {
                (day, rest) = (Some(Day::FromNow(0)), after);
            } else if let Some(after) = without_prefix(rest, "tomorrow") {
                (day, rest) = (Some(Day::FromNow(1)), after);
            } else if let Some(after) = without_prefix(rest, "now") {
                let (seconds, after) = span_from_now(after)?;
                (from_now, rest) = (Some(seconds), after);
            } else if let Some((named, after)) = named_time(rest) {
                (time, rest) = (Some(named), after);
            } else if rest.as_bytes().get(1) == Some(&b':') || rest.as_bytes().get(2) == Some(&b':') {
                let (read, after) = time_of_day(rest)?;
                (time, rest) = (Some(read), after);
            } else {
                let (read, after) = calendar_day(rest)?;
                (day, rest) = (Some(read), after);
            }
        }
        match (from_now, day, time) {
            (Some(seconds), ..) => Some(Self::FromNow(seconds)),
            (None, None, None) => None,
            (None, day, time) => Some(Self::At(day, time)),
        }
    }

    /// In seconds since 1970; now, where the calendar ends before.
    pub fn unix(self, now: i64, zone: &Zone) -> i64 {
        let (day, time) = match self {
            Self::FromNow(seconds) => return now.saturating_add(seconds),
            Self::Unix(unix) => return unix,
            Self::At(day, time) => (day, time),
        };
        let wall = zone.wall(now);
        let minute_of_day = |hour: i8, minute: i8| (hour, minute);
        let is_later = |time: Time| minute_of_day(time.hour(), time.minute()) > minute_of_day(wall.hour, wall.minute);
        let (time, says_time) = (time.unwrap_or(Time::midnight()), time.is_some());
        let day_from_now = |days: i64| zone.wall(now.saturating_add(86_400 * days)).date;
        let date = match day {
            Some(Day::FromNow(days)) => day_from_now(days),
            Some(Day::On(date)) => date,
            Some(Day::Next(month, day)) => {
                let today = (wall.date.month(), wall.date.day());
                let is_ahead = (month, day) > today || ((month, day) == today && says_time && is_later(time));
                let year = wall.date.year() + i16::from(!is_ahead);
                match rolled_over(year, month, day) {
                    Some(date) => date,
                    None => return now,
                }
            }
            None => day_from_now(i64::from(!is_later(time))),
        };
        zone.unix(date, time).unwrap_or(now)
    }
}

/// What follows a word, in any case.
fn without_prefix<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

fn named_time(text: &str) -> Option<(Time, &str)> {
    NAMED_TIMES.iter().find_map(|(word, hour)| {
        let after = without_prefix(text, word)?;
        Some((Time::new(*hour, 0, 0, 0).ok()?, after))
    })
}

/// What stands behind `now`: nothing, or a sign and a number with a unit.
fn span_from_now(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start_matches([' ', '\t']);
    if text.is_empty() {
        return Some((0, text));
    }
    let (sign, mut text) =
        text.strip_prefix('+').map(|rest| (1, rest)).or(text.strip_prefix('-').map(|rest| (-1, rest)))?;
    let (mut number, mut digits) = (0_i64, 0);
    while let Some(letter) = text.chars().next() {
        if let Some((seconds, after)) = unit(text) {
            number = number.saturating_mul(seconds);
            text = after;
            break;
        }
        match letter {
            letter if letter.is_whitespace() => {}
            '0'..='9' => {
                digits += 1;
                number = number.saturating_mul(10).saturating_add(i64::from(letter.to_digit(10)?));
            }
            _ => return None,
        }
        text = &text[letter.len_utf8()..];
    }
    (digits > 0 && number <= MOST_FROM_NOW).then_some((sign * number, text))
}

fn unit(text: &str) -> Option<(i64, &str)> {
    UNITS.iter().find_map(|(name, seconds)| Some((*seconds, without_prefix(text, name)?)))
}

/// `16:00`, `4:00pm`, `08:00:30 AM`.
fn time_of_day(text: &str) -> Option<(Time, &str)> {
    let (mut hour, rest) = digits(text, 1, 2)?;
    let (minute, mut rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let mut second = 0;
    if let Some(after) = rest.strip_prefix(':') {
        (second, rest) = digits(after, 2, 2)?;
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    rest = rest.trim_start();
    if let Some(after) = without_prefix(rest, "pm") {
        hour = if hour == 12 { 12 } else { hour + 12 };
        rest = after;
    } else if let Some(after) = without_prefix(rest, "am") {
        // Whoever writes 13:00 AM means nothing.
        hour = match hour {
            12 => 0,
            hour if hour < 12 => hour,
            _ => return None,
        };
        rest = after;
    }
    let read = |number: i16| i8::try_from(number).ok();
    Some((Time::new(read(hour)?, read(minute)?, read(second)?, 0).ok()?, rest))
}

/// `2026-11-16`, `1116`, `111626`, `11/16`, `11.16.26`.
fn calendar_day(text: &str) -> Option<(Day, &str)> {
    let bytes = text.as_bytes();
    if bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-') {
        let (year, rest) = digits(text, 4, 4)?;
        let (month, rest) = digits(rest.strip_prefix('-')?, 2, 2)?;
        let (day, rest) = digits(rest.strip_prefix('-')?, 1, 2)?;
        return Some((Day::On(date(year, month, day)?), rest));
    }
    let (month, rest) = digits(text, 1, 2)?;
    let (day, rest) = digits(rest.strip_prefix(['/', '.']).unwrap_or(rest), 1, 2)?;
    let after = rest.strip_prefix(['/', '.']).unwrap_or(rest);
    if after.starts_with(|letter: char| letter.is_ascii_digit()) {
        let (year, rest) = digits(after, 2, 2)?;
        return Some((Day::On(date(2_000 + year, month, day)?), rest));
    }
    date(2_000, month, day)?;
    Some((Day::Next(i8::try_from(month).ok()?, i8::try_from(day).ok()?), after))
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    let is_day = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if is_day { rolled_over(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?) } else { None }
}

/// A day that a month does not have is one of the next, as for `mktime`.
fn rolled_over(year: i16, month: i8, day: i8) -> Option<Date> {
    Date::new(year, month, 1).ok()?.checked_add((i64::from(day) - 1).days()).ok()
}

/// A number of so many digits, as many as there are.
fn digits(text: &str, least: usize, most: usize) -> Option<(i16, &str)> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    if count < least {
        return None;
    }
    Some((text[..count].parse().ok()?, &text[count..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2025-11-15T12:20:00Z, a Saturday.
    const NOW: i64 = 1_763_209_200;
    const MIDNIGHT: i64 = NOW - 12 * 3_600 - 20 * 60;
    const DAY: i64 = 86_400;
    const HOUR: i64 = 3_600;

    fn unix(text: &str) -> Option<i64> {
        Begin::parse(text).map(|begin| begin.unix(NOW, &Zone::UTC))
    }

    #[test]
    fn spans_from_now_are_read() {
        for (text, seconds) in [
            ("now", 0),
            ("now+90", 90),
            ("now+1hour", HOUR),
            ("now + 2 days", 2 * DAY),
            ("NOW+10Minutes", 600),
            ("now+1week", 7 * DAY),
            ("now-5", -5),
        ] {
            assert_eq!(unix(text), Some(NOW + seconds), "{text}");
        }
    }

    #[test]
    fn times_of_a_day_are_the_next_and_days_begin_at_midnight() {
        for (text, at) in [
            ("16:00", MIDNIGHT + 16 * HOUR),
            ("4:00pm", MIDNIGHT + 16 * HOUR),
            ("12:21 AM", MIDNIGHT + DAY + 21 * 60),
            ("12:30pm", MIDNIGHT + 12 * HOUR + 1_800),
            ("12:20", MIDNIGHT + DAY + 12 * HOUR + 1_200),
            ("08:00:30", MIDNIGHT + DAY + 8 * HOUR + 30),
            ("midnight", MIDNIGHT + DAY),
            ("noon", MIDNIGHT + DAY + 12 * HOUR),
            ("fika", MIDNIGHT + 15 * HOUR),
            ("teatime", MIDNIGHT + 16 * HOUR),
            ("elevenses", MIDNIGHT + DAY + 11 * HOUR),
            ("today", MIDNIGHT),
            ("tomorrow", MIDNIGHT + DAY),
            ("tomorrow noon", MIDNIGHT + DAY + 12 * HOUR),
            ("8:00 tomorrow", MIDNIGHT + DAY + 8 * HOUR),
            ("todayTnoon", MIDNIGHT + 12 * HOUR),
        ] {
            assert_eq!(unix(text), Some(at), "{text}");
        }
    }

    #[test]
    fn days_of_the_calendar_are_read_and_without_a_year_they_are_the_next() {
        let day = |days: i64| MIDNIGHT + days * DAY;
        for (text, at) in [
            ("2025-11-16", day(1)),
            ("2025-11-16T01:00", day(1) + HOUR),
            ("2025-11-16 1:00", day(1) + HOUR),
            ("1116", day(1)),
            ("11/16", day(1)),
            ("11.16.26", day(366)),
            ("111626", day(366)),
            ("11/16-14:00", day(1) + 14 * HOUR),
            ("11/15", day(365)),
            ("11/15-13:00", day(0) + 13 * HOUR),
            ("0101", day(47)),
            ("2025-02-30", day(-258)),
            ("uts1763209999", 1_763_209_999),
        ] {
            assert_eq!(unix(text), Some(at), "{text}");
        }
    }

    #[test]
    fn what_sbatch_refuses_is_not_understood() {
        for text in [
            "",
            "-",
            "soon",
            "Tomorrow",
            "now+1year",
            "now+s",
            "now+",
            "nowhere",
            "25:00",
            "16:60",
            "13:00am",
            "1:2",
            "16:0:0:0",
            "1316",
            "0",
            "11/32",
            "99999-01-01",
            "2025-13-01",
            "uts12",
            "banana",
            "12:00 banana",
            "11/16/2",
        ] {
            assert_eq!(unix(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text: String, near in "[0-9nowTtoday:+/. pm-]{0,20}") {
            let _ = (unix(&text), unix(&near));
        }
    }
}
