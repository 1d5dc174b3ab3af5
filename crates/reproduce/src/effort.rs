//! How hard a paper is tried, whichever it is.

use queuecast_evaluate::Shaking;

/// What whoever runs it may choose. What a paper fixes, such as the days of a workload, stands with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Replicates of every simulation, shaken or of seeds of their own, and what decides every random number.
    pub shaking: Shaking,
    /// Generations of every genetic search.
    pub generations: usize,
    /// Futures played for every wait forecast, where any are.
    pub futures: u32,
    /// Only so many jobs of each log and scenario, from the first; all if it does not say.
    pub first: Option<usize>,
}
