//! Values as PBS writes them, from bytes.
//!
//! For: whole numbers, epoch seconds, durations, sizes, and the local time in front of a line.
//!
//! Source: `pbs_resources(7B)`, formats of time and size.

use queuecast_workload::Time;

/// Digits alone, at most 10^12.
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 13 {
        return None;
    }
    let digit = |number: u64, &byte: &u8| byte.is_ascii_digit().then(|| number * 10 + u64::from(byte - b'0'));
    text.iter().try_fold(0, digit).filter(|&number| number <= Time::MAX.0.unsigned_abs())
}

/// Digits with or without a minus.
pub(crate) fn signed(text: &[u8]) -> Option<i64> {
    let (sign, text) = text.strip_prefix(b"-").map_or((1, text), |rest| (-1, rest));
    digits(text).and_then(|number| i64::try_from(number).ok()).map(|number| sign * number)
}

/// Seconds since 1970.
pub(crate) fn time(text: &[u8]) -> Option<Time> {
    digits(text).and_then(|seconds| i64::try_from(seconds).ok()).map(Time)
}

/// `[[hours:]minutes:]seconds`, with or without a fraction, which is dropped.
pub(crate) fn duration_seconds(text: &[u8]) -> Option<u64> {
    let whole = match memchr::memchr(b'.', text) {
        Some(dot) => {
            digits(&text[dot + 1..])?;
            &text[..dot]
        }
        None => text,
    };
    let parts: Vec<u64> = whole.split(|&byte| byte == b':').map(digits).collect::<Option<_>>()?;
    if parts.len() > 3 || parts.iter().skip(1).any(|&part| part > 59) {
        return None;
    }
    let seconds = parts.iter().fold(0, |seconds: u64, part| seconds * 60 + part);
    (seconds <= Time::MAX.0.unsigned_abs()).then_some(seconds)
}

/// A size in mebibytes, rounded up: a number with `b`, `kb`, `mb`, `gb`, `tb`, `pb`, or `w` instead of `b` for words of eight bytes.
pub(crate) fn mebibytes(text: &[u8]) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (unit, word_bytes): (&[u8], u128) = match text[count..].split_last() {
        None => (b"", 1),
        Some((b'b', prefix)) => (prefix, 1),
        Some((b'w', prefix)) => (prefix, 8),
        Some(_) => return None,
    };
    let power = match unit {
        b"" => 0,
        b"k" => 1,
        b"m" => 2,
        b"g" => 3,
        b"t" => 4,
        b"p" => 5,
        _ => return None,
    };
    let bytes = u128::from(digits(&text[..count])?) * word_bytes * 1024_u128.pow(power);
    u64::try_from(bytes.div_ceil(1024 * 1024)).ok()
}

/// `MM/DD/YYYY HH:MM:SS` as seconds from the epoch, as if it were UTC.
pub(crate) fn local_seconds(text: &[u8]) -> Option<i64> {
    let separators = [(2, b'/'), (5, b'/'), (10, b' '), (13, b':'), (16, b':')];
    if text.len() != 19 || separators.iter().any(|&(place, byte)| text[place] != byte) {
        return None;
    }
    let part = |from: usize, to: usize| digits(&text[from..to]).and_then(|number| i64::try_from(number).ok());
    let (month, day, year) = (part(0, 2)?, part(3, 5)?, part(6, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    // 60 is a leap second.
    let is_time = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    (is_time && year >= 1970).then(|| days_from_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Days of the Gregorian calendar since 1970-01-01, with the year begun in March so that the leap day is its last.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_hours_minutes_and_seconds() {
        let cases = [("02:00:00", 7200), ("100:00:01", 360_001), ("05:30", 330), ("90", 90), ("00:00:01.75", 1)];
        for (text, seconds) in cases {
            assert_eq!(duration_seconds(text.as_bytes()), Some(seconds), "{text}");
        }
        for text in ["", ":", "1:", "1:60", "1:2:3:4", "-1", "1h", "99999999999999", "9999999999999:00:00", "1.", "1.x"]
        {
            assert_eq!(duration_seconds(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn sizes_have_units_of_bytes_and_words() {
        let cases = [
            ("4gb", 4096),
            ("2097152kb", 2048),
            ("100mb", 100),
            ("1tb", 1_048_576),
            ("1", 1),
            ("1mw", 8),
            ("1GB", 1024),
        ];
        for (text, expected) in cases {
            assert_eq!(mebibytes(text.as_bytes()), Some(expected), "{text}");
        }
        for text in ["", "gb", "-1gb", "1.5gb", "1xb", "1g", "9999999999999pw9"] {
            assert_eq!(mebibytes(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_time_in_front_is_a_date_of_the_calendar() {
        assert_eq!(local_seconds(b"03/02/2026 10:00:00"), Some(1_772_445_600));
        assert_eq!(local_seconds(b"02/29/2024 00:00:00"), Some(1_709_164_800));
        for text in [
            "13/02/2026 10:00:00",
            "03/00/2026 10:00:00",
            "03/02/2026 24:00:00",
            "2026-03-02 10:00:00",
            "03/02/26 10:00:00",
        ] {
            assert_eq!(local_seconds(text.as_bytes()), None, "{text}");
        }
    }
}
