//! How much faster on more.

use std::str::FromStr;

use queuecast_workload::mouldable::Speedup;

/// How much faster a job runs on some width than on one.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeedupLaw {
    /// This share of the work is done by one, however many there are.
    Amdahl {
        /// The share, from zero to one.
        serial_fraction: f64,
    },
    /// Downey's curves.
    Downey(Speedup),
    /// Run times that were measured, by width, in any unit; straight lines between their logarithms, level beyond.
    Table(Vec<(u32, f64)>),
}

/// What is wrong with a law as it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid speed-up `{written}`: {why}")]
pub struct SpeedupError {
    written: String,
    why: &'static str,
}

impl SpeedupLaw {
    /// On this width.
    pub fn on(&self, width: u32) -> f64 {
        let width = f64::from(width.max(1));
        match self {
            Self::Amdahl { serial_fraction } => 1.0 / (serial_fraction + (1.0 - serial_fraction) / width),
            Self::Downey(speedup) => speedup.on(width),
            Self::Table(runs) => {
                let first = runs.first().map_or(1.0, |(_, run)| *run);
                first / interpolated(runs, width)
            }
        }
    }

    /// How a run time on one width changes on another.
    pub fn factor(&self, from: u32, to: u32) -> f64 {
        self.on(from) / self.on(to)
    }
}

/// The run time at a width between those measured.
fn interpolated(runs: &[(u32, f64)], width: f64) -> f64 {
    let at = runs.partition_point(|(measured, _)| f64::from(*measured) <= width);
    match (at.checked_sub(1).map(|before| runs[before]), runs.get(at)) {
        (Some((low, slow)), Some((high, fast))) => {
            let share = (width / f64::from(low)).ln() / (f64::from(*high) / f64::from(low)).ln();
            slow * (fast / slow).powf(share)
        }
        (Some((_, run)), None) | (None, Some(&(_, run))) => run,
        (None, None) => 1.0,
    }
}

/// `amdahl:0.05`, `downey:A=64,sigma=0.5` or `table:1=100,2=55,4=30`.
impl FromStr for SpeedupLaw {
    type Err = SpeedupError;

    fn from_str(written: &str) -> Result<Self, SpeedupError> {
        let wrong = |why| SpeedupError { written: written.to_owned(), why };
        let (kind, rest) =
            written.split_once(':').ok_or_else(|| wrong("write amdahl:F, downey:A=..,sigma=.. or table:1=..,2=.."))?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match kind {
            "amdahl" => {
                let serial_fraction = number(rest).filter(|share| (0.0..=1.0).contains(share));
                let serial_fraction =
                    serial_fraction.ok_or_else(|| wrong("the serial fraction must be from 0 to 1"))?;
                Ok(Self::Amdahl { serial_fraction })
            }
            "downey" => {
                let (mut parallelism, mut sigma) = (None, Some(0.0));
                for part in rest.split(',') {
                    match part.split_once('=').map(|(name, value)| (name.trim(), number(value))) {
                        Some(("A", value)) => parallelism = value,
                        Some(("sigma", value)) => sigma = value,
                        _ => return Err(wrong("write downey:A=64,sigma=0.5")),
                    }
                }
                let parallelism = parallelism.filter(|value| *value >= 1.0);
                let sigma = sigma.filter(|value| *value >= 0.0);
                let (Some(parallelism), Some(sigma)) = (parallelism, sigma) else {
                    return Err(wrong("A must be at least 1, and sigma at least 0"));
                };
                Ok(Self::Downey(Speedup::new(parallelism, sigma)))
            }
            "table" => {
                let row = |part: &str| {
                    let (width, run) = part.split_once('=')?;
                    let width = width.trim().parse::<u32>().ok().filter(|width| *width > 0)?;
                    Some((width, number(run).filter(|run| *run > 0.0)?))
                };
                let rows: Option<Vec<_>> = rest.split(',').map(row).collect();
                let mut rows = rows.ok_or_else(|| wrong("write run times by size: table:1=100,2=55,4=30"))?;
                rows.sort_unstable_by_key(|(width, _)| *width);
                if rows.len() < 2 || rows.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                    return Err(wrong("a table needs at least two sizes, each given once"));
                }
                Ok(Self::Table(rows))
            }
            _ => Err(wrong("start with amdahl:, downey: or table:")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn law(written: &str) -> SpeedupLaw {
        written.parse().expect("a law")
    }

    #[test]
    fn amdahls_law_is_amdahls() {
        let law = law("amdahl:0.1");
        assert!((law.on(1) - 1.0).abs() < 1e-12 && (law.on(9) - 5.0).abs() < 1e-12);
        assert!((law.factor(1, 9) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_table_is_kept_to_where_it_was_measured_and_is_level_beyond() {
        let law = law("table:4=25,1=100");
        for (width, speedup) in [(1, 1.0), (2, 2.0), (4, 4.0), (64, 4.0)] {
            assert!((law.on(width) - speedup).abs() < 1e-9, "{width}: {}", law.on(width));
        }
    }

    #[test]
    fn what_is_no_law_is_refused_with_what_one_looks_like() {
        for wrong in [
            "",
            "amdahl",
            "amdahl:2",
            "downey:sigma=1",
            "downey:A=0.5",
            "table:1=5",
            "table:1=0,2=3",
            "table:1=2,1=3",
            "x:1",
        ] {
            let refused = wrong.parse::<SpeedupLaw>().expect_err(wrong).to_string();
            assert!(refused.contains("invalid speed-up"), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(amdahl|downey|table)?:?[A-Za-z0-9=.,:-]{0,30}") {
            let _ = text.parse::<SpeedupLaw>();
        }

        #[test]
        fn nobody_is_slower_on_more_by_amdahl_or_downey(
            serial in 0.0..1.0_f64, parallelism in 1.0..300.0_f64, sigma in 0.0..4.0_f64, width in 1_u32..400,
        ) {
            for law in [SpeedupLaw::Amdahl { serial_fraction: serial }, SpeedupLaw::Downey(Speedup::new(parallelism, sigma))] {
                prop_assert!(law.factor(width, width + 1) <= 1.0 + 1e-9);
            }
        }
    }
}
