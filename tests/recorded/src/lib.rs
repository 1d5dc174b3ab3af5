//! Recorded stretches of a real Slurm (`tests/slurm-lab`, `examples/site_stretch`), and what was forecast meanwhile: read and judged.
//!
//! For: holding our model of Slurm beside Slurm (`twin`), and forecasts beside what came (`judged`): `experiments/slurm-site`.
//!
//! Not for: recording, which needs a lab; the daemon's own score, which it makes itself.

pub mod chart;
pub mod differences;
pub mod judged;
pub mod measures;
pub mod recording;
pub mod report;
pub mod rewatched;
pub mod starts;
pub mod store;
pub mod targets;
pub mod told;
pub mod twin;
