//! A time limit in any of the forms that sbatch takes.
//!
//! Source: sbatch(1) `--time`: minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes and
//! days-hours:minutes:seconds; zero for none. Slurm counts whole minutes, and rounds up.

/// A limit that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many minutes.
    Minutes(u32),
    /// None.
    Unlimited,
}

/// Slurm's own number for no limit is just above.
const MOST_MINUTES: u64 = (u32::MAX - 2) as u64;

impl Limit {
    /// Reads it.
    pub fn parse(text: &str) -> Option<Self> {
        if ["unlimited", "infinite", "-1"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Some(Self::Unlimited);
        }
        let (days, rest) = match text.split_once('-') {
            Some((days, rest)) => (Some(number(days)?), rest),
            None => (None, text),
        };
        let parts: Option<Vec<u64>> = rest.split(':').map(number).collect();
        let (hours, minutes, seconds) = match (days, parts?.as_slice()) {
            (Some(_), [hours]) => (*hours, 0, 0),
            (Some(_), [hours, minutes]) => (*hours, *minutes, 0),
            (None, [minutes]) => (0, *minutes, 0),
            (None, [minutes, seconds]) => (0, *minutes, *seconds),
            (_, [hours, minutes, seconds]) => (*hours, *minutes, *seconds),
            _ => return None,
        };
        let minutes = 1_440 * days.unwrap_or(0) + 60 * hours + minutes + seconds.div_ceil(60);
        match u32::try_from(minutes.min(MOST_MINUTES + 1)) {
            Ok(0) => Some(Self::Unlimited),
            Ok(minutes) if u64::from(minutes) <= MOST_MINUTES => Some(Self::Minutes(minutes)),
            _ => None,
        }
    }
}

/// Up to nine digits: their sums cannot overflow.
fn number(text: &str) -> Option<u64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_of_sbatch_is_read() {
        for (text, minutes) in [
            ("30", 30),
            ("90:00", 90),
            ("1:30", 2),
            ("2:00:00", 120),
            ("0:00:01", 1),
            ("48:00:00", 2_880),
            ("1-0", 1_440),
            ("2-12", 3_600),
            ("1-06:30", 1_830),
            ("1-06:30:30", 1_831),
            ("007", 7),
        ] {
            assert_eq!(Limit::parse(text), Some(Limit::Minutes(minutes)), "{text}");
        }
        for text in ["UNLIMITED", "infinite", "0", "0:00", "0-0", "-1"] {
            assert_eq!(Limit::parse(text), Some(Limit::Unlimited), "{text}");
        }
    }

    #[test]
    fn what_is_no_limit_is_none() {
        for text in
            ["", "soon", "1h", "1:2:3:4", "1-", "-5", "1-2-3", " 5", "1:-2", "9999999999", "999999999-0", "+5", "1."]
        {
            assert_eq!(Limit::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn days_hours_minutes_and_seconds_add_up(days in 0_u32..1_000, hours in 0_u32..24, minutes in 0_u32..60, seconds in 0_u32..60) {
            prop_assume!(days + hours + minutes + seconds > 0);
            let sum = 1_440 * days + 60 * hours + minutes + u32::from(seconds > 0);
            prop_assert_eq!(Limit::parse(&format!("{days}-{hours:02}:{minutes:02}:{seconds:02}")), Some(Limit::Minutes(sum)));
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = Limit::parse(&text);
        }
    }
}
