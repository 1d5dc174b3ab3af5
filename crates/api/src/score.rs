//! How good the forecasts were: ours beside Slurm's own plan, overall, by partition and by class.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The scorecard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreAnswer {
    /// All jobs together; `null` if there are none to show yet.
    pub overall: Option<ScoreGroupAnswer>,
    /// By partition.
    pub by_partition: Vec<ScoreGroupAnswer>,
    /// By class: how long the wait was that was left when the forecast was made.
    pub by_class: Vec<ScoreGroupAnswer>,
    /// Simple answers that have been nearer than ours on this cluster for the last month; usually none.
    #[serde(default)]
    pub better_for_a_month: Vec<BetterAnswer>,
}

/// A simple answer that has been nearer than ours for a month.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BetterAnswer {
    /// Of which forecasts: `first` of each job, or `all`.
    pub of: String,
    /// Which answer: the name of an expert, or `plan` for Slurm's own.
    pub name: String,
    /// Forecasts of which both said something.
    pub forecasts: u64,
    /// Users whose jobs they were of, counted up to five. Of fewer than five it is shown to administrators only.
    pub users: u64,
    /// How far it was off: half were nearer. Within 2 %.
    pub median_absolute_error_seconds: f64,
    /// How far we were off.
    pub ours_median_absolute_error_seconds: f64,
}

/// The figures of some jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreGroupAnswer {
    /// Which: `all`, a partition's name or a class's.
    pub name: String,
    /// Users whose jobs these are, counted up to five; where some figure, or the difference of two, is of fewer users, those. Groups
    /// of fewer than five are shown to administrators only.
    #[serde(default)]
    pub users: u64,
    /// Of the first forecast of every job.
    pub first: FiguresAnswer,
    /// Of every forecast that was kept.
    pub all: FiguresAnswer,
}

/// How good some forecasts were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FiguresAnswer {
    /// Forecasts.
    pub forecasts: u64,
    /// Jobs they were of.
    pub jobs: u64,
    /// How often the start came within the range; `null` without forecasts.
    pub coverage: Option<CoverageAnswer>,
    /// How wide the 80 % range was: half were narrower.
    pub range80_median_width_seconds: Option<f64>,
    /// How far the median was off: half were nearer.
    pub median_absolute_error_seconds: Option<f64>,
    /// The share whose median was off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// Slurm's own plan at the same moments.
    pub slurm: SlurmFiguresAnswer,
    /// What is weighed into our forecast, each by itself; `null` before any is known.
    #[serde(default)]
    pub experts: Option<ExpertsAnswer>,
}

/// How good each expert would have been by itself, at the same moments as ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExpertsAnswer {
    /// Forecasts of which the experts are known.
    pub forecasts: u64,
    /// Ours first, named `ours`, then every expert.
    pub answers: Vec<ExpertAnswer>,
}

/// How far one answer was off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExpertAnswer {
    /// Whose: `ours`, or an expert.
    pub name: String,
    /// Half were nearer; within 2 %.
    pub median_absolute_error_seconds: f64,
    /// On average.
    pub mean_absolute_error_seconds: f64,
}

/// Shares of starts that came within the range of this name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoverageAnswer {
    /// Of the 50 % range.
    pub p50: f64,
    /// Of the 80 % range.
    pub p80: f64,
    /// Of the 90 % range.
    pub p90: f64,
    /// Of the 95 % range.
    pub p95: f64,
}

/// How good Slurm's own plan was. Blank ones have no error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlurmFiguresAnswer {
    /// How far it was off: half were nearer.
    pub median_absolute_error_seconds: Option<f64>,
    /// The share of those with a plan that was off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// The share for which Slurm had planned nothing.
    pub blank: Option<f64>,
    /// The share of its plans that were after the real start.
    pub too_late: Option<f64>,
    /// Our own error at the moments at which Slurm had a plan: what to compare its error with.
    pub ours_median_absolute_error_seconds: Option<f64>,
    /// Our own share within ten minutes at those moments.
    pub ours_within_10_minutes: Option<f64>,
}

/// How good forecasts like this one were lately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LatelyAnswer {
    /// Of this partition.
    pub partition: String,
    /// So many.
    pub forecasts: u64,
    /// The share of starts within the 80 % range.
    pub coverage80: f64,
    /// How far the median was off: half were nearer.
    pub median_absolute_error_seconds: f64,
}
