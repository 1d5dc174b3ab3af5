//! The parameters of session-based prediction by name: `criteria=PE/P/E/*,search=dfs,depth=all`.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::session::THINK_TIME;
use queuecast_workload::{Seconds, UnknownName};

use super::Criteria;

/// What session-based prediction depends on beside the history.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionParameters {
    /// What makes jobs alike, best first.
    pub criteria: Criteria,
    /// Whether likeness or nearness in time comes first.
    pub search: Search,
    /// How many of the newest sessions are searched; all of them if `None`.
    pub depth: Option<u32>,
    /// An idle time this long ends a session.
    pub think_time: Seconds,
    /// How predictions grow without estimates; `None` where estimates are used.
    pub growth: Option<Growth>,
}

/// The order of the two loops of Listing 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// Each criterion through all sessions before the next: an old exact match beats a new rough one.
    DepthFirst,
    /// Each session through all criteria before the one before it.
    BreadthFirst,
}

/// What a tenfold correction does in the long run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Growth {
    /// Growth stops at a threshold, or, where none is named, at the longest limit seen so far: what comes nearest to
    /// the longest the site allows (E-S0.5) for whoever does not look ahead.
    Balanced(Option<Seconds>),
    /// It does not.
    Unbalanced,
}

pub(crate) const KNOWN: &str = "session:criteria=PE/P/E/*[,search=dfs|bfs][,depth=COUNT|all][,think=SECONDS]\
     [,estimates=yes|no][,growth=balanced|unbalanced][,threshold=SECONDS] with criteria over P (processors), \
     E (estimate; needs estimates=yes), X (executable), * (any job)";

impl FromStr for SessionParameters {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| UnknownName::new("session parameters", text, KNOWN))
    }
}

fn parse(text: &str) -> Option<SessionParameters> {
    let mut criteria = None;
    let (mut search, mut depth, mut think_time) = (Search::DepthFirst, None, THINK_TIME);
    let (mut estimates, mut balanced, mut threshold) = (true, None, None);
    for parameter in text.split(',').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=')? {
            ("criteria", list) => criteria = Some(Criteria::parse(list)?),
            ("search", "dfs") => search = Search::DepthFirst,
            ("search", "bfs") => search = Search::BreadthFirst,
            ("depth", "all") => depth = None,
            ("depth", count) => depth = Some(count.parse().ok().filter(|count| *count >= 1)?),
            ("think", seconds) => think_time = parse_seconds(seconds)?,
            ("estimates", "yes") => estimates = true,
            ("estimates", "no") => estimates = false,
            ("growth", "balanced") => balanced = Some(true),
            ("growth", "unbalanced") => balanced = Some(false),
            ("threshold", seconds) => threshold = Some(parse_seconds(seconds)?),
            _ => return None,
        }
    }
    let default = if estimates { "PE/P/E/*" } else { "PX/P/X/*" };
    let criteria = criteria.or_else(|| Criteria::parse(default))?;
    let uses_estimates = criteria.as_slice().iter().any(|criterion| criterion.limit());
    let growth = match (estimates, balanced, threshold) {
        (true, None, None) => None,
        // With estimates, predictions are raised to them and do not grow; growth without bound has no threshold.
        (true, ..) | (false, Some(false), Some(_)) => return None,
        (false, Some(false), None) => Some(Growth::Unbalanced),
        (false, _, threshold) => Some(Growth::Balanced(threshold)),
    };
    (estimates || !uses_estimates).then_some(SessionParameters { criteria, search, depth, think_time, growth })
}

fn parse_seconds(text: &str) -> Option<Seconds> {
    text.parse().ok().filter(|seconds| (1..=Seconds::MAX.0).contains(seconds)).map(Seconds)
}

impl fmt::Display for SessionParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let search = match self.search {
            Search::DepthFirst => "dfs",
            Search::BreadthFirst => "bfs",
        };
        let depth = self.depth.map_or("all".to_owned(), |depth| depth.to_string());
        write!(f, "criteria={},search={search},depth={depth}", self.criteria)?;
        if self.think_time != THINK_TIME {
            write!(f, ",think={}", self.think_time.0)?;
        }
        match self.growth {
            None => Ok(()),
            Some(Growth::Unbalanced) => f.write_str(",estimates=no,growth=unbalanced"),
            Some(Growth::Balanced(None)) => f.write_str(",estimates=no,growth=balanced"),
            Some(Growth::Balanced(Some(threshold))) => {
                write!(f, ",estimates=no,growth=balanced,threshold={}", threshold.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_read_back_as_themselves() {
        for text in [
            "criteria=PE/P/E/*,search=dfs,depth=all",
            "criteria=PEX/*,search=bfs,depth=30",
            "criteria=*,search=dfs,depth=3,think=600",
            "criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=balanced",
            "criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=balanced,threshold=64800",
            "criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=balanced,threshold=129600",
            "criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=unbalanced",
        ] {
            assert_eq!(text.parse::<SessionParameters>().expect(text).to_string(), text);
        }
        let defaults = "".parse::<SessionParameters>().unwrap();
        assert_eq!(defaults.to_string(), "criteria=PE/P/E/*,search=dfs,depth=all");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "criteria=",
            "criteria=PEP",
            "criteria=P/P",
            "criteria=PQ",
            "criteria=P*",
            "depth=0",
            "depth=-1",
            "think=0",
            "search=best",
            "criteria=PE/P,estimates=no",
            "threshold=0",
            "estimates",
            // Found by fuzzing: these were taken and then forgotten.
            "criteria=PX/P/X,threshold=64800",
            "growth=unbalanced",
            "criteria=X,estimates=no,growth=unbalanced,threshold=60",
        ] {
            let error = text.parse::<SessionParameters>().expect_err(text).to_string();
            assert!(error.contains("criteria over P"), "{error}");
        }
    }
}
