//! What today's daemon would have told in a recorded stretch: `rewatch [--rows] RECORDING...`. Prints the figures of each, and of all; with
//! `--rows` instead what was told of each job at each reading, and what came.
//!
//! Takes a minute or two a stretch, without a Slurm. For trying a change before a stretch is recorded anew.

use std::path::PathBuf;

use anyhow::{Result, bail};
use queuecast_recorded::judged::{Judged, JudgedReading, StretchFigures};
use queuecast_recorded::rewatched::rewatch;

fn main() -> Result<()> {
    let (flags, recordings): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "--rows");
    let recordings: Vec<PathBuf> = recordings.into_iter().map(PathBuf::from).collect();
    if recordings.is_empty() {
        bail!("rewatch [--rows] RECORDING...");
    }
    let mut all = Vec::new();
    for recording in &recordings {
        let scratch = tempfile::tempdir()?;
        let judged = rewatch(&recording.display().to_string(), recording, None, scratch.path())?;
        if flags.is_empty() {
            println!("{}", serde_json::to_string_pretty(&StretchFigures::of(&judged))?);
        } else {
            println!("read,job,partition,left_seconds,told_seconds,width_seconds,held80");
            for told in &judged.readings {
                let JudgedReading { read, job, partition, left_seconds, told_seconds, width_seconds, is_held, .. } =
                    told;
                println!("{},{job},{partition},{left_seconds},{told_seconds},{width_seconds},{}", read.0, is_held[1]);
            }
        }
        all.push(judged);
    }
    if all.len() > 1 && flags.is_empty() {
        println!("{}", serde_json::to_string_pretty(&StretchFigures::of(&Judged::pooled(&all)))?);
    }
    Ok(())
}
