//! What is said of everybody: run times as they were, the queue played forward, and the ranges corrected by how good they were.
//!
//! For: one situation in, one forecast for each job out ([`Forecasting`]), and an [`Adviser`](queuecast_advise::Adviser) for
//! jobs that do not exist. Nothing in here asks Slurm, the store or the clock.
//!
//! Not for: when to forecast, and keeping what was said (`watch`).

mod effort;
mod estimate;
mod keeping;
mod learner;
mod range_correction;
mod waits;
mod whole_queue;

pub use effort::work_of;
pub use estimate::{not_before, start_times};
pub use keeping::should_keep;
pub use learner::{Learner, SharedHistory, SharedWaits};
pub use range_correction::{RangeCorrection, Raw};
pub use waits::{WaitLearner, expert_medians, expert_times, times, waits_in};
pub use whole_queue::{Forecasting, ForecastingSettings, Forecasts, Said, play, waiting_job};
