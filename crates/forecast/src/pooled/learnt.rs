//! What the forecaster has learnt, in a form that outlives it.
//!
//! For: keeping it over a restart. Who keeps it keeps [`LearntWaits::VERSION`] beside it, and does not give back what is of another version.
//!
//! Not for: the last waits and the users' memory, which are told again from the history of jobs; the forest, which is grown again from its rows; and what was
//! said of jobs that still wait.

use serde::{Deserialize, Serialize};

/// What was learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearntWaits {
    /// The weights in each regime, and from how many outcomes.
    pub(super) weights: Vec<(Vec<f64>, f64)>,
    /// Where outcomes lay, in each bin, from the oldest.
    pub(super) places: Vec<Vec<f32>>,
    /// The forest's rows, one after the other, from the oldest; without who and where.
    pub(super) inputs: Vec<f32>,
    /// And their waits in seconds.
    pub(super) waits: Vec<f64>,
}

impl LearntWaits {
    /// Is raised with every change of what experts, regimes, spans or inputs there are, or of what they mean.
    pub const VERSION: u32 = 2;
}
