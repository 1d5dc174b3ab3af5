//! `qcast backtest` through the built binary.

mod support;

use serde_json::Value;
use support::{qcast, scratch};

/// So many jobs of one user, alike: ten minutes of an hour asked for; every twentieth takes half an hour.
fn log(jobs: u32) -> String {
    let job = |number: u32| {
        let run = if number.is_multiple_of(20) { 1_800 } else { 600 };
        format!("{number} {} 5 {run} 4 -1 -1 4 3600 -1 1 7 1 -1 1 -1 -1 -1\n", u64::from(number) * 700)
    };
    std::iter::once("; MaxProcs: 64\n".to_owned()).chain((1..=jobs).map(job)).collect()
}

#[test]
fn limits_are_advised_from_a_log_alone_and_what_was_promised_is_shown_beside_what_came() {
    let folder = scratch();
    let path = folder.path().join("log.swf");
    std::fs::write(&path, log(4_000)).expect("it is ours");
    let output =
        qcast().arg("backtest").arg(&path).args(["--risk", "10", "--format", "json"]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let line = |who: &str| {
        let lines = result["limits"].as_array().expect("lines");
        lines.iter().find(|line| line["who"] == who).cloned().unwrap_or_else(|| panic!("{who}: {result}"))
    };
    let (advised, asked, least) = (line("advised"), line("asked for"), line("run time itself"));
    assert_eq!((&advised["promised"], &advised["jobs"]), (&Value::from(0.1), &Value::from(3_960)));
    assert!(advised["killed"]["share"].as_f64().is_some_and(|share| share <= 0.105), "{advised}");
    assert_eq!(advised["median_limit_seconds"], 720.0, "ten minutes, and room");
    assert_eq!((&asked["median_of_asked"], &asked["killed"]["share"]), (&Value::from(1.0), &Value::from(0.0)));
    assert_eq!((&least["median_limit_seconds"], &least["killed"]["share"]), (&Value::from(600.0), &Value::from(0.0)));
    let table = qcast().arg("backtest").arg(&path).output().expect("it runs");
    assert!(String::from_utf8_lossy(&table.stdout).contains("promised"), "{table:?}");
}

#[test]
fn a_log_without_limits_is_refused_in_words() {
    let folder = scratch();
    let path = folder.path().join("log.swf");
    std::fs::write(&path, log(20).replace(" 3600 ", " -1 ")).expect("it is ours");
    let output = qcast().arg("backtest").arg(&path).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("0 jobs have a limit"), "{output:?}");
    let output = qcast().arg("backtest").arg(&path).args(["--risk", "99"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}
