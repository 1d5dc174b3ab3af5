//! Outcomes in; measures with confidence out.
//!
//! For: putting a replay together ([`Configuration`]), judging a schedule ([`Measures`] observes a simulation, [`Summary`] is what came out), comparing waits with
//! a stored schedule ([`ScheduleCheck`]), and saying how much of a figure is noise ([`Shaking`], [`Replicates`]).
//!
//! Not for: turning time forward (`queuecast-simulate`) or printing (`queuecast-cli`).
//!
//! The definitions are those of R-MET-1 to R-MET-4; `docs/measures.md` has them in words.

mod accuracy;
mod check;
mod classes;
mod confidence;
mod configuration;
mod distribution;
mod fairness;
mod measures;
mod prediction;
mod reservations;
mod shaking;
mod sums;

pub use accuracy::{AccuracySummary, WeightedAccuracy};
pub use check::{ScheduleCheck, WaitDifference};
pub use classes::{ClassSummary, LENGTH_CLASSES, SIZE_CLASSES};
pub use confidence::{Direction, Replicates, Spread, mean_improvement};
pub use configuration::Configuration;
pub use distribution::Distribution;
pub use fairness::FairnessSummary;
pub use measures::{FIGURES, Measures, SlowdownSummary, Summary, WaitSummary, bounded_slowdown};
pub use prediction::{PredictionScores, PredictionSummary};
pub use reservations::ReservationSummary;
pub use shaking::{ShakenFigures, Shaking};
