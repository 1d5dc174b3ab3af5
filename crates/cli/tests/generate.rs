//! `qcast generate` as a person or a script meets it: through the built binary.

mod support;

use std::fmt::Write;
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

/// A log of three users who each have their own favourite limit and now and then another.
fn users_log(with_limits: bool) -> String {
    let mut log = "; MaxProcs: 64\n".to_owned();
    for number in 0..600_i64 {
        let user = number / 10 % 3;
        let run = 50 + number * 37 % 900;
        let limit = match (with_limits, number % 10) {
            (false, _) => -1,
            (true, 9) => 7_200,
            (true, _) => 1_000 * (user + 1),
        };
        let submit = number * 60;
        writeln!(log, "{number} {submit} 5 {run} 2 -1 -1 2 {limit} -1 1 {user} 1 -1 -1 -1 -1 -1")
            .expect("a string takes everything");
    }
    log
}

fn limits(log: &str) -> Vec<i64> {
    let jobs = log.lines().filter(|line| !line.starts_with(';'));
    jobs.map(|line| line.split_whitespace().nth(8).expect("18 fields").parse().expect("a number")).collect()
}

fn made(log: &std::path::Path, arguments: &[&str]) -> (String, String) {
    let mut command = qcast();
    command.args(["generate", "estimates"]).arg(log).args(["--output", "-"]).args(arguments);
    let output = command.assert().success().get_output().clone();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a log is text");
    (text(output.stdout), text(output.stderr))
}

/// The share of jobs with the limit of the user's job before.
fn repeated(log: &str) -> f64 {
    let (limits, mut last, mut same) = (limits(log), [0; 3], 0);
    for (number, &limit) in limits.iter().enumerate() {
        let user = number / 10 % 3;
        same += usize::from(last[user] == limit);
        last[user] = limit;
    }
    same as f64 / limits.len() as f64
}

#[test]
fn a_logs_own_limits_can_be_doubled_or_dealt_out_anew() {
    let folder = scratch();
    let text = users_log(true);
    let log = written(folder.path(), "log.swf", &text);
    let doubled: Vec<i64> = limits(&text).iter().map(|limit| 2 * limit).collect();
    assert_eq!(limits(&made(&log, &["--model", "doubled"]).0), doubled);
    let mut shuffled = limits(&made(&log, &["--model", "shuffled"]).0);
    let mut original = limits(&text);
    assert_ne!(shuffled, original);
    shuffled.sort_unstable();
    original.sort_unstable();
    assert_eq!(shuffled, original);
}

#[test]
fn a_log_without_limits_has_none_to_double_or_shuffle() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &users_log(false));
    for model in ["doubled", "shuffled"] {
        let mut command = qcast();
        command.args(["generate", "estimates"]).arg(&log).args(["--model", model, "--output", "-"]);
        let failed = command.assert().code(2);
        let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(message.contains("starts from the log's own limits"), "{model}: {message}");
    }
}

#[test]
fn users_repeat_their_limits_as_often_as_in_the_log_or_in_another() {
    let folder = scratch();
    let with_limits = written(folder.path(), "with.swf", &users_log(true));
    let without = written(folder.path(), "without.swf", &users_log(false));
    let (shuffled, _) = made(&with_limits, &["--model", "shuffled"]);
    let (in_sessions, said) = made(&with_limits, &["--model", "shuffled", "--assign", "sessions"]);
    assert!(said.contains("users repeat their last limit in 80.4 % of the jobs within a session"), "{said}");
    assert!(
        repeated(&shuffled) < 0.5 && repeated(&in_sessions) > 0.7,
        "{} {}",
        repeated(&shuffled),
        repeated(&in_sessions)
    );
    let model = ["--model", "tsafrir", "--maximum", "64800"];
    let from = with_limits.to_str().expect("a path in plain letters");
    let transferred = made(&without, &[&model[..], &["--assign", "sessions", "--repetition-from", from]].concat()).0;
    assert!(repeated(&transferred) > 0.7 && repeated(&made(&without, &model).0) < 0.5, "{}", repeated(&transferred));
    let mut command = qcast();
    command.args(["generate", "estimates"]).arg(&without).args(model).args(["--assign", "sessions", "--output", "-"]);
    let failed = command.assert().code(2);
    assert!(String::from_utf8_lossy(&failed.get_output().stderr).contains("--repetition-from"));
}

#[test]
fn options_that_do_not_go_together_are_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &users_log(true));
    let wrong: [&[&str]; 4] = [
        &["--model", "tsafrir"],
        &["--model", "phi:0.1"],
        &["--model", "doubled", "--assign", "sessions"],
        &["--model", "shuffled", "--repetition-from", "log.swf"],
    ];
    for arguments in wrong {
        let mut command = qcast();
        command.args(["generate", "estimates"]).arg(&log).args(["--output", "-"]).args(arguments).assert().code(2);
    }
}

#[test]
fn a_pipe_is_given_the_same_limits_as_a_file_and_bad_lines_are_reported_once() {
    let folder = scratch();
    let text = users_log(true) + "this is no job\n";
    let log = written(folder.path(), "log.swf", &text);
    for model in ["shuffled", "doubled"] {
        let (from_file, said) = made(&log, &["--model", model]);
        assert_eq!(said.matches("1 bad line left out").count(), 1, "{said}");
        let mut command = qcast();
        command.args(["generate", "estimates", "-", "--output", "-", "--model", model]).write_stdin(text.clone());
        let piped = command.assert().success().get_output().stdout.clone();
        assert_eq!(from_file.as_bytes(), piped, "{model}");
    }
}
