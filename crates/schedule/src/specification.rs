//! Policies by name, as they stand on the command line and in results: `easy`, `easy-sjbf`,
//! `easy:queue=f1,backfill=shortest,depth=4`.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::{Machine, UnknownName};

use crate::{AnyScheduler, Backfill, Backfilling, Conservative, Depth, Order};

/// Which policy, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolicySpecification {
    /// The queue in an order, holes filled or not.
    Queue {
        /// Who holds the reservations.
        queue: Order,
        /// Who fills the holes; `None` for strict order.
        backfill: Option<Backfill>,
    },
    /// Every job holds a reservation from its arrival on, and none is ever put off.
    Conservative,
}

const KNOWN: &str = "fcfs[:queue=ORDER], easy[:queue=ORDER,backfill=ORDER,depth=COUNT|all], easy-sjbf, conservative, \
                     spf, saf; an ORDER is arrival, shortest, smallest-area, f1, f2, f3, f4 or wfp3";

impl PolicySpecification {
    /// A scheduler of this policy for an empty machine.
    pub fn build(self, machine: Machine) -> AnyScheduler {
        match self {
            Self::Queue { queue, backfill } => AnyScheduler::Backfilling(Backfilling::new(machine, queue, backfill)),
            Self::Conservative => AnyScheduler::Conservative(Conservative::new(machine)),
        }
    }

    const fn easy(queue: Order, order: Order) -> Self {
        Self::Queue { queue, backfill: Some(Backfill { order, depth: Depth::EASY }) }
    }

    /// The policies that have a name of their own.
    const NAMED: [(&'static str, Self); 6] = [
        ("fcfs", Self::Queue { queue: Order::Arrival, backfill: None }),
        ("easy", Self::easy(Order::Arrival, Order::Arrival)),
        ("easy-sjbf", Self::easy(Order::Arrival, Order::Shortest)),
        ("spf", Self::easy(Order::Shortest, Order::Shortest)),
        ("saf", Self::easy(Order::SmallestArea, Order::SmallestArea)),
        ("conservative", Self::Conservative),
    ];

    fn with_parameter(self, name: &str, value: &str) -> Option<Self> {
        let Self::Queue { mut queue, mut backfill } = self else { return None };
        match (name, &mut backfill) {
            ("queue", _) => queue = value.parse().ok()?,
            ("backfill", Some(backfill)) => backfill.order = value.parse().ok()?,
            ("depth", Some(backfill)) => backfill.depth = value.parse().ok()?,
            _ => return None,
        }
        Some(Self::Queue { queue, backfill })
    }
}

impl fmt::Display for PolicySpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = Self::NAMED.iter().find(|(_, policy)| policy == self) {
            return f.write_str(name);
        }
        match self {
            Self::Conservative => f.write_str("conservative"),
            Self::Queue { queue, backfill: None } => write!(f, "fcfs:queue={queue}"),
            Self::Queue { queue, backfill: Some(Backfill { order, depth }) } => {
                write!(f, "easy:queue={queue},backfill={order},depth={depth}")
            }
        }
    }
}

impl FromStr for PolicySpecification {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::new("policy", text, KNOWN);
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let (_, named) = Self::NAMED.into_iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
        parameters.split(',').filter(|parameter| !parameter.is_empty()).try_fold(named, |policy, parameter| {
            let (name, value) = parameter.split_once('=').ok_or_else(unknown)?;
            policy.with_parameter(name, value).ok_or_else(unknown)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for name in [
            "fcfs",
            "easy",
            "easy-sjbf",
            "spf",
            "saf",
            "conservative",
            "fcfs:queue=f1",
            "easy:queue=f4,backfill=shortest,depth=4",
            "easy:queue=arrival,backfill=wfp3,depth=all",
        ] {
            assert_eq!(name.parse::<PolicySpecification>().expect(name).to_string(), name);
        }
        let sjbf: PolicySpecification = "easy:backfill=shortest".parse().unwrap();
        assert_eq!(sjbf.to_string(), "easy-sjbf");
    }

    #[test]
    fn nonsense_is_refused_with_the_names_that_exist() {
        for name in ["", "esay", "easy:depth=0", "easy:order=f1", "fcfs:backfill=shortest", "conservative:depth=2"] {
            let error = name.parse::<PolicySpecification>().expect_err(name).to_string();
            assert!(error.contains("conservative"), "{error}");
        }
    }
}
