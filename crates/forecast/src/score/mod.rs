//! How good the forecasts were that were given: coverage, sharpness, error, beside Slurm's own estimate.
//!
//! For: judging what was said of real jobs once they have started, from what was kept when it was said. Every forecast
//! counts that was kept; nothing is taken back.
//!
//! Not for: keeping it (the daemon's store); judging forecasters on a log (`queuecast-evaluate`).
//!
//! A [`Scorekeeper`] is told one forecast after the other; the [`Score`] is what it comes to at a moment. What is decided here:
//!
//! * **A range covers** a start that is not before its low end and not after its high end. There is no tolerance.
//! * **Nothing is said to start in the past.** A time before the forecast was made counts as the moment it was made, ours and
//!   Slurm's alike: `squeue --start` shows a plan that has passed as now.
//! * **Slurm is compared where it said something**, and beside its errors are ours on those same forecasts. Where it was blank
//!   is counted; it has no error there. It was too late if its plan, as it stood, was after the real start.
//! * **Experts are judged by the middle of what each said by itself**, at the same moments as ours, so that what the pool is worth can be seen, and a simple
//!   answer that has been better for a month is told.
//! * **First and all.** A job that waits long is forecast many times, so of all forecasts it counts for more, and they are not
//!   independent: intervals of coverage are right for first forecasts and too narrow for all.

mod few_users;
mod figures;
mod last_values;
mod month;
#[cfg(test)]
mod reference;
mod scorekeeper;
mod tally;

pub use few_users::{FewUsers, USERS_COUNTED};
pub use figures::{
    BetterForAMonth, Breakdown, Coverage, Covered, Errors, ExpertFigures, Figures, RoughErrors, Score, SlurmFigures,
};
pub use scorekeeper::Scorekeeper;

use queuecast_workload::{Seconds, Time};

use self::tally::Judged;
use crate::pooled::EXPERTS;

/// The shares at which start times are kept: 50 %, 80 %, 90 % and 95 % ranges lie between them.
pub const SHARES: [f64; 9] = [0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975];

/// Where the median is among them.
pub const MEDIAN: usize = 4;

/// A forecast that was given, and the start that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredForecast {
    /// The partition of the job.
    pub partition: String,
    /// Whose job it was.
    pub user: String,
    /// When the job was submitted.
    pub submitted: Time,
    /// When the forecast was made.
    pub made: Time,
    /// Whether it was the first kept of its job.
    pub first: bool,
    /// The start said, at [`SHARES`].
    pub said: [Time; SHARES.len()],
    /// The same before it was corrected by what was learnt from earlier scores: what the next correction learns from. It
    /// counts for nothing in the score.
    pub raw: [Time; SHARES.len()],
    /// What Slurm itself planned at that moment; blank if it planned nothing.
    pub slurm_said: Option<Time>,
    /// What each expert said by itself, in the middle, in the order of [`EXPERTS`]; `None` of a forecast from before that was kept.
    pub experts: Option<[Time; EXPERTS.len()]>,
    /// When it started.
    pub started: Time,
}

impl ScoredForecast {
    /// How far the middle of it was off.
    pub fn error(&self) -> Seconds {
        Seconds(Judged::of(self).error)
    }

    /// How far the manager's own plan was off, if it had one.
    pub fn plan_error(&self) -> Option<Seconds> {
        Judged::of(self).plan_error().map(Seconds)
    }

    /// Whether the start came within the 80 % range.
    pub fn is_within_range80(&self) -> bool {
        Judged::of(self).is_within_range80()
    }
}
