//! A short stretch through a real Slurm set up as a site, recorded and then watched by the daemon's own watcher: what
//! `experiments/slurm-site` does with 650 jobs, with few enough for the gate.
//!
//! Few jobs say little of how good forecasts are, so what is asked is what must hold of any stretch: everybody who waits is told
//! something, nothing is told of the past, and the model, told the truth, starts jobs about when Slurm did.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use queuecast_recorded::judged::StretchFigures;
use queuecast_recorded::rewatched::rewatch;

const JOBS: u32 = 150;
/// More than the site can run in that time, so that some wait.
const HOURS: u32 = 2;
const SPEED: u32 = 120;

/// The example beside this test in the folder of the build.
fn site_stretch() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let path = here.parent().unwrap().parent().unwrap().join("examples/site_stretch");
    assert!(path.exists(), "{} is built with the tests of the workspace", path.display());
    path
}

/// Made up without a generator: what counts is that sizes, lengths, limits and users differ.
fn made_up_log() -> String {
    (0..JOBS).fold("; MaxProcs: 128\n".to_owned(), |mut log, job| {
        let (run, limit) = (60 + (job * 977) % 5_400, [900, 3_600, 7_200, 43_200][job as usize % 4]);
        let (processors, user) = (1 + (job * 13) % 32, 1 + (job * 7) % 40);
        let submitted = job * 45;
        let _written = writeln!(
            log,
            "{} {submitted} 0 {run} {processors} -1 -1 {processors} {limit} -1 1 {user} 1 1 1 1 -1 -1",
            job + 1
        );
        log
    })
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn everybody_who_waits_on_a_site_is_told_something_and_the_model_starts_jobs_when_slurm_does() {
    let scratch = tempfile::tempdir().unwrap();
    let (log, recording) = (scratch.path().join("log.swf"), scratch.path().join("recording"));
    fs::write(&log, made_up_log()).unwrap();
    let recorded = Command::new(site_stretch())
        .args(["record", "--skip", "0", "--load", "1.5", "--log"])
        .arg(&log)
        .arg("--to")
        .arg(&recording)
        .args(["--jobs", &JOBS.to_string(), "--hours", &HOURS.to_string(), "--speed", &SPEED.to_string()])
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));

    let figures = StretchFigures::of(&rewatch("short", &recording, None, scratch.path()).unwrap());
    assert!(figures.waiting >= 50, "too few waited to say anything: {}", figures.waiting);
    assert!(figures.no_forecast_share.is_some_and(|share| share <= 0.02), "{:?}", figures.no_forecast);
    assert_eq!(figures.ranges.begin_in_the_past, 0);
    let apart = figures.twin.median_model_and_first_minutes.expect("both started some");
    assert!(apart <= 5.0, "half of the starts are further apart than {apart} min");
    assert!(figures.replayed.made.is_some_and(|made| made >= 0.8), "{:?}", figures.replayed);
}
