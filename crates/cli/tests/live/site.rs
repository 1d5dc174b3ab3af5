//! A short stretch on a Slurm as sites run it, recorded with the daemon beside it and judged: all of `experiments/slurm-site` but its length.
//!
//! Needs the examples of `queuecast-slurm-lab` built beside `qcast`, as `cargo nextest run --workspace` does.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use queuecast_recorded::judged::{Judged, StretchFigures};
use queuecast_recorded::told;

use super::qcast;

const JOBS: u32 = 60;
const PROBES: usize = 12;

/// A log of jobs that differ and end soon, in the archive's format.
fn made_up_log() -> String {
    let mut log = String::new();
    for index in 0..JOBS {
        let (run, limit) = (120 + (index * 97) % 900, [900, 1_800, 3_600, 14_400][index as usize % 4]);
        let (processors, user) = (1 + (index * 13) % 24, 1 + (index * 7) % 60);
        let (number, submitted) = (index + 1, index * 60);
        let _ = writeln!(
            log,
            "{number} {submitted} 0 {run} {processors} -1 -1 {processors} {limit} -1 1 {user} 1 1 1 1 -1 -1"
        );
    }
    log
}

/// An example of the lab's, built beside `qcast`.
fn example(name: &str) -> PathBuf {
    let path = qcast().with_file_name("examples").join(name);
    assert!(path.exists(), "{} is not built: cargo build -p queuecast-slurm-lab --examples", path.display());
    path
}

fn run(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A recording of the stretch with the daemon watching.
fn record(folder: &Path) -> PathBuf {
    let (log, plan, recording) = (folder.join("log.swf"), folder.join("plan"), folder.join("recording"));
    fs::write(&log, made_up_log()).unwrap();
    // Users of the lab run it too.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.join("qcast");
    fs::copy(qcast(), &program).unwrap();
    let stretch = |mode: &str, to: &Path| {
        let mut command = Command::new(example("site_stretch"));
        let jobs = JOBS.to_string();
        command.args([mode, "--skip", "0", "--seed", "5", "--jobs", &jobs, "--hours", "1", "--load", "0.7", "--log"]);
        command.arg(&log).arg("--to").arg(to);
        command
    };
    run(&mut stretch("plan", &plan));
    let watch = example("site_watch");
    let beside = format!("exec {} {} {} {PROBES}", watch.display(), program.display(), plan.display());
    run(stretch("record", &recording).args(["--speed", "150", "--beside", &beside]));
    recording
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_stretch_of_a_site_is_recorded_forecast_probed_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let recording = record(folder.path());
    let complaints = || fs::read_to_string(recording.join("daemon/daemon.log")).unwrap_or_default();
    let judged = Judged::of("short", &recording, None).unwrap_or_else(|error| panic!("{error:#}\n{}", complaints()));
    let figures = StretchFigures::of(&judged);
    println!("{}", serde_json::to_string_pretty(&figures).unwrap());

    let twin = &figures.twin;
    assert!(twin.compared * 10 >= twin.submitted * 9, "the model starts nearly all: {twin:?}");
    // Slurm itself differs by minutes on a busy machine; a model that is lost differs by hours.
    assert!(twin.model_and_first_minutes.is_some_and(|minutes| minutes < 60.0), "{twin:?}");

    assert!(figures.readings >= 6, "{}\n{}", figures.readings, complaints());
    assert!(figures.ranges.range80.of >= 10, "{:?}", figures.ranges);
    assert_eq!(figures.ranges.begin_in_the_past, 0, "no range begins before it is told");
    let without: usize = figures.no_estimate.values().sum();
    assert!(without * 10 < figures.waiting, "{without} of {}: {:?}", figures.waiting, figures.no_estimate);
    assert!(!judged.firsts.is_empty());

    let probes = told::probes(&recording).unwrap();
    assert!(probes.len() >= PROBES - 2, "{} of {PROBES}", probes.len());
    for probe in &probes {
        let forecast = probe.before.forecast().unwrap_or_else(|| panic!("{probe:?}"));
        assert!(forecast.job.id.is_none(), "asked about before it was there: {probe:?}");
        let now = forecast.now.unix;
        assert!(forecast.start.is_none_or(|start| start.range80.from.unix >= now), "{probe:?}");
    }
    let after = probes.iter().filter(|probe| probe.after.as_ref().is_some_and(|after| after.forecast().is_some()));
    assert!(after.count() * 10 >= probes.len() * 8, "most are told of once they are submitted: {probes:?}");
}
