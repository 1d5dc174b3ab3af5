//! How many different limits `qcast generate estimates` makes up, by name.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::generate::estimates::{number_of_estimates, number_of_estimates_by_power_law};

/// The model's least: twenty popular ones and one other.
const LEAST: usize = 21;
const MOST: usize = 1_000_000;

/// From what the number of different limits follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distinct {
    /// Straight lines between seven points, the paper's default.
    #[default]
    Lines,
    /// 1.1 times the root of the jobs, the paper's other way.
    PowerLaw,
    /// So many, whatever the log.
    Count(usize),
}

impl Distinct {
    /// For a log of so many jobs.
    pub fn of(self, jobs: usize) -> usize {
        match self {
            Self::Lines => number_of_estimates(jobs),
            Self::PowerLaw => number_of_estimates_by_power_law(jobs),
            Self::Count(count) => count,
        }
    }
}

impl fmt::Display for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines => f.write_str("lines"),
            Self::PowerLaw => f.write_str("power-law"),
            Self::Count(count) => write!(f, "{count}"),
        }
    }
}

impl FromStr for Distinct {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "lines" => Ok(Self::Lines),
            "power-law" => Ok(Self::PowerLaw),
            _ => match text.parse() {
                Ok(count) if (LEAST..=MOST).contains(&count) => Ok(Self::Count(count)),
                _ => Err(format!("expected lines, power-law, or a number from {LEAST} to {MOST}")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctc_has_349_by_the_lines_and_306_by_the_root() {
        let of = |text: &str| text.parse::<Distinct>().expect(text).of(77_222);
        assert_eq!([of("lines"), of("power-law"), of("265")], [349, 306, 265]);
    }

    #[test]
    fn a_name_reads_back_as_itself_and_nonsense_is_refused() {
        for text in ["lines", "power-law", "265"] {
            assert_eq!(text.parse::<Distinct>().expect(text).to_string(), text);
        }
        for text in ["", "20", "-3", "root", "1000001"] {
            assert!(text.parse::<Distinct>().is_err(), "{text}");
        }
    }
}
