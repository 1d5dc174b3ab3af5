//! `qcast backtest` through the built binary.

mod export;
mod figures;

use crate::support::{assert_well_formed, json, qcast, scratch, written};
use serde_json::Value;

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
    let path = written(folder.path(), "log.swf", &log(4_000));
    let result = json(qcast().arg("backtest").arg(&path).args(["--risk", "10", "--moments", "50"]));
    let line = |who: &str| {
        let lines = result["limits"].as_array().expect("lines");
        lines.iter().find(|line| line["method"] == who).cloned().unwrap_or_else(|| panic!("{who}: {result}"))
    };
    let (advised, asked, least) = (line("advised"), line("asked for"), line("run time itself"));
    assert_eq!((&advised["max_risk"], &advised["jobs"]), (&Value::from(0.1), &Value::from(3_960)));
    assert!(advised["killed"]["share"].as_f64().is_some_and(|share| share <= 0.105), "{advised}");
    assert_eq!(advised["median_limit_seconds"], 720.0, "ten minutes, and room");
    assert_eq!((&asked["median_of_requested"], &asked["killed"]["share"]), (&Value::from(1.0), &Value::from(0.0)));
    assert_eq!((&least["median_limit_seconds"], &least["killed"]["share"]), (&Value::from(600.0), &Value::from(0.0)));
    // Nobody is in anybody's way: everybody starts five seconds after the plan, and the futures, have it. Ours has learnt that.
    assert_eq!(result["first"][0]["plan"]["median_absolute_error_seconds"], 5.0);
    let ours = &result["first"][0]["ours"]["median_absolute_error_seconds"];
    assert!(ours.as_f64().is_some_and(|seconds| seconds < 5.0), "{ours}");
    assert_eq!(result["first"][0]["last_waits"]["median_absolute_error_seconds"], 0.0);
    // The long ones end after the next two have come, which are never there together.
    assert_eq!((&result["machine"][0]["processors"], &result["moments"]), (&Value::from(8), &Value::from(50)));
    let table = qcast().arg("backtest").arg(&path).args(["--moments", "5"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&table.stdout).contains("maximum risk"), "{table:?}");
    assert!(String::from_utf8_lossy(&table.stderr).contains("simulated from the users' time limits"), "{table:?}");
}

#[test]
fn a_log_without_limits_is_refused_in_words_and_so_are_risks_and_sizes_that_are_none() {
    let folder = scratch();
    let path = written(folder.path(), "log.swf", &log(20).replace(" 3600 ", " -1 "));
    let output = qcast().arg("backtest").arg(&path).output().expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("0 ended jobs with a time limit"), "{output:?}");
    for wrong in [["--risk", "99"], ["--processors", "0"], ["--nodes", "gpu="]] {
        qcast().arg("backtest").arg(&path).args(wrong).assert().code(2);
    }
    let limited = written(folder.path(), "limited.swf", &log(20));
    qcast().arg("backtest").arg(&limited).args(["--nodes", "none=4"]).assert().code(2);
    qcast().arg("backtest").arg(&limited).args(["--store", "x.db"]).assert().code(2);
    qcast().args(["backtest", "--store"]).arg(folder.path().join("none.db")).assert().code(3);
    qcast().arg("backtest").assert().code(2);
}

/// Every figure that is printed comes out again from the file of forecasts and the jobs themselves, by other means.
#[test]
fn every_figure_comes_out_again_from_the_forecasts_one_by_one() {
    let folder = scratch();
    let jobs = export::jobs(1_500);
    let path = written(folder.path(), "site.sacct", &export::text(&jobs));
    let details = folder.path().join("details.csv");
    let result = json(
        qcast()
            .arg("backtest")
            .arg(&path)
            .args(["--days", "20", "--moments", "200", "--simulations", "20"])
            .arg("--details")
            .arg(&details),
    );
    let text = std::fs::read_to_string(&details).expect("the forecasts");
    let forecasts = figures::read(&text);
    assert!(forecasts.len() > 400, "{}", forecasts.len());
    for table in ["first", "all"] {
        let of_table: Vec<_> = forecasts.iter().filter(|forecast| table == "all" || forecast.first).collect();
        let groups = result[table].as_array().expect("groups");
        let mut counted = [0_u64; 4];
        for group in groups {
            let kind = ["overall", "partition", "class", "wait_left"].iter().position(|kind| group["kind"] == *kind);
            let within: Vec<_> = of_table.iter().copied().filter(|forecast| forecast.is_in(group)).collect();
            counted[kind.expect("a kind")] += within.len() as u64;
            figures::assert_group(group, &within);
        }
        assert_eq!(counted, [of_table.len() as u64; 4], "every forecast is in one group of each kind");
        figures::assert_reliability(&result["reliability"], table, &of_table);
    }
    let (first, later): (Vec<_>, Vec<_>) = forecasts.iter().partition(|forecast| forecast.first);
    figures::assert_contest(&result["experts"]["first"], &first);
    figures::assert_contest(&result["experts"]["later"], &later);
    figures::assert_worst(&result["worst"], &first);
    figures::assert_waits(&result, &jobs);
    let scored = forecasts.len() as u64;
    let said = ["forecasts", "never_started"].map(|name| result[name].as_u64().expect("a count"));
    assert_eq!(said[0] - said[1], scored);
}

#[test]
fn the_machine_is_what_was_in_use_and_partitions_on_the_same_nodes_share_it() {
    let folder = scratch();
    let jobs = export::jobs(600);
    let path = written(folder.path(), "site.sacct", &export::text(&jobs));
    let result = json(qcast().arg("backtest").arg(&path).args(["--moments", "5"]));
    let machine = result["machine"].as_array().expect("pools");
    assert_eq!(machine.len(), 2, "{machine:?}");
    let processors = |machine: &Value, partitions: Value| {
        let pools = machine.as_array().expect("pools");
        let pool = pools.iter().find(|pool| pool["partitions"] == partitions).expect("a pool of those");
        pool["processors"].as_u64()
    };
    let (shared, own) = (serde_json::json!(["batch", "short"]), serde_json::json!(["gpu"]));
    assert_eq!(processors(&result["machine"], shared.clone()), Some(64), "both ran on the same nodes");
    assert_eq!(processors(&result["machine"], own), Some(16));
    let larger = json(qcast().arg("backtest").arg(&path).args(["--moments", "5", "--processors", "short=128"]));
    assert_eq!(processors(&larger["machine"], shared), Some(128));
}

#[test]
fn the_same_command_gives_the_same_bytes_and_another_seed_other_moments() {
    let folder = scratch();
    let path = written(folder.path(), "site.sacct", &export::text(&export::jobs(600)));
    let run = |seed: &str| {
        let output =
            qcast().arg("backtest").arg(&path).args(["--moments", "40", "--seed", seed, "--format", "csv"]).output();
        String::from_utf8(output.expect("it runs").stdout).expect("text")
    };
    let one = run("1");
    assert_eq!(one, run("1"));
    assert_ne!(one, run("2"));
    assert!(one.starts_with("table,kind,name,figure,value\nfirst,overall,all,forecasts,40\n"), "{one}");
}

#[test]
fn the_page_is_whole_and_names_in_it_are_only_names() {
    let folder = scratch();
    let hostile = export::text(&export::jobs(600)).replace("|short|", "|<script>alert(1)</script>|");
    let path = written(folder.path(), "site.sacct", &hostile);
    let page = folder.path().join("page.html");
    let output =
        qcast().arg("backtest").arg(&path).args(["--moments", "60", "--html"]).arg(&page).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let page = std::fs::read_to_string(&page).expect("the page");
    assert_well_formed(&page);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    for word in [
        "Median error by partition",
        "Are the ranges well calibrated?",
        "Waits by time limit and size",
        "limit-based estimate",
    ] {
        assert!(page.contains(word), "{word}");
    }
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org").count());
}

/// A daemon's store: what it said is judged beside what Slurm planned, and the jobs are played as those of an export are.
#[test]
fn a_store_is_played_like_an_export_and_what_was_kept_is_judged() {
    let folder = scratch();
    let jobs = export::jobs(400);
    let path = folder.path().join("qcast.db");
    export::store(&path, &jobs);
    let result = json(qcast().args(["backtest", "--moments", "20", "--store"]).arg(&path));
    let kept = &result["stored_forecasts"]["overall"]["first"];
    assert_eq!(
        (&kept["forecasts"], &kept["slurm"]["median_absolute_error_seconds"]),
        (&Value::from(1), &Value::from(100.0))
    );
    assert_eq!(kept["median_absolute_error_seconds"], 40.0);
    assert_eq!(
        result["history_jobs"].as_u64(),
        Some(jobs.iter().filter(|job| job.started.is_some()).count() as u64 + 1)
    );
    assert!(result["first"][0]["forecasts"].as_u64().is_some_and(|forecasts| forecasts > 10), "{result}");
}
