//! Numbers as a newspaper prints them: as many digits as mean something, durations in a unit one can think in.

use queuecast_workload::Seconds;

/// What stands where there is no number.
pub const NOTHING: &str = "\u{2013}";
const MINUS: char = '\u{2212}';
const NO_BREAK: char = '\u{a0}';

/// The unit of durations that are read together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeUnit {
    /// How it is abbreviated.
    pub name: &'static str,
    /// How long it is.
    pub seconds: f64,
}

const SECOND: TimeUnit = TimeUnit { name: "s", seconds: 1.0 };
const MINUTE: TimeUnit = TimeUnit { name: "min", seconds: 60.0 };
const HOUR: TimeUnit = TimeUnit { name: "h", seconds: 3_600.0 };
const DAY: TimeUnit = TimeUnit { name: "days", seconds: 86_400.0 };

impl TimeUnit {
    /// The unit in which durations up to this long have between one and three digits, mostly.
    pub fn for_durations_up_to(seconds: f64) -> Self {
        let units = [DAY, HOUR, MINUTE];
        units.into_iter().find(|unit| seconds >= 2.0 * unit.seconds).unwrap_or(SECOND)
    }

    /// In this unit.
    pub fn count(self, seconds: f64) -> f64 {
        seconds / self.seconds
    }
}

/// With this many decimals, thousands set apart, and a minus sign that is one.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NOTHING.to_owned();
    }
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_once('.').map_or((digits.as_str(), None), |(whole, part)| (whole, Some(part)));
    let is_zero = digits.chars().all(|digit| matches!(digit, '0' | '.'));
    let mut text = String::new();
    if value < 0.0 && !is_zero {
        text.push(MINUS);
    }
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Decimals that leave a value of this size three digits; nothing needs none.
pub fn decimals(value: f64) -> usize {
    match value.abs() {
        large if large >= 100.0 => 0,
        nothing if nothing < 1e-9 => 0,
        medium if medium >= 10.0 => 1,
        small if small >= 1.0 => 2,
        _ => 3,
    }
}

/// The same where digits below the third are worth printing, because an interval stands beside.
pub fn decimals_with_interval(value: f64) -> usize {
    if (100.0..1_000.0).contains(&value.abs()) { 1 } else { decimals(value) }
}

/// With three digits.
pub fn number(value: f64) -> String {
    fixed(value, decimals(value))
}

/// A whole number.
pub fn count(value: u64) -> String {
    fixed(value as f64, 0)
}

/// A duration by itself, in its own unit.
pub fn duration(seconds: f64) -> String {
    let unit = TimeUnit::for_durations_up_to(seconds.abs());
    format!("{}{NO_BREAK}{}", number(unit.count(seconds)), unit.name)
}

/// A duration that is a whole number of a unit, in the largest such.
pub fn whole_duration(duration: Seconds) -> String {
    let seconds = duration.0;
    let (count, unit) = match seconds {
        0 => (0, "s"),
        _ if seconds % 604_800 == 0 => (seconds / 604_800, if seconds == 604_800 { "week" } else { "weeks" }),
        _ if seconds % 86_400 == 0 => (seconds / 86_400, if seconds == 86_400 { "day" } else { "days" }),
        _ if seconds % 3_600 == 0 => (seconds / 3_600, "h"),
        _ if seconds % 60 == 0 => (seconds / 60, "min"),
        _ => (seconds, "s"),
    };
    format!("{}{NO_BREAK}{unit}", fixed(count as f64, 0))
}

/// A share of one, in per cent.
pub fn share(value: f64) -> String {
    let percent = 100.0 * value;
    let decimals = usize::from(percent.abs() < 10.0 && percent.abs() > 0.0);
    format!("{}{NO_BREAK}%", fixed(percent, decimals))
}

/// A change in per cent, with its sign and what lies on both sides of it.
pub fn change(percent: f64, half_width: f64) -> String {
    if !percent.is_finite() {
        return NOTHING.to_owned();
    }
    let decimals = usize::from(percent.abs() < 99.5);
    let sign = if percent > 0.0 && fixed(percent, decimals) != fixed(0.0, decimals) { "+" } else { "" };
    format!("{sign}{}{NO_BREAK}%", plus_minus(percent, half_width, decimals))
}

/// A number and what lies on both sides of it, on one line.
pub fn plus_minus(value: f64, half_width: f64, decimals: usize) -> String {
    format!("{}{NO_BREAK}±{NO_BREAK}{}", fixed(value, decimals), fixed(half_width, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_thousands_apart() {
        assert_eq!(
            [0.0, 0.123_45, 1.234, 12.34, 123.4, 12_345.6, -1_234_567.0].map(number),
            ["0", "0.123", "1.23", "12.3", "123", "12,346", "\u{2212}1,234,567"]
        );
        assert_eq!(fixed(-0.04, 1), "0.0", "nothing has no sign");
        assert_eq!(number(f64::NAN), NOTHING);
    }

    #[test]
    fn durations_are_in_a_unit_one_can_think_in() {
        let shown = [5.0, 90.0, 600.0, 11_446.0, 400_000.0].map(|seconds| duration(seconds).replace(NO_BREAK, " "));
        assert_eq!(shown, ["5.00 s", "90.0 s", "10.0 min", "3.18 h", "4.63 days"]);
        let whole = [1, 60, 7_200, 86_400, 172_800, 604_800].map(|seconds| whole_duration(Seconds(seconds)));
        assert_eq!(whole.map(|text| text.replace(NO_BREAK, " ")), ["1 s", "1 min", "2 h", "1 day", "2 days", "1 week"]);
    }

    #[test]
    fn a_change_shows_its_sign_and_how_sure_it_is() {
        assert_eq!(change(-23.14, 0.94).replace(NO_BREAK, " "), "\u{2212}23.1 ± 0.9 %");
        assert_eq!(change(4.0, 1.0).replace(NO_BREAK, " "), "+4.0 ± 1.0 %");
        assert_eq!(change(0.01, 0.0).replace(NO_BREAK, " "), "0.0 ± 0.0 %");
        assert_eq!(change(f64::NAN, f64::NAN), NOTHING);
    }
}
