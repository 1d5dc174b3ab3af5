//! Tiny traces that separate a policy from what only looks like it, each worked out by hand in its own header.
//!
//! The first six are the project's own conformance cases for EASY (of seven public implementations, two passed all six).
//! Every case gives the same start under both rule sets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use queuecast_simulate::Rules;
use queuecast_workload::TracedJob;

use crate::support::{Setup, read_log};

/// Policies, file, and the starts its header works out: (job, second).
type Case = (&'static [&'static str], &'static str, &'static [(i64, i64)]);

const BACKFILLING: &[&str] = &["easy", "easy-sjbf", "conservative"];

#[rustfmt::skip]
const CASES: &[Case] = &[
    (BACKFILLING, "early_release", &[(2, 10)]),
    (BACKFILLING, "runtime_leak", &[(3, 110)]),
    (BACKFILLING, "extra_processors", &[(3, 2)]),
    (&["fcfs"], "extra_processors", &[(3, 100)]),
    (BACKFILLING, "end_equals_shadow", &[(3, 2)]),
    (BACKFILLING, "end_submit_tie", &[(2, 50)]),
    (&["fcfs"], "end_submit_tie", &[(2, 50)]),
    (BACKFILLING, "stale_shadow", &[(4, 510)]),
    (&["conservative"], "conservative_protects_the_second", &[(3, 100), (4, 150)]),
    (&["easy"], "conservative_protects_the_second", &[(3, 200), (4, 3)]),
    (&["conservative"], "conservative_compresses", &[(2, 40), (3, 90)]),
    (&["conservative"], "conservative_keeps_the_hole", &[(5, 50), (6, 120)]),
    (&["easy-sjbf"], "conservative_keeps_the_hole", &[(5, 120), (6, 50)]),
    (&["conservative"], "conservative_compresses_one_round", &[(3, 100), (5, 90)]),
    (&["easy-sjbf"], "sjbf_shortest_first", &[(4, 40), (5, 10)]),
    (&["easy"], "sjbf_shortest_first", &[(4, 10), (5, 70)]),
    (&["easy-sjbf"], "sjbf_ties_by_arrival", &[(9, 10), (4, 40)]),
    (&["easy-sjbf"], "sjbf_protects_the_head", &[(3, 100), (4, 110), (5, 90)]),
    (&["easy-sjbf"], "sjbf_shares_the_extra_processor", &[(3, 100), (5, 110), (6, 90)]),
    (&["easy"], "sjbf_shares_the_extra_processor", &[(3, 100), (5, 90), (6, 110)]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

fn read_case(name: &str) -> (u32, Vec<TracedJob>) {
    let log = std::fs::read(folder().join(name).with_extension("swf")).expect("the case reads");
    let (processors, records) = read_log(&log[..]);
    (processors, records.iter().map(|record| record.to_traced().expect("a usable job")).collect())
}

fn check(rules: Rules) {
    let mut wrong = Vec::new();
    for (policies, name, expected) in CASES {
        let (processors, jobs) = read_case(name);
        for policy in *policies {
            let finished = Setup::with_estimates(processors, rules, policy).play_sorted(&jobs);
            for (number, second) in *expected {
                let job = finished.iter().find(|job| job.number == *number).expect("the case has the job");
                if job.outcome.started.0 != *second {
                    wrong.push(format!("{name}, {policy}: job {number} at {}, not {second}", job.outcome.started));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "under {rules} rules:\n{}", wrong.join("\n"));
}

#[test]
fn every_case_starts_when_its_header_says_under_clean_rules() {
    check(Rules::Clean);
}

#[test]
fn every_case_starts_when_its_header_says_under_pyss_rules() {
    check(Rules::Pyss);
}

#[test]
fn every_case_file_is_in_the_table() {
    let entries = std::fs::read_dir(folder()).expect("the folder reads");
    let stem = |path: PathBuf| path.file_stem().expect("a file").to_string_lossy().into_owned();
    let files: BTreeSet<String> = entries.map(|entry| stem(entry.expect("an entry reads").path())).collect();
    let listed: BTreeSet<String> = CASES.iter().map(|(_, name, _)| (*name).to_owned()).collect();
    assert_eq!(files, listed);
}
