//! What became of each job under one rule, as it is kept.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use queuecast_slurm_lab::Rule;
use serde::{Deserialize, Serialize};

/// What became of one job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobOutcome {
    /// Its place in the stream, from one.
    pub place: u32,
    /// Whose it was, in the log.
    pub user: u32,
    /// Its nodes.
    pub nodes: u32,
    /// Its limit.
    pub limit_minutes: u32,
    /// For how long it ran.
    pub run_seconds: u32,
    /// Where it was sent.
    pub cluster: String,
    /// From its submission to its start, by accounting.
    pub wait_seconds: i64,
    /// How long after its time sbatch had answered.
    pub late_seconds: f64,
    /// Whether the rule had nothing to say.
    pub by_default: bool,
}

fn place(folder: &Path, rule: Rule) -> PathBuf {
    folder.join(format!("{rule}.csv"))
}

/// Writes the outcome of a rule.
pub fn write(folder: &Path, rule: Rule, outcomes: &[JobOutcome]) -> Result<()> {
    let mut writer = csv::Writer::from_path(place(folder, rule))?;
    outcomes.iter().try_for_each(|outcome| writer.serialize(outcome))?;
    Ok(writer.flush()?)
}

/// The outcome of a rule.
pub fn read(folder: &Path, rule: Rule) -> Result<Vec<JobOutcome>> {
    let path = place(folder, rule);
    let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    reader.deserialize().map(|row| Ok(row?)).collect()
}
