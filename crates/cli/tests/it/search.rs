//! `qcast search` as a person or a script meets it: through the built binary.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{qcast, scratch, without_provenance};

/// Two users with habits: one runs ten minutes on four processors and an hour on eight, the other always a minute. The
/// queue says nothing.
fn log_of_habits(folder: &Path) -> PathBuf {
    let mut log = "; MaxProcs: 64\n".to_owned();
    for number in 0..240_i64 {
        let (user, processors, run) = match number % 3 {
            0 => (1, 4, 600 + number % 7),
            1 => (1, 8, 3_600 + number % 11),
            _ => (2, 4, 60 + number % 5),
        };
        let (submit, queue) = (number * 900, number % 2);
        writeln!(
            log,
            "{number} {submit} 5 {run} {processors} -1 -1 {processors} 7200 -1 1 {user} 1 -1 {queue} -1 -1 -1"
        )
        .expect("a string takes everything");
    }
    let path = folder.join("habits.swf");
    fs::write(&path, log).expect("a scratch folder can be written");
    path
}

fn search(log: &Path, arguments: &[&str]) -> Value {
    let mut command = qcast();
    let command = command.arg("search").arg(log).args(arguments).args(["--format", "json"]);
    serde_json::from_slice(&command.assert().success().get_output().stdout).expect("JSON and nothing else")
}

const SMALL: [&str; 4] = ["--population", "10", "--generations", "8"];

/// The queue says nothing: without users a search finds no better than the mean of jobs of a size.
#[test]
fn a_search_uses_only_the_characteristics_it_is_allowed() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    for method in ["greedy", "genetic"] {
        let error = |letters: &str| {
            let arguments: Vec<&str> =
                ["--method", method, "--characteristics", letters].into_iter().chain(SMALL).collect();
            let found = search(&log, &arguments);
            let templates = found["templates"].as_array().expect("a list");
            let has_user = templates.iter().any(|template| template.as_str().is_some_and(|text| text.contains("u,")));
            assert_eq!(has_user, letters.contains('u'), "{method} {letters}: {templates:?}");
            found["in_sample"]["mae_over_mean_run"].as_f64().expect("a number")
        };
        let (with, without) = (error("q,u"), error("q"));
        assert!(with < 0.1 && without > 2.0 * with, "{method}: {with} {without}");
    }
    qcast().arg("search").arg(&log).args(["--characteristics", "x"]).assert().failure().code(2);
}

#[test]
fn a_search_finds_who_runs_what_and_its_file_predicts_as_well() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    for method in ["greedy", "genetic"] {
        let set = folder.path().join(format!("{method}.txt"));
        let set = set.to_str().expect("a path in plain letters");
        let arguments: Vec<&str> = ["--method", method, "--output", set].into_iter().chain(SMALL).collect();
        let found = search(&log, &arguments);
        let error = found["in_sample"]["mae_over_mean_run"].as_f64().expect("a number");
        assert!(error < 0.1, "{method} leaves {error}: {}", found["templates"]);
        assert!(found["evaluations"].as_u64().is_some_and(|sets| sets > 10));

        let mut command = qcast();
        let command = command.arg("predict").arg(&log).arg("--predictor").arg(format!("templates:{set}"));
        let output = command.args(["--format", "json"]).assert().success();
        let predicted: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
        assert_eq!(predicted["accuracy"]["mae"], found["in_sample"]["mae"], "{method}: the live predictor agrees");
    }
}

#[test]
fn what_was_not_searched_is_scored_apart() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    let arguments: Vec<&str> = ["--search-on", "0.25"].into_iter().chain(SMALL).collect();
    let found = search(&log, &arguments);
    assert_eq!(found["searched_jobs"], 60);
    assert_eq!(found["on_the_rest"]["jobs"], 180);
}

#[test]
fn the_seed_decides_and_the_threads_do_not() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    let run = |threads: &str| {
        let arguments: Vec<&str> =
            ["--threads", threads, "--no-timing", "--maximum-history"].into_iter().chain(SMALL).collect();
        without_provenance(search(&log, &arguments)).to_string()
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn a_file_that_holds_no_templates_is_refused_with_its_line() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    let set = folder.path().join("set.txt");
    fs::write(&set, "(u)\n(u,zebra)\n").expect("a scratch folder can be written");
    let predictor = format!("templates:{}", set.display());
    let refused = qcast().arg("predict").arg(&log).args(["--predictor", &predictor]).assert().code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("set.txt: line 2: unknown template element 'zebra'"), "{message}");
    let refused = qcast().arg("predict").arg(&log).args(["--predictor", "templates:(u,s)"]).assert().code(2);
    let message = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(message.contains("do not contain 's' (script)"), "{message}");
}

#[test]
fn a_set_that_cannot_be_written_is_refused_before_the_search() {
    let folder = scratch();
    let log = log_of_habits(folder.path());
    let nowhere = folder.path().join("no such folder").join("set.txt");
    let hopeless = ["--generations", "100000000", "--output"];
    let refused = |output: &Path, code: i32| {
        let mut command = qcast();
        command.arg("search").arg(&log).args(hopeless).arg(output);
        command.timeout(std::time::Duration::from_secs(20)).assert().code(code);
    };
    refused(&nowhere, 4);
    refused(Path::new("-"), 2);
}
