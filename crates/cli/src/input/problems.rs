//! Bad lines: each is reported or counted, none passes in silence.

use std::fmt;
use std::str::FromStr;

use crate::failure::say;
use crate::output::grouped;

/// How many bad lines are reported one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemLimit {
    /// The first so many.
    First(u64),
    /// Every one.
    All,
}

impl Default for ProblemLimit {
    fn default() -> Self {
        Self::First(20)
    }
}

impl fmt::Display for ProblemLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(count) => write!(f, "{count}"),
            Self::All => f.write_str("all"),
        }
    }
}

impl FromStr for ProblemLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            number => number.parse().map(Self::First).map_err(|_| "expected a number, or `all`".to_owned()),
        }
    }
}

/// Reports the bad lines of one file.
#[derive(Debug)]
pub struct Problems {
    limit: ProblemLimit,
    count: u64,
}

impl Problems {
    /// None yet.
    pub fn new(limit: ProblemLimit) -> Self {
        Self { limit, count: 0 }
    }

    /// Whether the next one is to be reported by itself.
    fn shows_next(&self) -> bool {
        match self.limit {
            ProblemLimit::First(limit) => self.count < limit,
            ProblemLimit::All => true,
        }
    }

    /// Counts a bad line, and reports it if it is among the first.
    pub fn add(&mut self, source: &str, bad_line: &dyn fmt::Display) {
        if self.shows_next() {
            say(format_args!("{source}:{bad_line}"));
        }
        self.count += 1;
    }

    /// Says how many there were, if there were any.
    pub fn conclude(&self, source: &str) {
        if self.count == 0 {
            return;
        }
        let lines = if self.count == 1 { "line" } else { "lines" };
        let unseen = if self.shows_next() { "" } else { "; show all with --problems all" };
        say(format_args!("warning: {source}: {} bad {lines} left out{unseen}", grouped(self.count)));
    }
}
