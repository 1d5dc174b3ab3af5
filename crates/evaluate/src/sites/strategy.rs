//! Strategies by name, as they stand on the command line and in results.

use std::fmt;
use std::str::FromStr;

use queuecast_forecast::sites::{
    Expectation, ForecastSite, LeastExpected, LeastLoaded, LeastPredicted, Redundant, Static,
};
use queuecast_forecast::{LibsvmError, MethodContext, MethodSpecification};
use queuecast_simulate::SiteChooser;

use super::{SiteSpecification, SitesRun};

/// Where jobs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategySpecification {
    /// Home.
    Static,
    /// The least loaded site.
    LeastLoaded,
    /// So many of the least loaded; the first to start a job keeps it.
    KDistributed(usize),
    /// All sites; the first to start a job keeps it.
    Redundant,
    /// Kumar and Vadhiyar's rule.
    LeastPredicted,
    /// The site of which the least is expected, by a method.
    LeastExpected(Expectation, MethodSpecification),
}

impl StrategySpecification {
    /// What the names mean.
    pub const HELP: &'static str = "Strategies to compare, one per option; the first is the baseline: static, least-loaded, \
        k-distributed:COUNT, redundant, least-predicted (Kumar and Vadhiyar's rule), least-wait:METHOD (shortest expected wait \
        with a method of `qcast wait`), least-completion:METHOD (shortest expected wait and run time at the site's speed)";

    /// Whether what its method needs is on the machine ([`MethodSpecification::require`]).
    pub fn require(&self) -> Result<(), LibsvmError> {
        match self {
            Self::LeastExpected(_, method) => method.require(),
            _ => Ok(()),
        }
    }

    /// One that has seen nothing. Panics without what its method needs.
    pub fn build(self, sites: &[SiteSpecification], run: &SitesRun) -> Box<dyn SiteChooser> {
        let SitesRun { policy, futures, seed } = *run;
        let machines = sites.iter().map(|site| site.machine);
        match self {
            Self::Static => Box::new(Static),
            Self::LeastLoaded => Box::new(LeastLoaded::new(machines)),
            Self::KDistributed(count) => Box::new(LeastLoaded::of_several(machines, count)),
            Self::Redundant => Box::new(Redundant),
            Self::LeastPredicted => {
                let sites = sites.iter().map(|site| site.with(()));
                Box::new(LeastPredicted::published(sites))
            }
            Self::LeastExpected(expectation, method) => {
                let sites = sites.iter().map(|site| {
                    let machine = site.machine;
                    let context = MethodContext { machine, policy: Some(policy), futures, seed, jobs: &[] };
                    site.with(method.build(&context))
                });
                Box::new(LeastExpected::new(sites, expectation))
            }
        }
    }
}

impl SiteSpecification {
    fn with<F>(&self, forecaster: F) -> ForecastSite<F> {
        ForecastSite { machine: self.machine, speed: self.speed, forecaster }
    }
}

impl fmt::Display for StrategySpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static => f.write_str("static"),
            Self::LeastLoaded => f.write_str("least-loaded"),
            Self::KDistributed(count) => write!(f, "k-distributed:{count}"),
            Self::Redundant => f.write_str("redundant"),
            Self::LeastPredicted => f.write_str("least-predicted"),
            Self::LeastExpected(Expectation::Wait, method) => write!(f, "least-wait:{method}"),
            Self::LeastExpected(Expectation::Completion, method) => write!(f, "least-completion:{method}"),
        }
    }
}

impl FromStr for StrategySpecification {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let method = |method: &str| method.parse::<MethodSpecification>().map_err(|error| error.to_string());
        match text.split_once(':') {
            None if text == "static" => Ok(Self::Static),
            None if text == "least-loaded" => Ok(Self::LeastLoaded),
            None if text == "redundant" => Ok(Self::Redundant),
            None if text == "least-predicted" => Ok(Self::LeastPredicted),
            Some(("k-distributed", count)) => match count.parse() {
                Ok(count) if count > 0 => Ok(Self::KDistributed(count)),
                _ => Err(format!("invalid number of sites '{count}'; expected a number above 0")),
            },
            Some(("least-wait", name)) => Ok(Self::LeastExpected(Expectation::Wait, method(name)?)),
            Some(("least-completion", name)) => Ok(Self::LeastExpected(Expectation::Completion, method(name)?)),
            _ => Err(format!(
                "unknown strategy '{text}'; known: static, least-loaded, k-distributed:COUNT, redundant, least-predicted, \
                 least-wait:METHOD, least-completion:METHOD"
            )),
        }
    }
}
