//! What Slurm says, read.
//!
//! For: the records of a Slurm cluster ([`record`]), one decoder per dialect they come in ([`text`] for what commands
//! print, [`json`] for `--json` and slurmrestd), the ways to ask for them ([`source`]), and the way from them to the
//! product's own nouns ([`history`]).
//!
//! Not for: telling Slurm anything.
//!
//! Source: outputs of Slurm 22.05.8, 24.11.7 and 26.05.3 as recorded in the samples that `tests/shared_samples.rs` reads, and
//! Slurm's manual pages. What was not recorded and is taken from the manual or Slurm's source says so in its place.

pub mod history;
pub mod json;
pub mod record;
pub mod source;
pub mod text;
