//! `qcast wait`, as a person or a script meets it: through the built binary.

mod support;

use std::fmt::Write;

use serde_json::Value;
use support::{json, qcast, scratch, written};

/// Four processors; every tenth minute a job of two for a quarter of an hour, so that some wait.
fn log() -> String {
    let mut log = "; MaxProcs: 4\n".to_owned();
    for number in 1..=200 {
        let (wait, processors) = (if number % 3 == 0 { 4_000 } else { 5 }, 1 + number % 4);
        let _ = writeln!(
            log,
            "{number} {} {wait} 900 {processors} -1 -1 {processors} 1800 -1 1 {} -1 -1 -1 -1 -1 -1",
            number * 600,
            number % 5
        );
    }
    log
}

fn wait(arguments: &[&str]) -> Value {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log());
    let mut command = qcast();
    json(command.arg("wait").arg(&log).args(arguments))
}

#[test]
fn every_method_is_scored_on_the_same_jobs_beside_the_majority() {
    let methods = ["majority", "knn", "knn:heom", "ibl", "qbets", "quick", "forward", "forward:recent"];
    let arguments: Vec<&str> = methods.iter().flat_map(|method| ["--method", method]).chain(["--from", "51"]).collect();
    let result = wait(&arguments);
    assert_eq!(result["waits"], "log");
    for (method, name) in result["methods"].as_array().unwrap().iter().zip(methods) {
        assert_eq!(method["method"], name);
        assert_eq!(method["jobs"], 150.0);
        // A third of the jobs waited for more than an hour.
        let majority = method["classes"]["majority"].as_f64().unwrap();
        assert!((majority - 100.0 / 150.0).abs() < 0.01, "{majority}");
        assert!(method["intervals"]["classes.single"]["low95"].is_number());
        assert!(method["timing"]["p99_milliseconds"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn with_every_run_time_known_a_policy_played_forward_is_nearly_always_right() {
    let result = wait(&["--waits", "easy", "--method", "forward:oracle"]);
    assert_eq!(result["waits"], "easy");
    let single = result["methods"][0]["classes"]["single"].as_f64().unwrap();
    assert!(single > 0.95, "{single}");
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let run = || wait(&["--waits", "easy", "--method", "forward", "--no-timing"]);
    assert_eq!(run()["methods"], run()["methods"]);
}

#[test]
fn nothing_to_score_and_unknown_names_are_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log());
    for (arguments, told) in [
        (["--from", "500"], "none is between --from and --to"),
        (["--method", "crystal-ball"], "forward:oracle"),
        (["--waits", "chance"], "or log"),
    ] {
        let failure = qcast().arg("wait").arg(&log).args(arguments).assert().code(2).get_output().stderr.clone();
        let message = String::from_utf8(failure).unwrap();
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn a_log_without_waits_is_told_what_to_do() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", "; MaxProcs: 4\n1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    let failure = qcast().arg("wait").arg(&log).assert().code(2).get_output().stderr.clone();
    let message = String::from_utf8(failure).unwrap();
    assert!(message.contains("no job with a wait on record") && message.contains("--waits easy"), "{message}");
}
