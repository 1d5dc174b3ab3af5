//! What the program is told.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use queuecast_slurm_lab::LogPiece;
use queuecast_slurm_lab::site::{StretchJob, StretchPlan, place_in_log};
use serde::Serialize;

/// A recording to be made.
#[derive(Clone, Debug, Serialize)]
pub struct RecordArguments {
    /// The log the jobs come from.
    pub log: PathBuf,
    /// How many of its jobs are left out at its beginning.
    pub skip: usize,
    /// How many are submitted.
    pub jobs: usize,
    /// How they become a stretch.
    pub plan: StretchPlan,
    /// Lab seconds in a real second.
    pub speed: u32,
    /// Where it is kept.
    pub to: PathBuf,
    /// What runs beside it.
    pub beside: Option<String>,
}

impl RecordArguments {
    /// Reads them.
    pub fn parse(words: &[&str]) -> Result<Self> {
        let mut arguments = Self {
            log: PathBuf::new(),
            skip: 0,
            jobs: 650,
            plan: StretchPlan { seed: 1, hours: 32, load: 1.2 },
            speed: 100,
            to: PathBuf::new(),
            beside: None,
        };
        let mut skip = None;
        for pair in words.chunks(2) {
            let [name, value] = pair else { bail!("{} needs a value", pair[0]) };
            let read = || format!("{name} {value}");
            match *name {
                "--log" => arguments.log = PathBuf::from(value),
                "--to" => arguments.to = PathBuf::from(value),
                "--jobs" => arguments.jobs = value.parse().with_context(read)?,
                "--seed" => arguments.plan.seed = value.parse().with_context(read)?,
                "--hours" => arguments.plan.hours = value.parse().with_context(read)?,
                "--load" => arguments.plan.load = value.parse().with_context(read)?,
                "--speed" => arguments.speed = value.parse().with_context(read)?,
                "--skip" => skip = Some(value.parse().with_context(read)?),
                "--beside" => arguments.beside = Some((*value).to_owned()),
                _ => bail!("{name} is not known; see site_stretch without arguments"),
            }
        }
        arguments.skip = skip.unwrap_or_else(|| place_in_log(arguments.plan.seed));
        Ok(arguments)
    }

    /// The stretch.
    pub fn stretch(&self) -> Result<Vec<StretchJob>> {
        // A node for every processor of the log, so that `nodes` is its number of processors.
        let piece = LogPiece { skip: self.skip, count: self.jobs, nodes: u32::MAX, processors_per_node: 1 };
        Ok(self.plan.jobs(&piece.of(&self.log)?))
    }
}
