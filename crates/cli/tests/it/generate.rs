//! `qcast generate` as a person or a script meets it: through the built binary.

use std::fmt::Write;
use std::fs;

use crate::support::{json, qcast, scratch, written};

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

/// A job that runs a second can be given any limit, so as many are seen as there are, if there are jobs enough.
#[test]
fn the_number_of_different_limits_follows_the_lines_the_root_or_what_is_asked_for() {
    let folder = scratch();
    let mut text = String::new();
    for number in 1..=40_000 {
        writeln!(text, "{number} {number} 0 1 1 -1 -1 1 -1 -1 1 1 1 1 -1 -1 -1 -1").expect("a string takes everything");
    }
    let log = written(folder.path(), "log.swf", &text);
    let different = |arguments: &[&str]| {
        let (log, _) = made(&log, &[&["--maximum", "360000"], arguments].concat());
        limits(&log).into_iter().collect::<std::collections::BTreeSet<_>>().len()
    };
    let [lines, root, asked] =
        [different(&[]), different(&["--distinct", "power-law"]), different(&["--distinct", "60"])];
    assert_eq!(different(&["--distinct", "lines"]), lines, "the default");
    // 215 and 220 of 40,000 jobs; the rarest may be given to nobody.
    assert!((150..=215).contains(&lines) && (150..=220).contains(&root), "{lines}, {root}");
    assert_ne!(lines, root);
    assert!((50..=60).contains(&asked), "{asked}");
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

/// Nine hundred short jobs and some that ran a day over the maximum of an hour.
fn log_with_over_long(folder: &std::path::Path) -> std::path::PathBuf {
    let mut log = "; MaxProcs: 64\n".to_owned();
    for number in 0..900_i64 {
        let run = if number % 100 == 0 { 90_000 } else { 50 + number };
        writeln!(log, "{number} {} 5 {run} 2 -1 -1 2 -1 -1 1 {} 1 -1 -1 -1 -1 -1", number * 60, number % 3)
            .expect("a string takes everything");
    }
    written(folder, "log.swf", &log)
}

fn runs(log: &str) -> Vec<i64> {
    let jobs = log.lines().filter(|line| !line.starts_with(';'));
    jobs.map(|line| line.split_whitespace().nth(3).expect("18 fields").parse().expect("a number")).collect()
}

#[test]
fn jobs_beyond_the_maximum_are_cut_unless_asked_otherwise_and_counted() {
    let folder = scratch();
    let log = log_with_over_long(folder.path());
    for model in ["tsafrir", "phi:0.1"] {
        let options =
            |over_long: &'static [&'static str]| [&["--maximum", "3600", "--model", model], over_long].concat();
        let (cut, said) = made(&log, &options(&[]));
        assert!(said.contains("9 jobs that ran longer than 3600 s were cut at it"), "{model}: {said}");
        assert_eq!((limits(&cut).iter().max(), runs(&cut).iter().max()), (Some(&3_600), Some(&3_600)), "{model}");
        assert_eq!(limits(&cut).len(), 900);
        assert!(cut.contains("--over-long cut"), "the header says so");
        assert_eq!(made(&log, &options(&["--over-long", "cut"])).0, cut);
        let (dropped, said) = made(&log, &options(&["--over-long", "drop"]));
        assert!(said.contains("9 jobs that ran longer than 3600 s were left out"), "{model}: {said}");
        assert_eq!(
            (limits(&dropped).len(), limits(&dropped).iter().all(|&limit| limit <= 3_600)),
            (891, true),
            "{model}"
        );
        let (raised, said) = made(&log, &options(&["--over-long", "raise"]));
        assert!(!said.contains("were cut") && !said.contains("were left out"), "{model}: {said}");
        assert_eq!(
            (limits(&raised).iter().max(), runs(&raised).iter().max()),
            (Some(&90_000), Some(&90_000)),
            "{model}"
        );
    }
    let like = written(folder.path(), "like.swf", &users_log(true));
    let in_sessions = ["--assign", "sessions", "--repetition-from", like.to_str().expect("a path in plain letters")];
    let of_sessions =
        |over_long| made(&log, &[&["--maximum", "3600", "--over-long", over_long], &in_sessions[..]].concat());
    assert_eq!(limits(&of_sessions("drop").0).len(), 891);
    assert_eq!(limits(&of_sessions("cut").0).into_iter().max(), Some(3_600));
}

/// As it was found: 614 jobs of 54,034, 69 of them by more than a minute, gave a fifth of all a limit of 141 hours.
#[test]
fn no_limit_of_sdsc_is_above_its_eighteen_hours() {
    let Some(shared) = queuecast_testkit::shared_dir() else { return };
    let (made, said) = made(&shared.join("traces/SDSC-SP2-1998-4.2-cln.swf.gz"), &["--maximum", "64800"]);
    assert!(said.contains("614 jobs that ran longer than 64800 s were cut at it"), "{said}");
    assert_eq!(limits(&made).into_iter().max(), Some(64_800));
}

#[test]
fn over_long_is_refused_where_there_is_no_maximum_to_exceed() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &users_log(true));
    let mut command = qcast();
    command.args(["generate", "estimates"]).arg(&log).args([
        "--output",
        "-",
        "--model",
        "doubled",
        "--over-long",
        "cut",
    ]);
    let failed = command.assert().code(2);
    assert!(
        String::from_utf8_lossy(&failed.get_output().stderr).contains("--over-long does not support --model doubled")
    );
}
