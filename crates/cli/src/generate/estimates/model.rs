//! The models of `qcast generate estimates` by name.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::EstimateShare;

/// How limits are made up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EstimateModel {
    /// As users choose them.
    Tsafrir,
    /// The log's own, dealt out anew.
    Shuffled,
    /// The log's own, twice as long.
    Doubled,
    /// Uniform up to that much more than the run time.
    Factor(f64),
    /// That share exact; for the others the run time a uniform part of the limit.
    Accuracy(f64),
}

impl EstimateModel {
    /// Whether it must know the longest limit the site allows.
    pub fn needs_maximum(self) -> bool {
        matches!(self, Self::Tsafrir | Self::Accuracy(_))
    }

    /// Whether it starts from the log's own limits.
    pub fn needs_limits(self) -> bool {
        matches!(self, Self::Shuffled | Self::Doubled)
    }

    /// Whether it deals a stock of limits out to jobs, rather than making each from its job.
    pub fn is_dealt(self) -> bool {
        matches!(self, Self::Tsafrir | Self::Shuffled)
    }
}

impl fmt::Display for EstimateModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tsafrir => f.write_str("tsafrir"),
            Self::Shuffled => f.write_str("shuffled"),
            Self::Doubled => f.write_str("doubled"),
            Self::Factor(factor) => write!(f, "f:{factor}"),
            Self::Accuracy(share) => write!(f, "phi:{share}"),
        }
    }
}

impl FromStr for EstimateModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str, most: f64| text.parse().ok().filter(|number| (0.0..=most).contains(number));
        let model = match text.split_once(':') {
            None if text == "tsafrir" => Some(Self::Tsafrir),
            None if text == "shuffled" => Some(Self::Shuffled),
            None if text == "doubled" => Some(Self::Doubled),
            None if text == "exact" => Some(Self::Factor(0.0)),
            Some(("f", factor)) => number(factor, 1e6).map(Self::Factor),
            Some(("phi", share)) => number(share, 1.0).map(Self::Accuracy),
            _ => None,
        };
        let known =
            "unknown model; known: tsafrir, shuffled, doubled, exact, f:FACTOR, phi:SHARE with a share from 0 to 1";
        model.ok_or_else(|| known.to_owned())
    }
}

/// `SECONDS=PERCENT`.
pub fn parse_share(text: &str) -> Result<EstimateShare, String> {
    let (time, per_cent) = text.split_once('=').ok_or("expected SECONDS=PERCENT, such as 64800=23.8")?;
    let time = time.parse().map_err(|_| format!("'{time}' is not a number of seconds"))?;
    let per_cent = per_cent.parse().map_err(|_| format!("'{per_cent}' is not a percentage"))?;
    Ok(EstimateShare { time: Seconds(time), per_cent })
}
