//! The daemon in a box, as often as a gate has time for. Ten thousand seeds: `tests/box/soak`.

use queuecast_box::run::{EVENTS_LEAST, run};
use rayon::prelude::*;

const SEEDS: u64 = 200;

#[test]
fn two_hundred_seeds_hold_every_invariant() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs: Vec<_> = (0..SEEDS).into_par_iter().map(|seed| (seed, run(seed, folder.path()))).collect();
    let failed: Vec<String> = (runs.iter())
        .filter_map(|(seed, run)| match run {
            Ok(report) if report.events >= EVENTS_LEAST && report.jobs > 50 && report.restarts > 0 => None,
            Ok(report) => Some(format!("seed {seed}: too little happened: {report:?}")),
            Err(violation) => Some(format!("seed {seed}: {}", violation.0)),
        })
        .collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    let restarts: u64 = runs.iter().filter_map(|(_, run)| run.as_ref().ok()).map(|report| report.restarts).sum();
    assert!(restarts > SEEDS * 8, "a seed restarts the daemon twelve times in the mean: {restarts}");
}

#[test]
fn a_seed_does_the_same_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs: Vec<_> = (0..2).map(|_| run(4_711, folder.path())).collect();
    assert_eq!(runs[0], runs[1]);
}
