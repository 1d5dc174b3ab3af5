//! What the daemon told while a stretch was recorded (`tests/slurm-lab/src/site/watch.rs` kept it): the whole queue every ten lab
//! minutes, some jobs before and right after they were submitted, and how the daemon was.
//!
//! Not for: what came (`starts.rs`), nor how near it was (`judged`).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use queuecast_api::forecast::ForecastResponse;
use queuecast_api::health::HealthResponse;
use queuecast_api::queue::QueueResponse;
use serde::Deserialize;
use serde_json::Value;

/// One reading of the whole queue.
#[derive(Clone, Debug)]
pub struct QueueTold {
    /// Lab seconds from the beginning, as it was due.
    pub offset_seconds: u64,
    /// What was told.
    pub answer: QueueResponse,
}

/// All readings in order, and how often there was no answer.
pub fn queue_readings(folder: &Path) -> Result<(Vec<QueueTold>, usize)> {
    let place = folder.join("forecasts");
    let mut files: Vec<_> = fs::read_dir(&place)
        .with_context(|| format!("{}: no daemon watched this recording", place.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let (mut readings, mut without_answer) = (Vec::new(), 0);
    for file in files {
        let offset = file.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        match (offset, file.extension().and_then(|extension| extension.to_str())) {
            (Some(offset_seconds), Some("json")) => {
                let answer = serde_json::from_slice(&fs::read(&file)?)
                    .with_context(|| format!("{}: not an answer", file.display()))?;
                readings.push(QueueTold { offset_seconds, answer });
            }
            (Some(_), Some("problem")) => without_answer += 1,
            _ => {}
        }
    }
    Ok((readings, without_answer))
}

/// A question about one job, and its answer.
#[derive(Clone, Debug, Deserialize)]
pub struct AskedOnce {
    /// When it was asked, in lab seconds from the beginning.
    pub asked_offset_seconds: f64,
    /// When it was answered.
    pub answered_offset_seconds: f64,
    /// The exit code.
    pub code: Option<i32>,
    /// What was printed.
    pub answer: Option<Value>,
    /// What was complained.
    pub complaint: String,
}

impl AskedOnce {
    /// The forecast, if that was the answer.
    pub fn forecast(&self) -> Option<ForecastResponse> {
        serde_json::from_value(self.answer.clone()?).ok()
    }
}

/// A job that was asked about before and after it was submitted.
#[derive(Clone, Debug, Deserialize)]
pub struct Probe {
    /// Its place in the stretch.
    pub index: usize,
    /// Whose.
    pub user: String,
    /// Where it was sent.
    pub partition: String,
    /// Its number, if it was taken.
    pub job_id: Option<u64>,
    /// The question before.
    pub before: AskedOnce,
    /// The question after, if there was one.
    pub after: Option<AskedOnce>,
}

/// All of them.
pub fn probes(folder: &Path) -> Result<Vec<Probe>> {
    let path = folder.join("probes.jsonl");
    let text = fs::read_to_string(&path).with_context(|| format!("{}: nobody probed", path.display()))?;
    let probes = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    probes.with_context(|| format!("{}: not understood", path.display()))
}

/// How the daemon was when it was last asked.
pub fn health(folder: &Path) -> Result<HealthResponse> {
    let path = folder.join("daemon/health.json");
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    serde_json::from_slice(&bytes).with_context(|| format!("{}: not understood", path.display()))
}
