//! Wait-time forecasts, judged: how often the class is right, how far the time is off, how much the ranges can be trusted.
//!
//! For: the measures of R-P5, each beside the majority answer, and each with an interval from resampling the
//! weeks of the log, since jobs of one week err alike. Both regimes: a log's own waits, and a known policy's
//! ([`with_simulated_waits`]); they are never mixed in one table.
//!
//! Not for: making forecasts (`queuecast-forecast`).

mod against;
mod hour;
mod predicted;
mod regime;
mod resampling;
mod scores;
mod summary;
mod sums;

pub use against::{Against, Compared, Span, ratio_by_weeks};
pub use hour::{PROBABILITY_BINS, ProbabilityBin, WithinAnHour};
pub use predicted::CalibrationBin;
pub use regime::with_simulated_waits;
pub use scores::WaitScores;
pub use summary::{Bound95, ClassAccuracy, Coverage, Interval, WaitError, WaitSummary};
pub use sums::{COVERAGE_LEVELS, RELIABILITY_LEVELS};
