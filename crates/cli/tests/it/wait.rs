//! `qcast wait`, as a person or a script meets it: through the built binary.

use std::fmt::Write;
use std::fs;

use crate::support::{assert_well_formed, json, qcast, scratch, written};
use queuecast_testkit::skip_outside_ci;
use serde_json::Value;

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

/// A machine learns after 5,000 starts; before, all waits so far speak, as with the majority answer.
#[test]
fn support_vector_machines_are_methods_like_the_others() {
    let methods = ["svm", "svm:polynomial", "svm:sigmoid", "knn-svm", "knn-svm:polynomial", "knn-svm:sigmoid"];
    let arguments: Vec<&str> = methods.iter().flat_map(|method| ["--method", method]).collect();
    let result = wait(&arguments);
    let named: Vec<&str> =
        result["methods"].as_array().unwrap().iter().map(|method| method["method"].as_str().unwrap()).collect();
    assert_eq!(named, methods);
}

#[test]
fn without_libsvm_it_is_said_what_is_missing_and_what_to_do_before_anything_is_read() {
    for arguments in [
        vec!["wait", "/no/such/log.swf", "--method", "knn-svm"],
        vec!["meta", "/no/such/log.swf", "--strategy", "least-wait:svm"],
    ] {
        let ran = qcast().env("QCAST_LIBSVM", "/no/such/libsvm.so").args(&arguments).assert().code(7);
        let said = String::from_utf8_lossy(&ran.get_output().stderr).into_owned();
        for expected in ["/no/such/libsvm.so", "hint: ", "apt-get install libsvm3", "QCAST_LIBSVM"] {
            assert!(said.contains(expected), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn without_libsvm_all_other_methods_forecast() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log());
    qcast()
        .env("QCAST_LIBSVM", "/no/such/libsvm.so")
        .arg("wait")
        .arg(&log)
        .args(["--method", "knn"])
        .assert()
        .success();
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
fn a_method_is_held_against_the_best_simple_one_asked_beside_it() {
    let methods = ["recent", "recent:class", "majority"];
    let arguments: Vec<&str> = methods.iter().flat_map(|method| ["--method", method]).collect();
    let result = wait(&arguments);
    let of = |place: usize, figure: &str| result["methods"][place][figure].as_f64().unwrap();
    let [all, class] = [0, 1].map(|place| of(place, "crps"));
    let whole = &result["methods"][2]["against_simple"]["whole"];
    assert_eq!(whole["least_crps"], if all < class { "recent" } else { "recent:class" });
    let ratio = whole["crps_ratio"]["value"].as_f64().unwrap();
    assert!((ratio - of(2, "crps") / all.min(class)).abs() < 1e-9, "{ratio}");
    // Nothing is compared with itself.
    assert_eq!(result["methods"][0]["against_simple"]["whole"]["least_crps"], "recent:class");
    assert!(wait(&["--method", "recent"])["methods"][0]["against_simple"].is_null());
}

#[test]
fn what_was_stated_is_held_against_what_came() {
    let result = wait(&["--method", "knn:heom", "--from", "51"]);
    let method = &result["methods"][0];
    for (bins, names) in [
        (&method["within_1h"]["bins"], vec!["from", "jobs", "stated", "came"]),
        (
            &method["by_predicted"],
            vec!["predicted_median_seconds", "actual_median_seconds", "coverage_p80", "coverage_p95"],
        ),
    ] {
        let bins = bins.as_array().unwrap();
        assert!((bins.iter().map(|bin| bin["jobs"].as_f64().unwrap()).sum::<f64>() - 150.0).abs() < 1e-9, "{bins:?}");
        for (bin, name) in bins.iter().flat_map(|bin| names.iter().map(move |name| (bin, name))) {
            assert!(bin[name].is_number(), "{name} in {bin}");
        }
    }
    assert!(method["within_1h"]["precision"].is_number() && method["error"]["over_response_time"].is_number());
}

#[test]
fn the_page_shows_every_method_and_needs_nothing_from_elsewhere() {
    let folder = scratch();
    let log = written(folder.path(), "<i>hostile & \"quoted\".swf", &log());
    // The name of `qcast compare`, and the one of `qcast reproduce`.
    let pages = ["--html", "--report"].map(|option| {
        let path = folder.path().join(format!("page{option}.html"));
        let methods = ["--method", "majority", "--method", "knn:heom", "--method", "forward:oracle"];
        qcast()
            .arg("wait")
            .arg(&log)
            .args(methods)
            .args(["--simulations", "4", "--no-timing", option])
            .arg(&path)
            .assert()
            .success();
        fs::read_to_string(&path).expect("the page was written")
    });
    let [page, again] = &pages;
    assert_eq!(page, again, "the same figures give the same bytes");
    assert_well_formed(page);
    for foreign in ["http", "<script", "src=", "url(", "@import", "<link", "<i>hostile", "NaN", "inf%"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for expected in [
        "&lt;i&gt;hostile &amp; &quot;quoted&quot;.swf",
        "3 methods on",
        "knn:heom",
        ">bound<",
        "always \u{201c}up to 1\u{a0}h\u{201d}",
        "Are the quantiles well calibrated?",
        "Positions of the waits in their forecast distributions",
        "Probability of a start within an hour",
        "Calibration by forecast wait",
        "--method forward:oracle",
        "--simulations 4",
        "--seed 1",
        "prefers-color-scheme: dark",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(page.contains(expected), "{expected}");
    }
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_anything_is_forecast() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log());
    qcast().arg("wait").arg(&log).arg("--html").arg(folder.path().join("no/such/page.html")).assert().code(4);
    qcast().arg("wait").arg(&log).args(["--html", "-"]).assert().code(2);
}

#[test]
fn nothing_to_score_and_unknown_names_are_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log());
    for (arguments, told) in [
        (["--from", "500"], "usable jobs is between --from and --to"),
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
    let failure = qcast().arg("wait").arg(&log).assert().code(3).get_output().stderr.clone();
    let message = String::from_utf8(failure).unwrap();
    assert!(message.contains("1 without a recorded wait time") && message.contains("--waits easy"), "{message}");
}

/// `script` gives the command a terminal, which is where a bar is shown. Where there is none, there is no bar to see.
#[test]
fn a_person_sees_how_far_it_is_and_a_file_does_not() {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        skip_outside_ci("script(1), which opens a terminal, is not installed");
        return;
    }
    let folder = scratch();
    let jobs = (0..1_000_i64).map(|job| {
        let (submit, run, wide) = (job * 37, 1 + job * 7919 % 9_000, 1 + job % 64);
        format!(
            "{job} {submit} {} {run} {wide} -1 -1 {wide} {} -1 1 {} -1 -1 -1 -1 -1 -1\n",
            job % 3_000,
            run * 3,
            job % 7
        )
    });
    let log = written(folder.path(), "log.swf", &format!("; MaxProcs: 64\n{}", jobs.collect::<String>()));
    let command = format!("{} wait {} --method forward --simulations 100", env!("CARGO_BIN_EXE_qcast"), log.display());
    let shown = std::process::Command::new("script").args(["-qec", &command, "/dev/null"]).output().expect("it runs");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("of 1000 forecasts, "), "{shown}");
    let mut to_a_file = qcast();
    to_a_file.arg("wait").arg(&log).args(["--method", "recent"]);
    assert!(!String::from_utf8_lossy(&to_a_file.assert().success().get_output().stderr).contains("forecasts"));
}
