//! Strategies by name, as they stand on the command line and in results.

use std::fmt;
use std::str::FromStr;

use queuecast_forecast::sites::{Expectation, LeastExpected, LeastLoaded, Redundant, Static};
use queuecast_forecast::{MethodContext, MethodSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::SiteChooser;

use super::SiteSpecification;

/// Where jobs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    Static,
    LeastLoaded,
    KDistributed(usize),
    Redundant,
    LeastExpected(Expectation, MethodSpecification),
}

impl StrategyName {
    pub const HELP: &'static str = "Where jobs go; repeat it for every strategy to compare, the first is what the others are \
        measured against: static, least-loaded, k-distributed:COUNT, redundant, least-wait:METHOD (the least expected wait by a \
        method of `qcast wait`), quick-first:METHOD (the same, but sites where it starts within an hour first)";

    /// One that has seen nothing.
    pub fn build(
        self,
        sites: &[SiteSpecification],
        policy: PolicySpecification,
        futures: u32,
        seed: u64,
    ) -> Box<dyn SiteChooser> {
        let machines = sites.iter().map(|site| site.machine);
        match self {
            Self::Static => Box::new(Static),
            Self::LeastLoaded => Box::new(LeastLoaded::new(machines)),
            Self::KDistributed(count) => Box::new(LeastLoaded::of_several(machines, count)),
            Self::Redundant => Box::new(Redundant),
            Self::LeastExpected(expectation, method) => {
                let forecasters = machines.map(|machine| {
                    let context = MethodContext { machine, policy: Some(policy), futures, seed, jobs: &[] };
                    (machine, method.build(&context))
                });
                Box::new(LeastExpected::new(forecasters, expectation))
            }
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static => f.write_str("static"),
            Self::LeastLoaded => f.write_str("least-loaded"),
            Self::KDistributed(count) => write!(f, "k-distributed:{count}"),
            Self::Redundant => f.write_str("redundant"),
            Self::LeastExpected(Expectation::Wait, method) => write!(f, "least-wait:{method}"),
            Self::LeastExpected(Expectation::QuickStartersFirst, method) => write!(f, "quick-first:{method}"),
        }
    }
}

impl FromStr for StrategyName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let method = |method: &str| method.parse::<MethodSpecification>().map_err(|error| error.to_string());
        match text.split_once(':') {
            None if text == "static" => Ok(Self::Static),
            None if text == "least-loaded" => Ok(Self::LeastLoaded),
            None if text == "redundant" => Ok(Self::Redundant),
            Some(("k-distributed", count)) => match count.parse() {
                Ok(count) if count > 0 => Ok(Self::KDistributed(count)),
                _ => Err(format!("'{count}' is not a number of sites above 0")),
            },
            Some(("least-wait", name)) => Ok(Self::LeastExpected(Expectation::Wait, method(name)?)),
            Some(("quick-first", name)) => Ok(Self::LeastExpected(Expectation::QuickStartersFirst, method(name)?)),
            _ => Err(format!(
                "unknown strategy '{text}'; known: static, least-loaded, k-distributed:COUNT, redundant, least-wait:METHOD, \
                 quick-first:METHOD"
            )),
        }
    }
}
