//! `qcast reproduce` as a person or a script meets it: through the built binary. The figures are those of made-up logs
//! and mean nothing; the real ones are in `experiments/`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::support::{qcast, scratch, without_provenance};

/// A log that every experiment can use, under each of the names it is looked for.
fn write_logs(folder: &Path) {
    let mut log = "; MaxProcs: 100\n".to_owned();
    for number in 0..150_i64 {
        let (user, processors, run) = (number % 4, 1 + number * 7 % 60, 30 + number * 37 % 900);
        let (submit, program, queue, limit) = (number * 130, number % 5, number % 3, run + number * 53 % 1_500);
        writeln!(
            log,
            "{number} {submit} 20 {run} {processors} -1 -1 {processors} {limit} -1 1 {user} 1 {program} {queue} -1 -1 -1"
        )
        .expect("a string takes everything");
    }
    for name in [
        "SDSC-SP2-1998",
        "CTC-SP2-1996",
        "KTH-SP2-1996",
        "SDSC-BLUE-2000",
        "SDSC-Par-1996",
        "Sandia-Ross-2001",
        "LANL-CM5-1994",
        "HPC2N-2002",
        "CEA-Curie-2011",
    ] {
        fs::write(folder.join(format!("{name}-cln.swf")), &log).expect("a scratch folder can be written");
    }
}

fn reproduce(folder: &Path, paper: &str, arguments: &[&str]) -> Command {
    let mut command = qcast();
    command.args(["reproduce", paper, "--traces"]).arg(folder).args(["--generations", "3", "--simulations", "2"]);
    if !arguments.contains(&"--shake") {
        command.args(["--shake", "2"]);
    }
    if paper == "kumar" {
        // Of its 64 synthetic scenarios a few jobs each will do.
        command.args(["--first", "60"]);
    }
    command.args(arguments);
    command
}

#[test]
fn every_claim_has_a_figure_an_interval_and_a_verdict_with_its_reason() {
    let folder = scratch();
    write_logs(folder.path());
    for (paper, tables_wanted) in [("talby", 13), ("smith", 10), ("tsafrir", 9), ("kumar", 23)] {
        let output = reproduce(folder.path(), paper, &["--format", "json"]).assert().success();
        let tables: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON and nothing else");
        let tables = tables["tables"].as_array().expect("a list of tables");
        assert_eq!(tables.len(), tables_wanted, "{paper}");
        for claim in tables.iter().flat_map(|table| table.as_array().expect("a table is a list of claims")) {
            for name in ["claim", "published", "measured", "low95", "high95", "verdict", "reason"] {
                assert!(claim.get(name).is_some(), "{name} is missing in {claim}");
            }
            let verdict = claim["verdict"].as_str().expect("a word");
            assert!(["holds", "differs", "inconclusive", "not testable"].contains(&verdict), "{claim}");
            assert!(claim["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{claim}");
            assert!(verdict == "not testable" || claim["measured"].is_number(), "{paper}: {claim}");
        }
    }
}

#[test]
fn a_report_is_written_and_is_the_same_for_any_number_of_threads() {
    let folder = scratch();
    write_logs(folder.path());
    for paper in ["talby", "smith", "tsafrir", "kumar"] {
        let report = |threads: &str| {
            let out = folder.path().join(format!("{paper}-{threads}"));
            let out_name = out.to_str().expect("a path in plain letters");
            reproduce(folder.path(), paper, &["--threads", threads, "--report", out_name]).assert().success();
            let read = |name: &str| fs::read_to_string(out.join(name)).expect("it was written");
            let tables = serde_json::from_str(&read("tables.json")).expect("JSON");
            [read("report.md"), without_provenance(tables).to_string()]
        };
        let [page, tables] = report("1");
        assert!(page.starts_with("# ") && page.contains("**holds**") && page.contains("| published |"), "{page}");
        assert_eq!([page, tables], report("2"), "{paper}");
    }
}

#[test]
fn logs_that_are_not_there_are_asked_for() {
    let folder = scratch();
    let failed = reproduce(folder.path(), "talby", &[]).assert().code(3);
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(message.contains("no log whose name begins with SDSC-SP2") && message.contains("hint:"), "{message}");
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_anything_runs() {
    let folder = scratch();
    write_logs(folder.path());
    let file = folder.path().join("a-file");
    fs::write(&file, "").expect("a scratch folder can be written");
    let inside_a_file = file.join("report");
    let mut command = reproduce(folder.path(), "talby", &["--shake", "1000", "--report"]);
    command.arg(&inside_a_file).timeout(std::time::Duration::from_secs(20)).assert().code(4);
}
