//! Predictors by name, as they stand on the command line and in results: `estimate`, `constant:1`,
//! `recent:n=2,stat=mean`, `session:criteria=PE/P/E/*,search=dfs,depth=all`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use queuecast_workload::{Seconds, UnknownName};

use crate::session::{Growth, SessionParameters, Sessions};
use crate::{
    Constant, Correction, Downey, DowneyStatistic, Estimate, Factor, ForeignPredictor, Foresight, FromHistory, Gibbons,
    GibbonsData, LimitUse, Multiplied, Perfect, Recent, RecentParameters, RuntimeModel, RuntimePredictor, Statistic,
    TemplateSet, Templates,
};

/// Which predictor, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PredictorSpecification {
    /// The oracle.
    Perfect,
    /// The user's limit.
    Estimate,
    /// What the oracle says, so many times.
    PerfectTimes(Factor),
    /// The user's limit, so many times.
    EstimateTimes(Factor),
    /// One run time for all.
    Constant(Seconds),
    /// A statistic of the user's last run times.
    Recent(RecentParameters),
    /// The most alike jobs of the user's last sessions.
    Session(SessionParameters),
    /// The surest category of a set of templates.
    Templates(Arc<TemplateSet>),
    /// Gibbons' six templates.
    Gibbons(GibbonsData),
    /// Downey's distribution of the queue's run times.
    Downey(DowneyStatistic),
    /// Somebody else's.
    Foreign(ForeignPredictor),
}

const KNOWN: &str = "perfect[:xFACTOR], estimate[:xFACTOR], constant:SECONDS, \
     recent:n=COUNT,stat=mean|median[,least=COUNT][,running=yes|no][,cap=yes|no], \
     session:criteria=PE/P/E/*,search=dfs|bfs,depth=COUNT|all[,estimates=no,growth=balanced|unbalanced], \
     templates:(u,mean,act)/(q,u,n=4,lr,act,mh=16), gibbons[:data=act|rel], downey:median|average";

impl PredictorSpecification {
    /// Whether the predictor plans with the user's limit and so needs every job to have one.
    pub fn needs_limit(&self) -> bool {
        matches!(self, Self::Estimate | Self::EstimateTimes(_))
    }

    /// The correction the paper pairs with this predictor: what knows nothing beyond the limit can only step
    /// (R-SIM-5), and without estimates predictions grow tenfold (R-T8).
    pub fn default_correction(&self) -> Correction {
        match self {
            Self::Estimate | Self::EstimateTimes(_) | Self::Constant(_) => Correction::Steps,
            Self::Session(SessionParameters { growth: Some(growth), .. }) => match *growth {
                Growth::Balanced(Some(threshold)) => Correction::TenfoldUntil(threshold),
                Growth::Balanced(None) => Correction::TenfoldUntilLongest,
                Growth::Unbalanced => Correction::Tenfold,
            },
            Self::Perfect
            | Self::PerfectTimes(_)
            | Self::Recent(_)
            | Self::Session(_)
            | Self::Templates(_)
            | Self::Gibbons(_)
            | Self::Downey(_)
            | Self::Foreign(_) => Correction::Raise,
        }
    }

    /// Builds the predictor. Only the oracle comes with a [`Foresight`], which must hear the trace. What never changes
    /// its mind has nothing to propagate.
    pub fn build(&self, correction: Correction, propagate: bool) -> (Box<dyn RuntimePredictor>, Option<Foresight>) {
        let bound = LimitUse::Bound;
        let predictor = match self {
            Self::Perfect => {
                let (oracle, foresight) = Perfect::new();
                // It knows of jobs that outrun their limit, too.
                return (events(oracle, correction, LimitUse::FallbackOnly, false), Some(foresight));
            }
            Self::PerfectTimes(factor) => {
                let (oracle, foresight) = Perfect::new();
                let multiplied = Multiplied::new(oracle, *factor);
                return (events(multiplied, correction, LimitUse::FallbackOnly, false), Some(foresight));
            }
            Self::Estimate => events(Estimate, correction, bound, propagate),
            // Beyond the limit on purpose.
            Self::EstimateTimes(factor) => {
                events(Multiplied::new(Estimate, *factor), correction, LimitUse::FallbackOnly, false)
            }
            Self::Constant(planned) => events(Constant(*planned), correction, bound, false),
            Self::Recent(parameters) => {
                let limit_use = if parameters.capped { bound } else { LimitUse::FallbackOnly };
                events(Recent::new(*parameters), correction, limit_use, propagate)
            }
            Self::Session(parameters) => {
                let limit_use = if parameters.growth.is_some() { LimitUse::Ignored } else { bound };
                events(Sessions::new(parameters.clone()), correction, limit_use, propagate)
            }
            Self::Templates(set) => events(Templates::new(set), correction, bound, propagate),
            Self::Gibbons(data) => events(Gibbons::new(*data), correction, bound, propagate),
            Self::Downey(statistic) => events(Downey::new(*statistic), correction, bound, propagate),
            Self::Foreign(predictor) => events(predictor.model(), correction, bound, propagate),
        };
        (predictor, None)
    }
}

fn events<M: RuntimeModel + 'static>(
    model: M,
    correction: Correction,
    limit_use: LimitUse,
    propagate: bool,
) -> Box<dyn RuntimePredictor> {
    let predictor = FromHistory::new(model, correction, limit_use);
    Box::new(if propagate { predictor.propagating() } else { predictor })
}

impl fmt::Display for PredictorSpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Perfect => f.write_str("perfect"),
            Self::Estimate => f.write_str("estimate"),
            Self::PerfectTimes(factor) => write!(f, "perfect:{factor}"),
            Self::EstimateTimes(factor) => write!(f, "estimate:{factor}"),
            Self::Constant(planned) => write!(f, "constant:{}", planned.0),
            Self::Recent(parameters) => write!(f, "recent:{parameters}"),
            Self::Session(parameters) => write!(f, "session:{parameters}"),
            Self::Templates(set) => write!(f, "templates:{set}"),
            Self::Gibbons(GibbonsData::Actual) => f.write_str("gibbons"),
            Self::Gibbons(data) => write!(f, "gibbons:data={data}"),
            Self::Downey(statistic) => write!(f, "downey:{statistic}"),
            Self::Foreign(predictor) => predictor.fmt(f),
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
            ("perfect", factor) => factor.parse().map(Self::PerfectTimes).map_err(|_| unknown()),
            ("estimate", factor) => factor.parse().map(Self::EstimateTimes).map_err(|_| unknown()),
            ("constant", seconds) => match seconds.parse() {
                Ok(seconds) if (1..=Seconds::MAX.0).contains(&seconds) => Ok(Self::Constant(Seconds(seconds))),
                _ => Err(unknown()),
            },
            ("recent", parameters) => parse_recent(parameters).map(Self::Recent).ok_or_else(unknown),
            ("session", parameters) => Ok(Self::Session(parameters.parse()?)),
            ("templates", set) => set.parse().map(|set| Self::Templates(Arc::new(set))).map_err(|_| unknown()),
            ("gibbons", "" | "data=act") => Ok(Self::Gibbons(GibbonsData::Actual)),
            ("gibbons", "data=rel") => Ok(Self::Gibbons(GibbonsData::Relative)),
            ("downey", "median") => Ok(Self::Downey(DowneyStatistic::Median)),
            ("downey", "average") => Ok(Self::Downey(DowneyStatistic::Average)),
            _ => Err(unknown()),
        }
    }
}

fn parse_recent(parameters: &str) -> Option<RecentParameters> {
    let count = |text: &str| text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    let (mut recent, mut least) = (RecentParameters::new(3, Statistic::Median), None);
    for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=')? {
            ("n", text) => recent.jobs = count(text)?,
            ("least", text) => least = Some(count(text)?),
            ("stat", "mean") => recent.statistic = Statistic::Mean,
            ("stat", "median") => recent.statistic = Statistic::Median,
            ("running", "yes") => recent.running = true,
            ("running", "no") => recent.running = false,
            ("cap", "yes") => recent.capped = true,
            ("cap", "no") => recent.capped = false,
            _ => return None,
        }
    }
    recent.least = least.unwrap_or(recent.jobs);
    (recent.least <= recent.jobs).then_some(recent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for name in [
            "perfect",
            "estimate",
            "perfect:x2",
            "estimate:x10",
            "constant:1",
            "recent:n=2,stat=mean",
            "recent:n=3,stat=median",
            "recent:n=3,stat=median,least=1,running=yes,cap=no",
            "session:criteria=PE/P/E/*,search=dfs,depth=all",
            "session:criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=unbalanced",
            "templates:(u,mean,act)/(q,u,n=4,lr,act,mh=16)",
            "gibbons",
            "gibbons:data=rel",
            "downey:median",
            "downey:average",
        ] {
            assert_eq!(name.parse::<PredictorSpecification>().expect(name).to_string(), name);
        }
        assert_eq!("recent".parse::<PredictorSpecification>().unwrap().to_string(), "recent:n=3,stat=median");
    }

    #[test]
    fn nonsense_is_refused_with_the_names_that_exist() {
        for name in [
            "",
            "perfct",
            "constant",
            "constant:0",
            "constant:-5",
            "recent:n=0",
            "recent:k=2",
            "estimate:2",
            "estimate:x1",
            "perfect:x",
        ] {
            let error = name.parse::<PredictorSpecification>().expect_err(name).to_string();
            assert!(error.contains("recent:n=COUNT"), "{error}");
        }
        assert!("recent:n=2,least=3".parse::<PredictorSpecification>().is_err());
        assert!("session:criteria=Q".parse::<PredictorSpecification>().is_err());
    }
}
