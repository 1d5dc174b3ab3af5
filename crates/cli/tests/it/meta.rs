//! `qcast meta`, as a person or a script meets it: through the built binary.

use std::fmt::Write;

use crate::support::{json, qcast, scratch, written};
use serde_json::Value;

/// A site of four processors with a job of that many seconds every minute on two of them.
fn log(run: i64) -> String {
    let mut log = "; MaxProcs: 4\n".to_owned();
    for number in 1..=100 {
        let _ = writeln!(log, "{number} {} -1 {run} 2 -1 -1 2 {run} -1 1 1 -1 -1 -1 -1 -1 -1", number * 60);
    }
    log
}

fn of<'a>(result: &'a Value, strategy: &str) -> &'a Value {
    let strategies = result["strategies"].as_array().expect("strategies");
    strategies.iter().find(|row| row["strategy"] == strategy).expect("the strategy")
}

#[test]
fn a_full_site_sends_its_jobs_to_an_idle_one() {
    let folder = scratch();
    let (busy, idle) = (written(folder.path(), "busy.swf", &log(240)), written(folder.path(), "idle.swf", &log(10)));
    let mut command = qcast();
    command.arg("meta").args([&busy, &idle]).args(["--jitter", "0", "--shake", "2"]);
    let choosing = [
        "least-loaded",
        "k-distributed:2",
        "redundant",
        "least-predicted",
        "least-wait:forward",
        "least-completion:forward",
    ];
    for strategy in ["static"].into_iter().chain(choosing) {
        command.args(["--strategy", strategy]);
    }
    let result = json(&mut command);
    let wait = |strategy: &str| of(&result, strategy)["wait_seconds"]["mean"].as_f64().unwrap();
    assert!(wait("static") > 1_000.0, "{}", wait("static"));
    for strategy in choosing {
        assert!(wait(strategy) < wait("static") / 2.0, "{strategy}: {}", wait(strategy));
        assert_eq!(of(&result, strategy)["jobs"], 200);
    }
    let home = of(&result, "static")["share_by_site"].clone();
    assert_eq!(home, serde_json::json!([0.5, 0.5]));
}

#[test]
fn a_fast_site_is_worth_a_wait_where_completion_counts() {
    let folder = scratch();
    let (slow, fast) = (written(folder.path(), "slow.swf", &log(100)), written(folder.path(), "fast.swf", &log(100)));
    let mut command = qcast();
    command.arg("meta").args([&slow, &fast]).args(["--jitter", "0", "--shake", "2", "--speed", "0.5,2"]);
    for strategy in ["static", "least-wait:forward", "least-completion:forward"] {
        command.args(["--strategy", strategy]);
    }
    let result = json(&mut command);
    let turnaround = |strategy: &str| of(&result, strategy)["turnaround_seconds"]["mean"].as_f64().unwrap();
    assert!(turnaround("least-completion:forward") < turnaround("least-wait:forward"));
    assert!(turnaround("least-wait:forward") < turnaround("static"));
}

#[test]
fn what_does_not_belong_together_is_wrong_usage() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", &log(10));
    for (arguments, told) in [
        (["--processors", "4,4"], "one count for each of the 1 logs"),
        (["--strategy", "anywhere"], "least-predicted"),
        (["--speed", "0"], "above 0"),
    ] {
        let failure = qcast().arg("meta").arg(&log).args(arguments).assert().code(2).get_output().stderr.clone();
        let message = String::from_utf8(failure).unwrap();
        assert!(message.contains(told), "{message}");
    }
}
