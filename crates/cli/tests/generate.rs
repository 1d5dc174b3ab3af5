//! `qcast generate` as a person or a script meets it: through the built binary.

mod support;

use std::fs;

use support::{json, qcast, scratch, written};

#[test]
fn a_made_up_workload_is_a_log_that_says_how_it_was_made() {
    let folder = scratch();
    let log = folder.path().join("lublin.swf");
    let generate = || {
        let mut command = qcast();
        command.args(["generate", "lublin", "--jobs", "500", "--processors", "64", "--seed", "7", "--output"]);
        command.arg(&log).assert().success();
        fs::read_to_string(&log).expect("it was written")
    };
    let text = generate();
    assert!(text.contains("--jobs 500 --processors 64 --kinds both --seed 7"), "{}", &text[..400]);
    assert_eq!(text, generate(), "the seed decides");
    let replayed = json(qcast().arg("simulate").arg(&log).args(["--predictor", "perfect"]));
    assert_eq!(replayed["jobs"], 500);
    assert_eq!(replayed["processors"], 64);
}

#[test]
fn made_up_limits_are_never_below_the_run_time_and_nothing_else_changes() {
    let folder = scratch();
    let log = written(
        folder.path(),
        "log.swf",
        "; MaxProcs: 4\n1 0 5 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n2 9 5 -1 1 -1 -1 1 50 -1 5 1 -1 -1 -1 -1 -1 -1\n\
         3 20 5 9000 2 -1 -1 2 -1 -1 1 2 -1 -1 -1 -1 -1 -1\n",
    );
    let made = folder.path().join("made.swf");
    let mut command = qcast();
    command.args(["generate", "estimates"]).arg(&log).args([
        "--maximum",
        "64800",
        "--supply",
        "64800=23.8",
        "--output",
    ]);
    command.arg(&made).assert().success();
    let text = fs::read_to_string(&made).expect("it was written");
    let jobs: Vec<Vec<i64>> = text
        .lines()
        .filter(|line| !line.starts_with(';'))
        .map(|line| line.split_whitespace().map(|field| field.parse().expect("a number")).collect())
        .collect();
    assert_eq!(jobs.iter().map(|job| job[0]).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(jobs[0][8] >= 100 && jobs[2][8] >= 9_000, "{jobs:?}");
    assert_eq!(jobs[1][8], -1, "a job that did not run has no limit to be made up");
    assert!(text.contains("limits made up by qcast"), "{text}");
}

#[test]
fn rivals_of_the_model_are_made_the_same_way() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", "; MaxProcs: 4\n1 0 5 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    for (model, exact) in [("exact", true), ("f:300", false), ("phi:1", true), ("phi:0", false)] {
        let mut command = qcast();
        command.args(["generate", "estimates"]).arg(&log).args([
            "--maximum",
            "64800",
            "--model",
            model,
            "--output",
            "-",
        ]);
        let output = command.assert().success().get_output().stdout.clone();
        let text = String::from_utf8(output).expect("a log is text");
        let limit: i64 = text.lines().last().and_then(|line| line.split(' ').nth(8)).unwrap().parse().unwrap();
        assert!(if exact { limit == 100 } else { limit > 100 }, "{model}: {limit}");
    }
    let mut command = qcast();
    command.args(["generate", "estimates"]).arg(&log).args(["--maximum", "64800", "--model", "phi:2", "--output", "-"]);
    command.assert().code(2);
}

#[test]
fn a_share_that_is_none_is_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", "; MaxProcs: 4\n1 0 5 100 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    for supply in ["64800", "x=3", "64800=200"] {
        let mut command = qcast();
        command.args(["generate", "estimates"]).arg(&log).args([
            "--maximum",
            "64800",
            "--output",
            "-",
            "--supply",
            supply,
        ]);
        command.assert().code(2);
    }
}
