//! What Slurm says, read.
//!
//! For: one decoder per dialect in which Slurm's records come ([`text`] for what commands print, [`json`] for `--json` and
//! slurmrestd), and the ways to ask for them ([`source`]). What comes out is in `queuecast-records`.
//!
//! Not for: telling Slurm anything.
//!
//! Source: outputs of Slurm 22.05.8, 24.11.7 and 26.05.3 as recorded in the samples that `tests/shared_samples.rs` reads, and
//! Slurm's manual pages. What was not recorded and is taken from the manual or Slurm's source says so in its place.

pub mod json;
pub mod source;
pub mod text;
