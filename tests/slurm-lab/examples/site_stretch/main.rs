//! A stretch of jobs through a real Slurm set up as sites run it, kept with everything a model of Slurm needs to be held beside it.
//!
//! For: `record` brings the lab's profile `site` up, submits a stretch of a log and keeps what Slurm prints; `describe` says what is in such
//! a recording. Two recordings with the same log, jobs and seed have the same submissions: Slurm against itself.
//!
//! Not for: forecasting or judging (`experiments/slurm-site`).
//!
//! Needs root and Slurm (`tests/install-slurm.sh`).

mod arguments;
mod beside;
mod describe;
mod questions;
mod recording;

use std::path::Path;

use anyhow::{Result, bail};

use crate::arguments::RecordArguments;

const USAGE: &str = "\
site_stretch record --log FILE --to FOLDER [--jobs 650] [--seed 1] [--speed 100] [--hours 32] [--load 1.2] [--skip N] [--beside COMMAND]
    COMMAND is run by sh while the stretch lasts, with the lab's commands first on PATH, and
      SLURM_CONF          the configuration of the cluster
      QCAST_LAB_CLOCK     REAL:LAB:SPEED, for qcast serve --clock
      QCAST_LAB_REST      the socket of slurmrestd
      QCAST_LAB_RECORDING the folder of the recording
site_stretch plan --log FILE [--jobs 650] [--seed 1] [--hours 32] [--load 1.2] [--skip N] [--to FILE]
    what would be submitted, without a lab; a job a line in the file
site_stretch settings --to FOLDER
    the site's configuration, tree and limits as Slurm prints them, without a stretch
site_stretch describe FOLDER";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["record", rest @ ..] => recording::record(&RecordArguments::parse(rest)?),
        ["plan", rest @ ..] => describe::plan(&RecordArguments::parse(rest)?),
        ["settings", "--to", folder] => recording::record_settings(Path::new(folder)),
        ["describe", folder] => describe::describe(Path::new(folder)),
        _ => bail!("{USAGE}"),
    }
}
