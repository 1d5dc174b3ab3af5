//! Predictors by name, as they stand on the command line and in results: `estimate`, `constant:1`,
//! `recent:n=2,stat=mean`.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::{Seconds, UnknownName};

use crate::{
    Constant, Correction, Estimate, Foresight, FromHistory, Perfect, Recent, RuntimeModel, RuntimePredictor, Statistic,
};

/// Which predictor, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PredictorSpecification {
    /// The oracle.
    Perfect,
    /// The user's limit.
    Estimate,
    /// One run time for all.
    Constant(Seconds),
    /// A statistic of the user's last `jobs` run times.
    Recent {
        /// How many.
        jobs: usize,
        /// Which statistic.
        statistic: Statistic,
    },
}

const KNOWN: &str = "perfect, estimate, constant:SECONDS, recent:n=COUNT,stat=mean|median";

impl PredictorSpecification {
    /// Whether the predictor plans with the user's limit and so needs every job to have one.
    pub fn needs_limit(&self) -> bool {
        matches!(self, Self::Estimate)
    }

    /// The correction the paper pairs with this predictor: what knows nothing beyond the limit can only step
    /// (R-SIM-5).
    pub fn default_correction(&self) -> Correction {
        match self {
            Self::Perfect | Self::Recent { .. } => Correction::Raise,
            Self::Estimate | Self::Constant(_) => Correction::Steps,
        }
    }

    /// Builds the predictor. Only the oracle comes with a [`Foresight`], which must hear the trace.
    pub fn build(&self, correction: Correction, propagate: bool) -> (Box<dyn RuntimePredictor>, Option<Foresight>) {
        let predictor = match self {
            Self::Perfect => {
                let (oracle, foresight) = Perfect::new();
                return (events(oracle, correction, propagate), Some(foresight));
            }
            Self::Estimate => events(Estimate, correction, propagate),
            Self::Constant(planned) => events(Constant(*planned), correction, propagate),
            Self::Recent { jobs, statistic } => events(Recent::new(*jobs, *statistic), correction, propagate),
        };
        (predictor, None)
    }
}

fn events<M: RuntimeModel + 'static>(model: M, correction: Correction, propagate: bool) -> Box<dyn RuntimePredictor> {
    let predictor = FromHistory::new(model, correction);
    Box::new(if propagate { predictor.propagating() } else { predictor })
}

impl fmt::Display for PredictorSpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Perfect => f.write_str("perfect"),
            Self::Estimate => f.write_str("estimate"),
            Self::Constant(planned) => write!(f, "constant:{}", planned.0),
            Self::Recent { jobs, statistic } => write!(f, "recent:n={jobs},stat={statistic}"),
        }
    }
}

impl FromStr for PredictorSpecification {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::new("predictor", text, KNOWN);
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        match (name, parameters) {
            ("perfect", "") => Ok(Self::Perfect),
            ("estimate", "") => Ok(Self::Estimate),
            ("constant", seconds) => match seconds.parse() {
                Ok(seconds) if (1..=Seconds::MAX.0).contains(&seconds) => Ok(Self::Constant(Seconds(seconds))),
                _ => Err(unknown()),
            },
            ("recent", parameters) => parse_recent(parameters).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }
}

fn parse_recent(parameters: &str) -> Option<PredictorSpecification> {
    let (mut jobs, mut statistic) = (3, Statistic::Median);
    for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=')? {
            ("n", count) => jobs = count.parse().ok().filter(|count| (1..=1_000_000).contains(count))?,
            ("stat", "mean") => statistic = Statistic::Mean,
            ("stat", "median") => statistic = Statistic::Median,
            _ => return None,
        }
    }
    Some(PredictorSpecification::Recent { jobs, statistic })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for name in ["perfect", "estimate", "constant:1", "recent:n=2,stat=mean", "recent:n=3,stat=median"] {
            assert_eq!(name.parse::<PredictorSpecification>().expect(name).to_string(), name);
        }
        assert_eq!("recent".parse::<PredictorSpecification>().unwrap().to_string(), "recent:n=3,stat=median");
    }

    #[test]
    fn nonsense_is_refused_with_the_names_that_exist() {
        for name in ["", "perfct", "constant", "constant:0", "constant:-5", "recent:n=0", "recent:k=2", "estimate:2"] {
            let error = name.parse::<PredictorSpecification>().expect_err(name).to_string();
            assert!(error.contains("recent:n=COUNT"), "{error}");
        }
    }
}
