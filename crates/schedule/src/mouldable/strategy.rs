//! Allocation strategies by name, as they stand on the command line and in results: `avg`, `pred`, `bias:lock-in,risk=0.2`.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::UnknownName;

use super::choice::{Heuristic, Preferences};

/// How the job at the head of the queue chooses its processors; never more than its average parallelism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AllocationStrategy {
    /// Whatever is free, at once: work is never put off.
    Average,
    /// The least expected turnaround.
    Turnaround {
        /// Where queue times come from.
        source: QueueTimeSource,
        /// Whether a job that waited takes what it waited for and no more.
        locks_in: bool,
        /// What counts beside.
        preferences: Preferences,
    },
    /// By the looks of the job alone.
    Heuristic(Heuristic),
}

/// Where queue times come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueTimeSource {
    /// The oracle: when running jobs will really end. The bound of what the others can reach.
    Known,
    /// The ages of running jobs and the distribution of run times.
    Predicted,
    /// The same, corrected by what came of earlier predictions.
    Corrected,
}

const KNOWN: &str = "avg, opt, pred, bias (each of the last three with any of lock-in, risk=SHARE, shared-cost after a \
                     colon), heur[:lifetime=SECONDS,parallelism=COUNT,share=SHARE,patience=SHARE]";

impl AllocationStrategy {
    /// Whether it acts upon predicted queue times, and so depends on how those come about.
    pub fn predicts(&self) -> bool {
        match self {
            Self::Turnaround { source, .. } => *source != QueueTimeSource::Known,
            Self::Average | Self::Heuristic(_) => false,
        }
    }

    /// Downey's OPT.
    pub const OPT: Self = Self::selfish(QueueTimeSource::Known);
    /// Downey's PRED.
    pub const PRED: Self = Self::selfish(QueueTimeSource::Predicted);
    /// Downey's BIAS.
    pub const BIAS: Self = Self::selfish(QueueTimeSource::Corrected);
    /// Downey's HEUR, with the parameters he found best.
    pub const HEUR: Self = Self::Heuristic(Heuristic::TUNED);

    const fn selfish(source: QueueTimeSource) -> Self {
        Self::Turnaround { source, locks_in: false, preferences: Preferences::SELFISH }
    }

    fn with_parameter(mut self, name: &str, value: Option<&str>) -> Option<Self> {
        let number = || value?.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        match (&mut self, name) {
            (Self::Turnaround { locks_in, .. }, "lock-in") if value.is_none() => *locks_in = true,
            (Self::Turnaround { preferences, .. }, "shared-cost") if value.is_none() => {
                preferences.pays_for_others = true;
            }
            (Self::Turnaround { preferences, .. }, "risk") => preferences.least_saving = number()?,
            (Self::Heuristic(heuristic), "lifetime") => heuristic.lifetime_seconds = number()?,
            (Self::Heuristic(heuristic), "parallelism") => heuristic.parallelism = number()?,
            (Self::Heuristic(heuristic), "share") => heuristic.share = number().filter(|share| *share <= 1.0)?,
            (Self::Heuristic(heuristic), "patience") => heuristic.patience = number()?,
            _ => return None,
        }
        Some(self)
    }
}

impl fmt::Display for AllocationStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Average => f.write_str("avg"),
            Self::Turnaround { source, locks_in, preferences } => {
                f.write_str(match source {
                    QueueTimeSource::Known => "opt",
                    QueueTimeSource::Predicted => "pred",
                    QueueTimeSource::Corrected => "bias",
                })?;
                let risk = (preferences.least_saving > 0.0).then(|| format!("risk={}", preferences.least_saving));
                let parameters = [
                    locks_in.then(|| "lock-in".to_owned()),
                    risk,
                    preferences.pays_for_others.then(|| "shared-cost".to_owned()),
                ];
                let parameters: Vec<String> = parameters.into_iter().flatten().collect();
                if parameters.is_empty() { Ok(()) } else { write!(f, ":{}", parameters.join(",")) }
            }
            Self::Heuristic(heuristic) if *heuristic == Heuristic::TUNED => f.write_str("heur"),
            Self::Heuristic(Heuristic { lifetime_seconds, parallelism, share, patience }) => write!(
                f,
                "heur:lifetime={lifetime_seconds},parallelism={parallelism},share={share},patience={patience}"
            ),
        }
    }
}

impl FromStr for AllocationStrategy {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::new("strategy", text, KNOWN);
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let named = match name {
            "avg" => Self::Average,
            "opt" => Self::OPT,
            "pred" => Self::PRED,
            "bias" => Self::BIAS,
            "heur" => Self::HEUR,
            _ => return Err(unknown()),
        };
        parameters.split(',').filter(|parameter| !parameter.is_empty()).try_fold(named, |strategy, parameter| {
            let (name, value) =
                parameter.split_once('=').map_or((parameter, None), |(name, value)| (name, Some(value)));
            strategy.with_parameter(name, value).ok_or_else(unknown)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for name in [
            "avg",
            "opt",
            "pred",
            "bias",
            "heur",
            "bias:lock-in",
            "bias:lock-in,risk=0.2",
            "opt:shared-cost",
            "pred:lock-in,risk=0.5,shared-cost",
            "heur:lifetime=60,parallelism=2,share=0.5,patience=0.1",
        ] {
            assert_eq!(name.parse::<AllocationStrategy>().expect(name).to_string(), name);
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_names_that_exist() {
        for name in
            ["", "average", "avg:lock-in", "pred:risk", "pred:risk=-1", "pred:lock-in=1", "heur:share=2", "heur:risk=1"]
        {
            let error = name.parse::<AllocationStrategy>().expect_err(name).to_string();
            assert!(error.contains("shared-cost"), "{error}");
        }
    }
}
