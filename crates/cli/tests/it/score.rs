//! `qcast score`, the built binary.

use crate::daemon_support::{Served, answer_once, http, published};
use crate::support::{qcast, scratch};
use serde_json::{Value, json};

fn figures(jobs: u64) -> Value {
    json!({
        "forecasts": 3 * jobs, "jobs": jobs, "coverage": { "p50": 0.5, "p80": 0.8125, "p90": 0.9, "p95": 0.96 },
        "range80_median_width_seconds": 1_800.0, "median_absolute_error_seconds": 240.0, "within_10_minutes": 0.75,
        "slurm": { "median_absolute_error_seconds": 5_400.0, "within_10_minutes": 0.125, "missing": 0.5, "too_late": null,
                   "ours_median_absolute_error_seconds": 120.0, "ours_within_10_minutes": 0.875 },
        "experts": { "forecasts": jobs, "members": [
            { "name": "ours", "median_absolute_error_seconds": 240.0, "mean_absolute_error_seconds": 600.0 },
            { "name": "recent:user", "median_absolute_error_seconds": 180.0, "mean_absolute_error_seconds": 900.0 },
        ] }
    })
}

fn scorecard() -> Value {
    let group = |name: &str, jobs| json!({ "name": name, "first": figures(jobs), "all": figures(2 * jobs) });
    json!({
        "overall": group("all", 1_500), "by_partition": [group("=cmd()\u{1b}[2J", 40)], "by_class": [group("up to 1 h", 900)],
        "better_for_a_month": [{ "of": "all", "name": "recent:user", "forecasts": 1_200, "users": 5,
                                 "median_absolute_error_seconds": 180.0, "ours_median_absolute_error_seconds": 240.0 }],
        "added_by_a_later_version": 1
    })
}

/// What the command prints for a scorecard.
fn printed(format: &str, scorecard: &Value) -> String {
    let folder = scratch();
    let socket = folder.path().join("api.sock");
    let daemon = answer_once(&socket, http("200 OK", &scorecard.to_string()));
    let output =
        qcast().args(["score", "--format", format, "--socket"]).arg(&socket).assert().success().get_output().clone();
    daemon.join().expect("it answered");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_table_has_ours_beside_slurms_for_first_and_for_all_forecasts() {
    let table = printed("table", &scorecard());
    let line = |start: &str| {
        let found = table.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start} in\n{table}"));
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("all "), "all 1,500 4,500 50.0 % 81.2 % 96.0 % 30.0 min 4.0 min 75.0 %");
    let lines: Vec<String> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines.contains(&"all 1 h 30 min 12.5 % 2.0 min 87.5 % 50.0 % -".to_owned()), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    assert!(line("class up to 1 h").contains("900 2,700"));
    assert!(table.contains("all forecasts") && table.contains("3,000"), "{table}");
    assert!(!table.contains('\u{1b}'), "{table:?}");
}

#[test]
fn the_table_has_each_expert_and_tells_who_was_better_for_a_month() {
    let table = printed("table", &scorecard());
    let lines: Vec<String> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(lines.contains(&"recent:user 3.0 min 15.0 min 3.0 min 15.0 min".to_owned()), "{table}");
    assert!(lines.contains(&"recent:user all 1,200 3.0 min 4.0 min".to_owned()), "{table}");
    let mut nobody_better = scorecard();
    nobody_better["better_for_a_month"] = json!([]);
    assert!(!printed("table", &nobody_better).contains("better than Queuecast"));
}

#[test]
fn csv_has_a_line_for_every_group_and_no_formulas() {
    let csv = printed("csv", &scorecard());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 3);
    assert!(lines[0].starts_with("kind,name,forecasts_kept,jobs,forecasts,coverage_p50"));
    assert_eq!(lines[1], "overall,all,first,1500,4500,0.5,0.8125,0.9,0.96,1800,240,0.75,5400,0.125,0.5,,120,0.875");
    assert!(lines[3].starts_with("partition,'=cmd()") && !csv.contains('\u{1b}'), "{csv:?}");
}

#[test]
fn json_is_the_scorecard() {
    let printed: Value = serde_json::from_str(&printed("json", &scorecard())).expect("JSON");
    assert_eq!(printed["overall"]["first"], figures(1_500));
}

#[test]
fn a_daemon_that_has_scored_nothing_says_so() {
    let served = Served::new(published(Vec::new()));
    let output = qcast().args(["score", "--socket"]).arg(&served.path).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8(output).expect("text").contains("No forecast has been scored yet"));
}

#[test]
fn nobody_there_is_said_with_what_to_do() {
    let output = qcast().args(["score", "--socket", "/no/such.sock"]).assert().code(3).get_output().stderr.clone();
    let message = String::from_utf8(output).expect("text");
    assert!(message.contains("no daemon at /no/such.sock") && message.contains("qcast serve"), "{message}");
}
