//! What a search comes back with.

use queuecast_predict::templates::TemplateSet;

use crate::Score;

/// The best set a search found, and how it got there.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The set.
    pub set: TemplateSet,
    /// Its score over the workload that was searched: in-sample, and so flattered (E-S2.9).
    pub score: Score,
    /// How many sets were scored.
    pub evaluations: u64,
    /// The sets' errors by generation, or by round of a greedy search.
    pub history: Vec<Progress>,
}

/// The mean errors of the sets that were scored in one generation, or in one round of a greedy search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Which generation or round, from zero.
    pub generation: usize,
    /// The error of the best set.
    pub best_error_seconds: f64,
    /// The mean of the sets' errors.
    pub mean_error_seconds: f64,
    /// The error of the worst set.
    pub worst_error_seconds: f64,
}

impl Progress {
    /// Sums up one generation, of at least one set.
    pub(crate) fn of(generation: usize, scores: &[Score]) -> Self {
        let errors = || scores.iter().map(Score::mean_error_seconds);
        Self {
            generation,
            best_error_seconds: errors().fold(f64::INFINITY, f64::min),
            mean_error_seconds: errors().sum::<f64>() / (scores.len() as f64).max(1.0),
            worst_error_seconds: errors().fold(0.0, f64::max),
        }
    }
}
