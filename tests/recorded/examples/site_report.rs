//! Judges recorded stretches: `site_report [--rewatch] FOLDER NAME=RECORDING[,AGAIN] ... [NAME= ...]`.
//!
//! What is judged is what a daemon told that ran beside the recording (`site_watch`); with `--rewatch` what today's tells when it is put before it. AGAIN is
//! another recording of the same stretch, for the floor. Of a stretch without a recording the figures are those that `figures.json` in the folder has of it. Writes `report.md`, `figures.json` and `calibration.svg` into the folder.
//! `experiments/slurm-site/run` calls it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use queuecast_recorded::chart::calibration;
use queuecast_recorded::judged::{Judged, StretchFigures};
use queuecast_recorded::report::{FiguresFile, report};
use queuecast_recorded::rewatched::rewatch;
use serde_json::Value;

fn main() -> Result<()> {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word == "--rewatch");
    let [folder, named @ ..] = words.as_slice() else {
        bail!("site_report [--rewatch] FOLDER NAME=RECORDING[,AGAIN] ...")
    };
    let is_rewatched = !flags.is_empty();
    let folder = Path::new(folder);
    let (mut judged, mut stretches, mut made_with) =
        (Vec::new(), Vec::new(), if is_rewatched { REWATCHED } else { WATCHED }.to_owned());
    for one in named {
        let (name, places) = one.split_once('=').with_context(|| format!("{one} is not NAME=RECORDING[,AGAIN]"))?;
        if places.is_empty() {
            stretches.push(carried_over(folder, name)?);
            let _written = writeln!(
                made_with,
                "- {name}: as it was reported before; its recordings are gone, and it is not in what is said of all together"
            );
            continue;
        }
        let (watched, again) = match places.split_once(',') {
            Some((watched, again)) => (PathBuf::from(watched), Some(PathBuf::from(again))),
            None => (PathBuf::from(places), None),
        };
        let one = if is_rewatched {
            rewatch(name, &watched, again.as_deref(), tempfile::tempdir()?.path())
        } else {
            Judged::of(name, &watched, again.as_deref())
        };
        let one = one.with_context(|| name.to_owned())?;
        stretches.push(StretchFigures::of(&one));
        judged.push(one);
        let _written = writeln!(made_with, "- {name}: {}", described(&watched)?);
    }
    let pooled = StretchFigures::of(&Judged::pooled(&judged));
    fs::create_dir_all(folder)?;
    fs::write(folder.join("report.md"), report(&stretches, &pooled, &(HEADING.to_owned() + &made_with)))?;
    let file = FiguresFile { stretches: &stretches, pooled: &pooled };
    fs::write(folder.join("figures.json"), serde_json::to_string_pretty(&file)? + "\n")?;
    fs::write(folder.join("calibration.svg"), calibration(&stretches.iter().collect::<Vec<_>>()))?;
    Ok(())
}

const HEADING: &str = "\
Each stretch of a log ran through a real Slurm 22.05.8 set up as a site (80 nodes of three kinds, five partitions, fair share, limits, preemption, a \
maintenance), and some a second time, for the floor. What came is accounting's. Ranges count for jobs that started by the end. ";

const WATCHED: &str = "Made by `experiments/slurm-site/run report`: `qcast serve` ran beside the first recording; every ten lab minutes it was asked for the whole \
queue, and about some jobs just before and right after they were submitted, each as its user.\n\n";

const REWATCHED: &str = "Made by `experiments/slurm-site/run again`: the daemon's watcher of this commit was put before the recordings, in which the queue was read \
every ten lab minutes, and nothing was told to it before its time. Jobs were asked about before and after submission only where a daemon ran beside the \
recording; those answers are that daemon's.\n\n";

/// What was reported of a stretch before.
fn carried_over(folder: &Path, name: &str) -> Result<StretchFigures> {
    let path = folder.join("figures.json");
    let mut file: Value = serde_json::from_slice(&fs::read(&path)?)?;
    let known = file["stretches"].as_array_mut().into_iter().flatten();
    let found = known.into_iter().find(|stretch| stretch["name"] == name);
    let found = found.with_context(|| format!("{} has no stretch {name}", path.display()))?;
    Ok(serde_json::from_value(found.take())?)
}

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
