//! Logs of which no job can be used: refused in words by every subcommand that reads them, rather than measured as zeros.

use std::path::Path;

use crate::support::{qcast, scratch, written};

/// Every subcommand that makes something of the jobs of a log.
const READERS: [&[&str]; 9] = [
    &["simulate"],
    &["compare", "--shake", "2"],
    &["predict"],
    &["wait"],
    &["search", "--method", "greedy"],
    &["meta"],
    &["allocate", "--shake", "2"],
    &["generate", "resample", "--weeks", "2", "--output", "-"],
    &["backtest"],
];

/// Those that take limits for granted unless told otherwise.
const NEEDING_LIMITS: [&[&str]; 6] = [
    &["simulate"],
    &["compare", "--shake", "2"],
    &["wait", "--waits", "easy"],
    &["meta"],
    &["allocate", "--shake", "2"],
    &["backtest"],
];

/// What it says on standard error, and that it says nothing else, with the exit code of input that is of no use.
fn refused(arguments: &[&str], log: &Path) -> String {
    let (command, options) = arguments.split_at(if arguments[0] == "generate" { 2 } else { 1 });
    let failed = qcast().args(command).arg(log).args(options).assert().code(3);
    let output = failed.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_log_whose_jobs_never_ran_is_refused_with_the_reason_by_whatever_reads_it() {
    let folder = scratch();
    let log = written(
        folder.path(),
        "idle.swf",
        "; MaxProcs: 4\n1 0 5 0 1 -1 -1 1 60 -1 5 1 -1 -1 -1 -1 -1 -1\n2 9 5 -1 1 -1 -1 1 50 -1 5 1 -1 -1 -1 -1 -1 -1\n",
    );
    for arguments in READERS {
        let said = refused(arguments, &log);
        assert!(said.contains("idle.swf: no usable jobs: "), "{arguments:?}: {said}");
        assert!(said.contains("hint: "), "{arguments:?}: {said}");
        if arguments[0] != "backtest" {
            assert!(said.contains("2 without a run time above zero"), "{arguments:?}: {said}");
        }
    }
    let estimates = ["generate", "estimates", "--maximum", "64800", "--output", "-"];
    let (command, options) = estimates.split_at(2);
    let failed = qcast().args(command).arg(&log).args(options).assert().code(3);
    assert!(String::from_utf8_lossy(&failed.get_output().stderr).contains("no usable jobs"));
}

#[test]
fn a_log_with_a_header_only_is_refused_too() {
    let folder = scratch();
    let log = written(folder.path(), "empty.swf", "; MaxProcs: 4\n");
    for arguments in READERS.iter().filter(|arguments| arguments[0] != "backtest") {
        let said = refused(arguments, &log);
        assert!(said.contains("empty.swf: no usable jobs: the log contains no jobs"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_log_without_limits_is_told_how_to_get_some() {
    let folder = scratch();
    let log = written(folder.path(), "nasa.swf", "; MaxProcs: 4\n1 0 5 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    for arguments in NEEDING_LIMITS {
        let said = refused(arguments, &log);
        assert!(said.contains("no usable jobs: "), "{arguments:?}: {said}");
        assert!(said.contains("limit") && said.contains("qcast generate estimates"), "{arguments:?}: {said}");
    }
    qcast().arg("simulate").arg(&log).args(["--predictor", "recent:n=2,stat=mean"]).assert().success();
}

#[test]
fn jobs_wider_than_the_machine_lead_to_its_size() {
    let folder = scratch();
    let log = written(folder.path(), "wide.swf", "; MaxProcs: 1\n1 0 5 100 9 -1 -1 9 100 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    for arguments in [&["simulate"][..], &["compare", "--shake", "2"], &["meta"], &["allocate", "--shake", "2"]] {
        let said = refused(arguments, &log);
        assert!(said.contains("1 wider than the machine") && said.contains("--processors"), "{arguments:?}: {said}");
    }
}

/// A schedule of nothing would look like one that was made.
#[test]
fn no_schedule_is_left_behind() {
    let folder = scratch();
    let log = written(folder.path(), "wide.swf", "; MaxProcs: 1\n1 0 5 100 9 -1 -1 9 100 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    let schedule = folder.path().join("schedule.swf");
    qcast().arg("simulate").arg(&log).arg("--schedule").arg(&schedule).assert().code(3);
    assert!(!schedule.exists());
}

/// The log of the archive that this was found on.
#[test]
fn nasa_has_no_limits() {
    let Some(shared) = queuecast_testkit::shared_dir() else { return };
    let said = refused(&["simulate"], &shared.join("traces/NASA-iPSC-1993-3.1-cln.swf.gz"));
    assert!(said.contains("173 without a run time above zero, 18,066 without the limit"), "{said}");
}
