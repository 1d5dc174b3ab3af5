//! `--details` and `--replicate-values` through the built binary: figures can be computed again from what is written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{json, qcast, scratch, written};

/// Jobs that have to wait for each other, of three users.
fn busy_log() -> String {
    let mut text = "; MaxProcs: 8\n".to_owned();
    for number in 1_i64..=200 {
        let (submitted, run, processors) = (number * 40, 20 + number * 37 % 300, 1 + number % 6);
        let (wait, limit, user) = (number * 13 % 500, 60 + (20 + number * 37 % 300) * 2, 1 + number % 3);
        let _ = writeln!(
            text,
            "{number} {submitted} {wait} {run} {processors} -1 -1 {processors} {limit} -1 1 {user} 1 1 1 1 -1 -1"
        );
    }
    text
}

/// The rows of a file of CSV, by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).expect("it was written");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a line of names");
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

fn mean(rows: &[BTreeMap<String, String>], column: &str) -> f64 {
    let values: Vec<f64> = rows.iter().map(|row| row[column].parse().expect("a number")).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn assert_near(one: f64, other: &Value, what: &str) {
    let other = other.as_f64().expect("a number");
    assert!((one - other).abs() <= 1e-9 * other.abs().max(1.0), "{what}: {one} and {other}");
}

fn a_log(folder: &Path) -> PathBuf {
    written(folder, "busy.swf", &busy_log())
}

#[test]
fn the_figures_of_a_simulation_are_those_of_its_jobs() {
    let folder = scratch();
    let file = folder.path().join("jobs.csv");
    let result = json(qcast().arg("simulate").arg(a_log(folder.path())).arg("--details").arg(&file));
    let jobs = rows(&file);
    assert_eq!(jobs.len(), 200);
    assert_near(mean(&jobs, "wait_seconds"), &result["wait"]["mean"], "wait");
    assert_near(mean(&jobs, "bounded_slowdown"), &result["bounded_slowdown"]["mean"], "slowdown");
    let provenance = fs::read_to_string(folder.path().join("jobs.csv.provenance.json")).expect("beside it");
    let provenance: Value = serde_json::from_str(&provenance).expect("JSON");
    assert_eq!(provenance, result["provenance"], "a file and what is printed come from the same");
    assert_eq!(provenance["logs"][0]["content_sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn the_error_of_a_predictor_is_that_of_its_predictions() {
    let folder = scratch();
    let file = folder.path().join("jobs.csv");
    let mut command = qcast();
    command.arg("predict").arg(a_log(folder.path())).args(["--predictor", "recent:n=1", "--details"]).arg(&file);
    let result = json(&mut command);
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().expect("a number");
    let errors = rows(&file);
    let errors: Vec<f64> =
        errors.iter().map(|row| (number(row, "predicted_seconds") - number(row, "run_seconds")).abs()).collect();
    assert_near(errors.iter().sum::<f64>() / errors.len() as f64, &result["accuracy"]["mae"], "error");
}

#[test]
fn the_score_of_a_forecaster_is_that_of_the_forecasts_that_were_scored() {
    let folder = scratch();
    let file = folder.path().join("forecasts.csv");
    let mut command = qcast();
    command.arg("wait").arg(a_log(folder.path()));
    command.args(["--method", "recent", "--method", "majority", "--from", "51", "--details"]).arg(&file);
    let result = json(&mut command);
    for (place, method) in ["recent", "majority"].into_iter().enumerate() {
        let scored: Vec<_> =
            rows(&file).into_iter().filter(|row| row["method"] == method && row["scored"] == "true").collect();
        assert_eq!(scored.len(), 150);
        assert_near(mean(&scored, "wait_seconds"), &result["methods"][place]["mean_wait_seconds"], "wait");
        let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().expect("a number");
        let errors: f64 =
            scored.iter().map(|row| (number(row, "point_seconds") - number(row, "wait_seconds")).abs()).sum();
        assert_near(errors / 150.0, &result["methods"][place]["error"]["mae"], method);
        assert!(scored.iter().all(|row| number(row, "p10_seconds") <= number(row, "p90_seconds")));
    }
}

#[test]
fn every_replicate_of_a_comparison_is_told_and_its_mean_is_what_is_printed() {
    let folder = scratch();
    let (file, jobs) = (folder.path().join("replicates.csv"), folder.path().join("jobs.csv"));
    let mut command = qcast();
    command.arg("compare").arg(a_log(folder.path())).args([
        "--shake",
        "4",
        "--policy",
        "easy",
        "--predictor",
        "estimate",
    ]);
    let result = json(command.arg("--replicate-values").arg(&file).arg("--details").arg(&jobs));
    let runs = result["traces"][0]["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2, "what was asked for and the oracle");
    for run in runs {
        let name = run["name"].as_str().expect("a name");
        let of_run = |row: &&BTreeMap<String, String>| row["run"] == name;
        let values = rows(&file);
        let waits: Vec<_> = values.iter().filter(of_run).filter(|row| row["figure"] == "wait.mean").cloned().collect();
        assert_eq!(waits.len(), 4);
        assert_near(mean(&waits, "value"), &run["figures"]["wait.mean"]["shaken"]["mean"], name);
        let jobs: Vec<_> = rows(&jobs).iter().filter(of_run).cloned().collect();
        assert_near(mean(&jobs, "wait_seconds"), &run["figures"]["wait.mean"]["value"], name);
    }
}

#[test]
fn every_job_of_a_metascheduler_and_of_an_allocation_has_a_place() {
    let folder = scratch();
    let (log, file) = (a_log(folder.path()), folder.path().join("jobs.csv"));
    let other = written(folder.path(), "other.swf", &busy_log());
    let mut command = qcast();
    command.arg("meta").args([&log, &other]).args([
        "--strategy",
        "static",
        "--strategy",
        "least-loaded",
        "--shake",
        "2",
    ]);
    let result = json(command.arg("--details").arg(&file));
    let jobs = rows(&file);
    assert_eq!(jobs.len(), 2 * 2 * 400, "strategies, replicates, jobs of both logs");
    let at_home = |row: &BTreeMap<String, String>| row["home"] == row["site"];
    assert!(jobs.iter().filter(|row| row["strategy"] == "static").all(at_home));
    assert!(!jobs.iter().filter(|row| row["strategy"] == "least-loaded").all(at_home), "some are sent elsewhere");
    let of_first: Vec<_> = jobs.into_iter().filter(|row| row["strategy"] == "static").collect();
    assert_near(mean(&of_first, "wait_seconds"), &result["strategies"][0]["wait_seconds"]["mean"], "static");

    let mut command = qcast();
    command.args(["allocate", "--days", "2", "--shake", "2", "--strategy", "avg", "--details"]).arg(&file);
    let result = json(&mut command);
    let runs: Vec<f64> = (1..=2)
        .map(|replicate| replicate.to_string())
        .map(|replicate| {
            let own: Vec<_> = rows(&file).into_iter().filter(|row| row["replicate"] == replicate).collect();
            mean(&own, "run_seconds")
        })
        .collect();
    assert_near(runs.iter().sum::<f64>() / 2.0, &result["strategies"][0]["run_seconds"]["mean"], "run");
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_beside_it() {
    let folder = scratch();
    let log = a_log(folder.path());
    for name in ["full.csv", "full.parquet", "full.csv.zst"] {
        let full = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
        let output =
            qcast().arg("simulate").arg(&log).arg("--details").arg(&full).assert().code(4).get_output().clone();
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(told.matches("No space left on device").count(), 1, "{told}");
        assert!(told.contains(name) && output.stdout.is_empty(), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 4, "the log and three links");
}

#[test]
fn a_log_that_is_written_over_is_known_by_what_was_read() {
    let folder = scratch();
    let text = busy_log().replace("; MaxProcs", "; Note: one more line\n; MaxProcs");
    let log = written(folder.path(), "log.swf", &text);
    let mut info = qcast();
    let before = json(info.args(["trace", "info"]).arg(&log))["provenance"]["logs"][0]["content_sha256"].clone();
    assert!(before.is_string());
    for (words, output) in [(["trace", "clean"].as_slice(), "-o"), (&["simulate"], "--schedule")] {
        fs::write(&log, &text).expect("a scratch folder can be written");
        let mut command = qcast();
        let result = json(command.args(words).arg(&log).arg(output).arg(&log));
        assert_eq!(result["provenance"]["logs"][0]["content_sha256"], before, "{words:?}");
        assert_ne!(fs::read_to_string(&log).expect("it is there"), text, "it was written over");
    }
}

#[test]
fn what_is_left_out_of_a_log_is_told_where_it_comes_from() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &(busy_log() + "201 9000 0 10 99 -1 -1 99 60 -1 1 1 1 1 1 1 -1 -1\n"));
    for subcommand in ["meta", "allocate"] {
        let mut command = qcast();
        let result = json(command.arg(subcommand).arg(&log).args(["--shake", "2"]));
        assert_eq!(result["provenance"]["logs"][0]["dropped"]["over_wide"], 1, "{subcommand}");
    }
}

#[test]
fn a_grid_compares_rows_that_differ_in_more_than_policy_and_predictor() {
    let folder = scratch();
    let log = a_log(folder.path());
    let grid = "[defaults]\npredictor = 'recent:n=1'\n\
                [[row]]\nname = 'alone'\n\
                [[row]]\nname = 'spread'\npropagate = true\n\
                [[row]]\nname = 'larger'\nprocessors = 64\noverrun = 'run-on'\ncorrection = 'steps'\n";
    let grid = written(folder.path(), "grid.toml", grid);
    let mut command = qcast();
    let result = json(command.arg("compare").arg(&log).args(["--shake", "2", "--grid"]).arg(&grid));
    let runs = result["traces"][0]["runs"].as_array().expect("runs");
    let told: Vec<_> = runs
        .iter()
        .map(|run| (run["name"].as_str().unwrap(), run["propagate"] == true, run["processors"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [("alone", false, 8), ("spread", true, 8), ("larger", false, 64)]);
    assert_eq!((&runs[2]["overrun"], &runs[2]["correction"]), (&"run-on".into(), &"steps".into()));
    assert_eq!(runs[2]["figures"]["wait.mean"]["value"], 0.0, "nobody waits where everything fits");
    assert!(runs[0]["figures"]["wait.mean"]["value"].as_f64().is_some_and(|wait| wait > 0.0));

    let wrong = written(folder.path(), "wrong.toml", "[[row]]\npredictor = 'oracel'\n");
    let output = qcast().arg("compare").arg(&log).arg("--grid").arg(&wrong).assert().code(2).get_output().clone();
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(told.contains("wrong.toml: row 1: predictor"), "{told}");
    qcast().args(["compare"]).args([&log, &log]).arg("--grid").arg(&grid).assert().code(2);
    qcast().arg("simulate").arg(&log).args(["--replicate-values", "r.csv"]).assert().code(2);
}
