//! What today's daemon would have told in a recorded stretch: `rewatch [--rows | --replay] RECORDING...`. Prints the figures of each, and of
//! all; with `--rows` instead what was told of each job at each reading, and what came; with `--replay` whom the model, put back to the truth
//! at every reading, starts until the next.
//!
//! Takes a minute or two a stretch, without a Slurm. For trying a change before a stretch is recorded anew.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use queuecast_recorded::judged::{Judged, JudgedReading, StretchFigures};
use queuecast_recorded::rewatched::{Difference, Replayed, replay, rewatch};

fn main() -> Result<()> {
    let (flags, recordings): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let recordings: Vec<PathBuf> = recordings.into_iter().map(PathBuf::from).collect();
    if recordings.is_empty() {
        bail!("rewatch [--rows | --replay] RECORDING...");
    }
    if flags.iter().any(|flag| flag == "--replay") {
        return recordings.iter().try_for_each(|recording| print_replay(recording));
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

fn print_replay(recording: &Path) -> Result<()> {
    let replayed = replay(recording)?;
    let Replayed { starts, made, only_model, differences } = &replayed;
    println!("{}: {starts} starts, {made} made, {only_model} only by the model", recording.display());
    println!("reading,job,partition,reason,slurm_after_seconds,model_after_seconds");
    for difference in differences {
        let Difference { reading, job_id, partition, reason, slurm, model } = difference;
        let slurm = slurm.map_or_else(|| "not meanwhile".to_owned(), |at| (at - *reading).0.to_string());
        let model = model.as_ref().map_or_else(Clone::clone, |at| (*at - *reading).0.to_string());
        println!("{},{job_id},{partition},{reason},{slurm},{model}", reading.0);
    }
    Ok(())
}
