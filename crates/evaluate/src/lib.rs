//! Outcomes in; measures with confidence out.
//!
//! For: putting a replay together ([`Configuration`]), judging a schedule ([`Measures`] observes a simulation,
//! [`Summary`] is what came out), comparing waits with a stored schedule ([`ScheduleCheck`]), saying how much of a
//! figure is noise ([`Shaking`], [`Replicates`]), judging wait forecasts ([`wait`]) and advice about limits
//! ([`limit`]), and setting configurations side by side ([`Comparison`]).
//!
//! Not for: turning time forward (`queuecast-simulate`), drawing (`queuecast-report`) or printing (`queuecast-cli`).
//!
//! The definitions are those of R-MET-1 to R-MET-4; `docs/reference/measures.md` has them in words.

mod accuracy;
mod accuracy_histogram;
mod check;
mod classes;
mod comparison;
mod confidence;
mod configuration;
mod distribution;
mod fairness;
mod figure_words;
mod kolmogorov_smirnov;
pub mod limit;
mod measures;
pub mod mouldable;
mod other_workloads;
mod policy;
mod portrait;
mod prediction;
mod reservations;
mod shaking;
pub mod sites;
mod sums;
mod timeline;
pub mod wait;
mod weekly;

pub use accuracy::{AccuracySummary, WeightedAccuracy};
pub use accuracy_histogram::{ACCURACY_BINS, AccuracyHistogram};
pub use check::{ScheduleCheck, WaitDifference};
pub use classes::{ClassSummary, LENGTH_CLASSES, SIZE_CLASSES};
pub use comparison::{Compared, ComparedFigure, Comparison, OverBaseline, comparable_jobs};
pub use confidence::{Direction, Replicates, Spread};
pub use configuration::Configuration;
pub use distribution::Distribution;
pub use fairness::FairnessSummary;
pub use figure_words::{FigureUnit, figure_in_words, figure_unit};
pub use kolmogorov_smirnov::kolmogorov_smirnov;
pub use measures::{FIGURES, Measures, SlowdownSummary, Summary, WaitSummary, bounded_slowdown};
pub use other_workloads::{Drawn, OtherWorkloads};
pub use policy::ReplayPolicy;
pub use portrait::Portrait;
pub use prediction::{PredictionScores, PredictionSummary};
pub use reservations::ReservationSummary;
pub use shaking::{ShakenFigures, Shaking};
pub use timeline::{TimeBins, Timeline};
pub use weekly::{Resampled, WeeklyErrors};
