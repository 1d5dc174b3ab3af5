//! Judges recorded stretches that a daemon watched: `site_report FOLDER NAME=WATCHED[,AGAIN] ...`.
//!
//! WATCHED is a recording with `site_watch` beside it, AGAIN one of the same stretch for the floor. Writes `report.md`, `figures.json` and
//! `calibration.svg` into the folder. `experiments/slurm-site/run` calls it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use queuecast_recorded::chart::calibration;
use queuecast_recorded::judged::{Judged, StretchFigures};
use queuecast_recorded::report::{FiguresFile, report};
use serde_json::Value;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, named @ ..] = words.as_slice() else { bail!("site_report FOLDER NAME=WATCHED[,AGAIN] ...") };
    let (mut judged, mut made_with) = (Vec::new(), String::new());
    for one in named {
        let (name, places) = one.split_once('=').with_context(|| format!("{one} is not NAME=WATCHED[,AGAIN]"))?;
        let (watched, again) = match places.split_once(',') {
            Some((watched, again)) => (PathBuf::from(watched), Some(PathBuf::from(again))),
            None => (PathBuf::from(places), None),
        };
        judged.push(Judged::of(name, &watched, again.as_deref()).with_context(|| name.to_owned())?);
        let _written = writeln!(made_with, "- {name}: {}", described(&watched)?);
    }
    let stretches: Vec<StretchFigures> = judged.iter().map(StretchFigures::of).collect();
    let pooled = StretchFigures::of(&Judged::pooled(&judged));
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("report.md"), report(&stretches, &pooled, &(HEADING.to_owned() + &made_with)))?;
    let file = FiguresFile { stretches: &stretches, pooled: &pooled };
    fs::write(folder.join("figures.json"), serde_json::to_string_pretty(&file)? + "\n")?;
    fs::write(folder.join("calibration.svg"), calibration(&stretches.iter().collect::<Vec<_>>()))?;
    Ok(())
}

const HEADING: &str = "\
Made by `experiments/slurm-site/run`. Each stretch of a log ran through a real Slurm 22.05.8 set up as a site (80 nodes of \
three kinds, five partitions, fair share, limits, preemption, a maintenance), once with `qcast serve` watching and once without, for the floor. Every ten \
lab minutes the whole queue was asked for; some jobs were asked about just before and right after they were submitted, each as its user. What came is \
accounting's. Ranges count for jobs that started by the end.\n\n";

/// How it was recorded.
fn described(recording: &Path) -> Result<String> {
    let stretch: Value = serde_json::from_slice(&fs::read(recording.join("stretch.json"))?)?;
    let arguments = &stretch["arguments"];
    let log = arguments["log"].as_str().and_then(|log| Path::new(log).file_name()?.to_str()).unwrap_or("?");
    Ok(format!(
        "{} jobs of {log} from the {}th on, submitted in {} hours of the lab at {} times the speed (seed {}, load {})",
        arguments["jobs"],
        arguments["skip"],
        arguments["plan"]["hours"],
        arguments["speed"],
        arguments["plan"]["seed"],
        arguments["plan"]["load"]
    ))
}
