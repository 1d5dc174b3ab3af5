//! What a replay leaves out: lines and jobs, counted by reason.

use std::fmt;

use serde::Serialize;

use crate::error::LogError;
use crate::jobs::ReplayableJobs;

/// Lines and jobs that are not in the result, by reason.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dropped {
    bad_lines: u64,
    no_submit_time: u64,
    no_processors: u64,
    no_run_time: u64,
    over_wide: u64,
    no_limit: u64,
    out_of_range: u64,
}

impl Dropped {
    /// The reason of [`Dropped::reasons`] that a line could not be read.
    pub const BAD_LINE: &str = "on a bad line";
    /// The reason that a job asks for more than the machine has.
    pub const OVER_WIDE: &str = "wider than the machine";
    /// The reason that a job has no limit where one is needed.
    pub const NO_LIMIT: &str = "without the limit a predictor needs";

    /// What these jobs lacked, and what a replay of them left out.
    pub fn new(source: &ReplayableJobs, replay: queuecast_simulate::Dropped) -> Self {
        let read = Self {
            bad_lines: source.source().bad_lines(),
            no_submit_time: source.no_submit_time,
            no_processors: source.no_processors,
            no_run_time: source.no_run_time,
            over_wide: 0,
            no_limit: 0,
            out_of_range: source.out_of_range,
        };
        read.and(replay)
    }

    /// With what a replay left out on top.
    #[must_use]
    pub fn and(self, replay: queuecast_simulate::Dropped) -> Self {
        Self {
            no_run_time: self.no_run_time + replay.no_run_time,
            over_wide: self.over_wide + replay.over_wide,
            no_limit: self.no_limit + replay.no_limit,
            ..self
        }
    }

    /// The reasons there are, and how many each.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let reasons = [
            (Self::BAD_LINE, self.bad_lines),
            ("without submit time", self.no_submit_time),
            ("without processors", self.no_processors),
            ("without a run time above zero", self.no_run_time),
            (Self::OVER_WIDE, self.over_wide),
            (Self::NO_LIMIT, self.no_limit),
            ("with a number out of range", self.out_of_range),
        ];
        reasons.into_iter().filter(|(_, count)| *count > 0)
    }

    /// How many in all.
    pub fn total(&self) -> u64 {
        self.reasons().map(|(_, count)| count).sum()
    }

    /// An error if nothing is left of the log of this name. Whoever leaves jobs out asks this before going on.
    pub fn leaving(self, left: u64, name: &str) -> Result<Self, LogError> {
        if left > 0 { Ok(self) } else { Err(LogError::NothingLeft { name: name.to_owned(), dropped: self }) }
    }
}

/// The reasons in words: `12 without submit time, 3 wider than the machine`.
impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total() == 0 {
            return f.write_str("the log contains no jobs");
        }
        for (place, (reason, count)) in self.reasons().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{count} {reason}")?;
        }
        Ok(())
    }
}
