//! `qcast predict` as a person or a script meets it: through the built binary.

use serde_json::Value;

use crate::support::{qcast, scratch, written};

/// One user's four jobs, one after the other; the third is submitted before the second ends.
const LOG: &str = "\
; MaxProcs: 4
1 0 0 100 1 -1 -1 1 1000 -1 1 1 -1 -1 -1 -1 -1 -1
2 200 10 60 1 -1 -1 1 1000 -1 1 1 -1 -1 -1 -1 -1 -1
3 250 30 80 1 -1 -1 1 1000 -1 1 1 -1 -1 -1 -1 -1 -1
4 900 0 90 1 -1 -1 1 1000 -1 1 1 -1 -1 -1 -1 -1 -1
";

fn predict(log: &str, arguments: &[&str]) -> Value {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", log);
    let mut command = qcast();
    let output = command.arg("predict").arg(&log).args(arguments).args(["--format", "json"]).assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("JSON on standard output and nothing else")
}

/// The last run time: 1000 (the limit), 100, 100 (job 2 still runs), 80.
#[test]
fn predictions_are_made_with_what_had_ended_at_submission() {
    let result = predict(LOG, &["--predictor", "recent:n=1"]);
    assert_eq!(result["jobs"], 4);
    assert_eq!(result["at"], "submit");
    assert_eq!(result["mean_run_seconds"], 82.5);
    assert_eq!(result["accuracy"]["mae"], f64::from(900 + 40 + 20 + 10) / 4.0);
    assert_eq!(result["accuracy"]["underpredicted"], 0.25);
    assert!(result["timing"]["p99_microseconds"].as_f64().is_some_and(|took| took > 0.0));
    assert_eq!(result["baselines"][0]["name"], "estimate");
    assert_eq!(result["baselines"][0]["accuracy"]["mae"], 917.5);
}

/// Job 3 starts at 280, when job 2 (ended at 270) is known.
#[test]
fn asked_at_the_start_more_is_known() {
    let result = predict(LOG, &["--predictor", "recent:n=1", "--at", "start"]);
    assert_eq!(result["accuracy"]["mae"], f64::from(900 + 40 + 20 + 10) / 4.0);
    let result = predict(LOG, &["--predictor", "recent:n=2,least=1,stat=mean", "--at", "start"]);
    // 1000, 100, (100 + 60) / 2, (60 + 80) / 2.
    assert_eq!(result["accuracy"]["mae"], f64::from(900 + 40 + 20) / 4.0);
}

#[test]
fn only_the_jobs_after_a_share_of_the_log_are_scored() {
    let result = predict(LOG, &["--predictor", "recent:n=1", "--score-after", "0.75"]);
    assert_eq!(result["jobs"], 1);
    assert_eq!(result["accuracy"]["mae"], 10.0);
}

#[test]
fn without_limits_the_first_jobs_are_not_scored_and_the_mean_stands_in() {
    let log = LOG.replace(" 1000 ", " -1 ");
    let result = predict(&log, &["--predictor", "recent:n=3"]);
    // Before job 1 ends nothing is known of job 1; then the means 100, 100, 80 of what has ended.
    assert_eq!(result["accuracy"]["without_prediction"], 1);
    assert_eq!(result["accuracy"]["mae"], f64::from(40 + 20 + 10) / 3.0);
    assert!(result["baselines"][0]["name"].as_str().is_some_and(|name| name.starts_with("best constant")));
}

#[test]
fn two_runs_give_the_same_bytes_without_timing() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let run = || {
        let mut command = qcast();
        let command = command.arg("predict").arg(&log).args(["--predictor", "session:criteria=PE/*", "--propagate"]);
        command.args(["--no-timing", "--format", "json"]).assert().success().get_output().stdout.clone()
    };
    assert_eq!(run(), run());
    assert!(!String::from_utf8_lossy(&run()).contains("\"timing\""));
}

#[test]
fn a_share_that_is_none_is_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    qcast().arg("predict").arg(&log).args(["--score-after", "1.5"]).assert().code(2);
    qcast().arg("predict").arg(&log).args(["--predictor", "session:criteria=Q"]).assert().code(2);
}
