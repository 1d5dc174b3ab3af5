//! Hours of `qcast serve` on a real Slurm set up as a site, with faults at random and people who ask: does it grow, does it fall, does it still
//! tell the truth?
//!
//! For: `tests/slurm-lab/soak`, which says how it is run. Into the folder go `samples.csv` (memory, descriptors, threads and the store's size of each daemon),
//! `faults.jsonl`, `asked.json`, what both daemons say of themselves, and `report.md`.
//!
//! Two daemons watch: one is behind every fault, the other only behind those of Slurm itself. What the first tells worse is what its own faults cost.
//!
//! Not for: figures of forecasts (`experiments/slurm-site`), kills of the daemon (`cli/tests/it/live/kills.rs`).
//!
//! Needs root and Slurm (`tests/install-slurm.sh`).

mod arguments;
mod asking;
mod faults;
mod report;
mod samples;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use queuecast_slurm_lab::site;
use queuecast_slurm_lab::{ClusterHandle, Daemon, Lab, LogPiece, wait_until};

use crate::arguments::Arguments;
use crate::faults::{Faults, Place};
use crate::samples::Samples;

/// In lab seconds: at sixty times the speed the queue is read, and forecast, every five seconds.
const INTERVALS: [&str; 6] = ["--queue-interval", "300", "--nodes-interval", "600", "--accounting-interval", "600"];
/// Of one stretch after the other; the share of the site that they would keep busy, a little less than it has, or the queue would grow for hours.
const STRETCH_HOURS: u32 = 20;
const STRETCH_JOBS: usize = 650;
const LOAD: f64 = 0.95;
/// Of the daemons: behind all faults, and only behind Slurm's.
pub const NAMES: [&str; 2] = ["harmed", "unharmed"];

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = Arguments::parse(&words)?;
    fs::create_dir(&arguments.to)
        .with_context(|| format!("{}: a soak needs a folder of its own", arguments.to.display()))?;
    let folder = fs::canonicalize(&arguments.to)?;

    let lab = site::up(arguments.speed)?;
    let cluster = lab.first_cluster();
    eprintln!("the site is up; giving its users a past");
    site::give_history(cluster, arguments.seed)?;
    let place = Place::make(&folder)?;
    let harmed = Daemon::of(cluster, &arguments.qcast, place.store_folder(), &INTERVALS)?.behind(place.commands());
    let unharmed = folder.join("unharmed");
    fs::create_dir(&unharmed)?;
    let mut daemons = [harmed, Daemon::of(cluster, &arguments.qcast, &unharmed, &INTERVALS)?];
    for daemon in &mut daemons {
        daemon.start()?;
        daemon.wait_until_it_answers(Duration::from_mins(1))?;
    }

    let is_over = AtomicBool::new(false);
    let asked = Mutex::default();
    // Its own view of the lab, since it stops and starts what the others use.
    let mut faults = Faults::of(Lab::running_in(&lab.root())?, &place, arguments.seed, &folder.join("faults.jsonl"))?;
    let soaked = thread::scope(|scope| -> Result<()> {
        let others = [
            scope.spawn(|| faults.happen_until(&is_over)),
            scope.spawn(|| asking::ask_until(&is_over, &daemons[0], arguments.seed, &asked)),
            scope.spawn(|| submit_until(&is_over, cluster, &arguments)),
        ];
        let watched = watch(&daemons, &folder, || {
            // Whoever has ended by now has failed, and there is nothing more to be learnt.
            others.iter().all(|other| !other.is_finished()).then_some(arguments.lasts)
        });
        is_over.store(true, Ordering::Relaxed);
        for other in others {
            other.join().expect("it returns its errors")?;
        }
        watched
    });
    fs::write(folder.join("asked.json"), serde_json::to_vec_pretty(&*asked.lock().expect("no writer panics"))?)?;
    for (name, daemon) in NAMES.iter().zip(&daemons) {
        fs::write(folder.join(format!("{name}.log")), daemon.complaints())?;
    }
    soaked?;
    keep_what_they_say(&mut daemons, &folder)?;
    let report = report::written(&folder, &arguments)?;
    println!("{report}");
    Ok(fs::write(folder.join("report.md"), report)?)
}

/// Takes samples for as long as it is to last.
fn watch(daemons: &[Daemon; 2], folder: &Path, lasts: impl Fn() -> Option<Duration>) -> Result<()> {
    let begun = Instant::now();
    let mut samples = Samples::create(&folder.join("samples.csv"))?;
    while lasts().is_some_and(|lasts| begun.elapsed() < lasts) {
        thread::sleep(samples::EVERY);
        for (name, daemon) in NAMES.iter().zip(daemons) {
            let elapsed = begun.elapsed();
            samples.take(elapsed, name, daemon).with_context(|| format!("the {name} daemon after {elapsed:?}"))?;
        }
    }
    Ok(())
}

/// One stretch of the log after the other. Those that are refused because Slurm is away are lost, as they are on a site.
fn submit_until(is_over: &AtomicBool, cluster: ClusterHandle<'_>, arguments: &Arguments) -> Result<()> {
    for round in 0.. {
        let seed = arguments.seed + round;
        let piece =
            LogPiece { skip: site::place_in_log(seed), count: STRETCH_JOBS, nodes: u32::MAX, processors_per_node: 1 };
        let plan = site::StretchPlan { seed, hours: STRETCH_HOURS, load: LOAD };
        let jobs = plan.jobs(&piece.of(&arguments.log)?);
        let submitted = site::submit_stretch(cluster, &jobs, |_| {
            ensure!(!is_over.load(Ordering::Relaxed), "it is over");
            Ok(())
        });
        if is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let refused = submitted?.iter().filter(|job| job.refused.is_some()).count();
        eprintln!("stretch {round}: {} submitted, {refused} refused", jobs.len() - refused);
    }
    Ok(())
}

fn keep_what_they_say(daemons: &mut [Daemon; 2], folder: &Path) -> Result<()> {
    for (name, daemon) in NAMES.iter().zip(daemons) {
        let is_well = || Ok(daemon.get("/v1/health").is_ok_and(|health| health["status"] == "ok"));
        wait_until(&format!("the {name} daemon to be well again"), Duration::from_mins(3), is_well)?;
        for what in ["health", "score"] {
            let said = daemon.get(&format!("/v1/{what}"))?;
            fs::write(folder.join(format!("{name}-{what}.json")), serde_json::to_vec_pretty(&said)?)?;
        }
        ensure!(daemon.is_alive(), "the {name} daemon has ended: {}", daemon.complaints());
    }
    Ok(())
}
