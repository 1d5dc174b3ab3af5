//! `qcast allocate`, as a person or a script meets it: through the built binary.

use crate::support::{json, qcast, scratch, written};
use serde_json::Value;

/// Two wide jobs at once on four processors, and a narrow one.
const LOG: &str = "\
; MaxProcs: 4
1 0 -1 100 3 -1 -1 3 200 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 1000 4 -1 -1 4 2000 -1 1 2 -1 -1 -1 -1 -1 -1
3 2 -1 50 1 -1 -1 1 100 -1 1 1 -1 -1 -1 -1 -1 -1
4 3 -1 50 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
";

fn of<'a>(result: &'a Value, strategy: &str) -> &'a Value {
    let strategies = result["strategies"].as_array().expect("strategies");
    strategies.iter().find(|row| row["strategy"] == strategy).expect("the strategy")
}

#[test]
fn every_strategy_runs_the_same_workloads_and_the_oracle_never_loses() {
    let result = json(qcast().args(["allocate", "--days", "10", "--shake", "3"]));
    let jobs: Vec<f64> =
        ["avg", "opt", "pred", "bias", "heur"].map(|name| of(&result, name)["jobs"].as_f64().unwrap()).into();
    assert!(jobs.iter().all(|count| (count - jobs[0]).abs() < 1e-9), "{jobs:?}");
    let figure = |name: &str, figure: &str| of(&result, name)["alone"][figure]["mean"].as_f64().unwrap();
    assert!(figure("opt", "loser_share").abs() < 1e-12);
    for name in ["pred", "bias", "heur"] {
        assert!(figure(name, "saving_seconds_per_job") <= figure("opt", "saving_seconds_per_job"), "{name}");
    }
    assert_eq!(of(&result, "avg")["alone"], Value::Null);
    assert!(of(&result, "heur")["turnaround_change_percent"]["mean"].as_f64().unwrap() > 10.0, "HEUR harms everybody");
}

/// Downey prints that OPT's rebels save 15 minutes in the median and 1.6 hours in the mean: few save much.
#[test]
fn rebels_are_counted_and_what_they_save_is_told_by_median_and_mean() {
    let result = json(qcast().args(["allocate", "--days", "20", "--shake", "3"]));
    let alone = |name: &str, figure: &str| of(&result, name)["alone"][figure]["mean"].as_f64().expect("a figure");
    for name in ["opt", "pred", "bias", "heur"] {
        let (rebels, jobs) = (alone(name, "rebels"), of(&result, name)["jobs"].as_f64().unwrap());
        assert!((rebels / jobs - alone(name, "rebel_share")).abs() < 0.01, "{name}");
        let together = alone(name, "rebel_saving_mean_seconds") * alone(name, "rebel_share");
        let saved = alone(name, "saving_seconds_per_job");
        assert!((together / saved - 1.0).abs() < 0.05, "{name}: {together} and {saved}");
    }
    assert!(2.0 * alone("opt", "rebel_saving_median_seconds") < alone("opt", "rebel_saving_mean_seconds"));
    assert_eq!(of(&result, "opt")["alone"]["loss_seconds"], Value::Null, "the oracle never loses");
    assert!(alone("heur", "loss_seconds") > 0.0);
}

#[test]
fn the_equations_as_printed_are_there_beside_those_put_right() {
    let arguments = ["--strategy", "avg", "--strategy", "pred", "--strategy", "bias", "--strategy", "heur"];
    let readings = ["--queue-times", "right", "--queue-times", "printed", "--queue-times", "published"];
    let result = json(qcast().args(["allocate", "--days", "20", "--shake", "2"]).args(arguments).args(readings));
    let rows: Vec<(&str, Option<&str>)> = result["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["strategy"].as_str().unwrap(), row["queue_times"].as_str()))
        .collect();
    let [right, printed, published] = ["right", "printed", "published"].map(Some);
    let expected = [
        ("avg", None),
        ("pred", right),
        ("pred", printed),
        ("pred", published),
        ("bias", right),
        ("bias", printed),
        ("bias", published),
        ("heur", None),
    ];
    assert_eq!(rows, expected);
    let rebels = |row: usize| result["strategies"][row]["alone"]["rebels"]["mean"].as_f64().unwrap();
    assert!(rebels(2) < rebels(1), "queue times come out too long as printed, and fewer wait");
    assert!((rebels(2) - rebels(3)).abs() < 1e-9, "the line of bias is nothing to PRED");
    assert!((rebels(5) - rebels(6)).abs() > 0.5, "but to BIAS");
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let run = |threads: &str| {
        let arguments = ["allocate", "--days", "3", "--shake", "4", "--format", "csv", "--threads", threads];
        qcast().args(arguments).assert().success().get_output().stdout.clone()
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn a_log_is_planned_with_every_predictor_and_without_jobs_that_have_no_limit() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", LOG);
    let mut command = qcast();
    command.arg("allocate").arg(&log).args(["--jitter", "0", "--shake", "2", "--strategy", "rigid"]);
    command.args(["--strategy", "avg", "--strategy", "plan", "--predictor", "estimate", "--predictor", "perfect"]);
    let result = json(&mut command);
    let rows: Vec<(String, Value)> = result["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["strategy"].as_str().unwrap().to_owned(), row["predictor"].clone()))
        .collect();
    let expected =
        [("rigid", "estimate"), ("rigid", "perfect"), ("avg", ""), ("plan", "estimate"), ("plan", "perfect")];
    assert_eq!(rows.len(), expected.len());
    for ((strategy, predictor), (expected_strategy, expected_predictor)) in rows.iter().zip(expected) {
        assert_eq!((strategy.as_str(), predictor.as_str().unwrap_or("")), (expected_strategy, expected_predictor));
    }
    // Rigid: job 2 starts when job 1 has ended, job 3 beside job 1.
    let rigid = of(&result, "rigid");
    assert!((rigid["jobs"].as_f64().unwrap() - 3.0).abs() < 1e-9);
    let turnaround = rigid["turnaround_seconds"]["mean"].as_f64().unwrap();
    assert!((turnaround - (100.0 + 1_099.0 + 50.0) / 3.0).abs() < 1e-6, "{turnaround}");
}

#[test]
fn planning_without_a_log_says_what_is_missing() {
    let failure = qcast().args(["allocate", "--strategy", "plan"]).assert().code(2).get_output().stderr.clone();
    let message = String::from_utf8(failure).unwrap();
    assert!(message.contains("--strategy plan") && message.contains("pass a log"), "{message}");
}

#[test]
fn an_unknown_strategy_is_refused_with_those_that_exist() {
    let failure = qcast().args(["allocate", "--strategy", "best"]).assert().code(2).get_output().stderr.clone();
    let message = String::from_utf8(failure).unwrap();
    assert!(message.contains("heur") && message.contains("plan:shared-cost"), "{message}");
}

#[test]
fn the_largest_seed_is_a_seed_too() {
    let largest = u64::MAX.to_string();
    qcast()
        .args(["allocate", "--days", "1", "--shake", "2", "--strategy", "avg", "--seed", &largest])
        .assert()
        .success();
}
