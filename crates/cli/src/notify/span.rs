//! Spans as people write them in options: 30s, 10m, 1h, 2d.

use std::time::Duration;

/// No job waits longer for a message.
const LONGEST_SECONDS: u64 = 365 * 86_400;

/// Reads one.
pub fn written_span(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a number and a unit, such as 30s, 10m, 1h or 2d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    let span = number.checked_mul(seconds).filter(|span| *span <= LONGEST_SECONDS);
    span.map(Duration::from_secs).ok_or_else(|| "the time is longer than the maximum of one year".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_units() {
        assert_eq!(written_span("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(written_span("2d"), Ok(Duration::from_hours(48)));
        for wrong in ["", "m", "10", "-1m", "1.5h", "10µ", "99999999999999999999d", "400d"] {
            assert!(written_span(wrong).is_err(), "{wrong}");
        }
    }
}
