//! The values of sacct's columns, from bytes.
//!
//! For: numbers, times, durations, limits and states. `Unknown`, `None`, `N/A`, nothing and 0 are times that are not
//! known.
//!
//! Not for: zones beyond one fixed offset. Local times repeat an hour every autumn; export `SLURM_TIME_FORMAT=%s`.
//!
//! Source: sacct(1); Slurm's `parse_time.c` for forms, 4294967294 (`NO_VAL`) for what is not set.

use std::str::FromStr;

use queuecast_workload::Time;

use queuecast_records::{ExitCode, JobState, TimeLimit};

const NO_VALUE: i64 = 4_294_967_294;
const DAY_SECONDS: i64 = 86_400;

/// How far local time is ahead of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcOffset {
    seconds: i64,
}

impl UtcOffset {
    /// In seconds, east positive.
    pub fn seconds(self) -> i64 {
        self.seconds
    }
}

impl FromStr for UtcOffset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is not an offset from UTC such as +01:00 or -08:00");
        let (sign, rest) = match text.as_bytes() {
            [b'+', ..] => (1, &text[1..]),
            [b'-', ..] => (-1, &text[1..]),
            _ => return Err(wrong()),
        };
        let (hours, minutes) = rest.split_once(':').ok_or_else(wrong)?;
        let number = |part: &str| if part.len() == 2 { digits(part.as_bytes()) } else { None };
        match (number(hours), number(minutes)) {
            (Some(hours), Some(minutes)) if hours <= 14 && minutes < 60 => {
                Ok(Self { seconds: sign * (hours * 3600 + minutes * 60) })
            }
            _ => Err(wrong()),
        }
    }
}

/// A time column's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenTime {
    NotKnown,
    Known(Time),
    /// In a zone that nobody named.
    Local,
}

/// Digits alone, at most 10^12.
pub(super) fn digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 13 {
        return None;
    }
    let number = text
        .iter()
        .try_fold(0, |number: i64, &byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))?;
    (number <= Time::MAX.0).then_some(number)
}

pub(super) fn is_job_id(text: &[u8]) -> bool {
    // Nearly all are plain numbers.
    (!text.is_empty() && text.len() <= 18 && text.iter().all(u8::is_ascii_digit))
        || queuecast_records::WrittenJobId::parse(text).is_some()
}

pub(super) fn looks_like_time(text: &[u8]) -> bool {
    time(text, None).is_some()
}

pub(super) fn time(text: &[u8], offset: Option<UtcOffset>) -> Option<WrittenTime> {
    if let Some(number) = digits(text) {
        let is_known = number != 0 && number != NO_VALUE && number != NO_VALUE + 1;
        return Some(if is_known { WrittenTime::Known(Time(number)) } else { WrittenTime::NotKnown });
    }
    if matches!(text, b"" | b"Unknown" | b"None" | b"N/A") {
        return Some(WrittenTime::NotKnown);
    }
    let local = iso_seconds(text)?;
    Some(offset.map_or(WrittenTime::Local, |offset| WrittenTime::Known(Time(local - offset.seconds))))
}

/// `2026-11-14T23:11:00` as seconds from the epoch, as if it were UTC. Years before 1970 are refused.
fn iso_seconds(text: &[u8]) -> Option<i64> {
    let [y @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = text else { return None };
    let rest = &text[y.len()..];
    let separators = [rest[0], rest[3], rest[6], rest[9], rest[12]];
    if y.len() != 4 || separators != *b"--T::" {
        return None;
    }
    let year = digits(y)?;
    let [month, day, hour, minute, second] = [
        digits(&rest[1..3])?,
        digits(&rest[4..6])?,
        digits(&rest[7..9])?,
        digits(&rest[10..12])?,
        digits(&rest[13..15])?,
    ];
    let is_date = year >= 1970 && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    // 60 is a leap second.
    if !is_date || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days_from_epoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second)
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days of the Gregorian calendar since 1970-01-01, with the year begun in March so that the leap day is its last.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

/// `[days-]hours:minutes:seconds`, `minutes:seconds`, with or without a fraction, which is dropped.
pub(super) fn duration_seconds(text: &[u8]) -> Option<i64> {
    let (days, rest) = match memchr::memchr(b'-', text) {
        Some(dash) => (digits(&text[..dash])?, &text[dash + 1..]),
        None => (0, text),
    };
    let rest = match memchr::memchr(b'.', rest) {
        Some(point) if rest[point + 1..].iter().all(u8::is_ascii_digit) => &rest[..point],
        Some(_) => return None,
        None => rest,
    };
    let mut seconds = 0;
    let mut parts = 0;
    for part in rest.split(|&byte| byte == b':') {
        seconds = seconds * 60 + digits(part).filter(|&number| number < 100_000_000)?;
        parts += 1;
    }
    let total = (parts == 2 || parts == 3).then(|| days.checked_mul(DAY_SECONDS)?.checked_add(seconds))??;
    (total <= Time::MAX.0).then_some(total)
}

/// `TimelimitRaw`'s minutes, `Timelimit`'s duration, or a word.
pub(super) fn limit(text: &[u8]) -> Option<TimeLimit> {
    match text {
        b"" | b"INVALID" | b"N/A" | b"NOT_SET" => return Some(TimeLimit::NotKnown),
        b"UNLIMITED" => return Some(TimeLimit::Unlimited),
        b"Partition_Limit" => return Some(TimeLimit::PartitionLimit),
        _ => {}
    }
    if let Some(minutes) = digits(text) {
        return match minutes {
            NO_VALUE => Some(TimeLimit::NotKnown),
            4_294_967_295 => Some(TimeLimit::Unlimited),
            _ => u32::try_from(minutes).ok().map(TimeLimit::Minutes),
        };
    }
    // Seconds are rounded up, as Slurm does.
    u32::try_from((duration_seconds(text)? + 59) / 60).ok().map(TimeLimit::Minutes)
}

/// One word in capitals; `CANCELLED by 1000` says who.
pub(super) fn state(text: &[u8]) -> Option<JobState> {
    let word_end = memchr::memchr(b' ', text).unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let is_word = word.first().is_some_and(u8::is_ascii_uppercase)
        && word.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let is_by =
        rest.is_empty() || rest.strip_prefix(b" by ").is_some_and(|who| !who.is_empty() && !who.contains(&b'\n'));
    if !(is_word && is_by) {
        return None;
    }
    std::str::from_utf8(word).ok().map(|word| JobState::from_words([word]))
}

pub(super) fn exit_code(text: &[u8]) -> Option<ExitCode> {
    let colon = memchr::memchr(b':', text)?;
    let number = |text: &[u8]| u32::try_from(digits(text)?).ok();
    Some(ExitCode { return_code: number(&text[..colon])?, signal: number(&text[colon + 1..])? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(text: &str) -> Option<UtcOffset> {
        text.parse().ok()
    }

    #[test]
    fn times_are_epochs_words_or_local_with_an_offset() {
        assert_eq!(time(b"1794725563", None), Some(WrittenTime::Known(Time(1_794_725_563))));
        for word in [&b"Unknown"[..], b"None", b"", b"0", b"4294967294", b"N/A"] {
            assert_eq!(time(word, None), Some(WrittenTime::NotKnown));
        }
        assert_eq!(time(b"2026-11-14T23:11:00", None), Some(WrittenTime::Local));
        // GNU date: date -u -d 2026-11-14T23:11:00 +%s
        assert_eq!(time(b"2026-11-14T23:11:00", offset("+00:00")), Some(WrittenTime::Known(Time(1_794_697_860))));
        assert_eq!(time(b"2026-11-14T23:11:00", offset("-08:00")), Some(WrittenTime::Known(Time(1_794_726_660))));
        assert_eq!(time(b"1970-01-01T00:00:00", offset("+00:00")), Some(WrittenTime::Known(Time(0))));
        assert_eq!(time(b"2024-02-29T00:00:00", offset("+00:00")), Some(WrittenTime::Known(Time(1_709_164_800))));
        for text in
            [&b"2023-02-29T00:00:00"[..], b"2026-13-01T00:00:00", b"2026-11-14", b"-5", b"1e9", b"2026-11-14 23:11:00"]
        {
            assert_eq!(time(text, offset("+00:00")), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn offsets_say_which_way() {
        assert_eq!(offset("+05:30").map(UtcOffset::seconds), Some(19_800));
        for text in ["", "1", "01:00", "+1:00", "+15:00", "+01:60", "+-1:00", "+é:00"] {
            assert!(text.parse::<UtcOffset>().is_err(), "{text}");
        }
    }

    #[test]
    fn durations_and_limits() {
        assert_eq!(duration_seconds(b"00:03:13"), Some(193));
        assert_eq!(duration_seconds(b"2-01:00:00"), Some(176_400));
        assert_eq!(duration_seconds(b"03:13.250"), Some(193));
        assert_eq!(duration_seconds(b"193"), None);
        assert_eq!(duration_seconds(b"9999999999999-00:00:00"), None);
        assert_eq!(limit(b"60"), Some(TimeLimit::Minutes(60)));
        assert_eq!(limit(b"01:00:30"), Some(TimeLimit::Minutes(61)));
        assert_eq!(limit(b"UNLIMITED"), Some(TimeLimit::Unlimited));
        assert_eq!(limit(b"Partition_Limit"), Some(TimeLimit::PartitionLimit));
        assert_eq!(limit(b"INVALID"), Some(TimeLimit::NotKnown));
        assert_eq!(limit(b"9223372036854775808"), None);
        assert_eq!(limit(b"-1"), None);
    }

    #[test]
    fn states_are_one_word() {
        assert!(state(b"CANCELLED by 20001").is_some());
        assert!(state(b"OUT_OF_MEMORY").is_some());
        for text in [&b""[..], b"0:0", b"completed", b"CANCELLED by", b"CANCELLED by ", b"A\nB"] {
            assert_eq!(state(text), None);
        }
    }
}
