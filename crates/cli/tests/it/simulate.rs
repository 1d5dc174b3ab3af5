//! `qcast simulate` as a person or a script meets it: through the built binary.

use std::fs;

use queuecast_testkit::shared_dir;

use crate::support::{json, qcast, scratch, without_provenance, written};

/// Three jobs on four processors: the second waits for the first, the third backfills.
const LOG: &str = "\
; MaxProcs: 4
1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 10 2 -1 -1 2 10 -1 1 2 -1 -1 -1 -1 -1 -1
3 2 -1 500 1 -1 -1 1 500 -1 1 1 -1 -1 -1 -1 -1 -1
";

#[test]
fn a_small_log_gives_the_waits_worked_out_by_hand() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let result = json(qcast().arg("simulate").arg(&log));
    // Job 2 waits from 1 to 100, jobs 1 and 3 start at once.
    assert_eq!(result["jobs"], 3);
    assert_eq!(result["processors"], 4);
    assert_eq!(result["policy"], "easy");
    assert_eq!(result["predictor"], "estimate");
    assert_eq!(result["wait"]["mean"], 33.0);
    assert_eq!(result["wait"]["max"], 99.0);
    assert_eq!(result["bounded_slowdown"]["max"], 10.9);
    // (3 x 100 + 2 x 10 + 1 x 500) of 4 x 502 processor seconds.
    assert!((result["utilisation"].as_f64().unwrap() - 820.0 / 2008.0).abs() < 1e-12);
    assert_eq!(result["accuracy"]["mae"], 0.0);
    for name in ["parse_seconds", "simulate_seconds", "bare_loop_ratio"] {
        assert!(result["timing"][name].as_f64().is_some_and(|value| value > 0.0), "timing.{name}");
    }
}

#[test]
fn the_schedule_can_be_written_and_checked_against() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let schedule = folder.path().join("schedule.swf");
    qcast().arg("simulate").arg(&log).arg("--schedule").arg(&schedule).assert().success();
    let lines = fs::read_to_string(&schedule).unwrap();
    let jobs: Vec<&str> = lines.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(jobs[0], "1 0 0 100 3 -1 -1 3 100 -1 1 1 -1 -1 -1 -1 -1 -1");
    assert_eq!(jobs[1], "2 1 99 10 2 -1 -1 2 10 -1 1 2 -1 -1 -1 -1 -1 -1");
    let result = json(qcast().arg("simulate").arg(&log).arg("--check-against").arg(&schedule));
    assert_eq!((&result["check"]["identical"], &result["check"]["total"]), (&3.into(), &3.into()));
}

#[test]
fn a_wait_that_differs_is_named_and_exits_with_one() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let other = written(folder.path(), "other.swf", &LOG.replace("2 1 -1 10", "2 1 98 10").replace("1 0 -1", "1 0 0"));
    let assert = qcast().arg("simulate").arg(&log).arg("--check-against").arg(&other).assert().code(1);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("first difference: job 2, 99 s simulated, 98 s expected"), "{said}");
}

#[test]
fn two_runs_and_any_number_of_threads_give_the_same_bytes() {
    let folder = scratch();
    let jobs: Vec<String> = (0..400)
        .map(|job| {
            let (submit, run, wide) = (job * 37 % 5_000, 1 + job * 7919 % 900, 1 + job % 4);
            format!("{job} {submit} -1 {run} {wide} -1 -1 {wide} {} -1 1 {} -1 -1 -1 -1 -1 -1\n", run * 3, job % 7)
        })
        .collect();
    let log = written(folder.path(), "many.swf", &format!("; MaxProcs: 4\n{}", jobs.concat()));
    let run = |threads: &str| {
        let mut command = qcast();
        command.arg("simulate").arg(&log).args(["--policy", "easy-sjbf", "--shake", "6", "--seed", "5"]);
        command.args(["--predictor", "recent:n=2,stat=mean", "--propagate"]);
        command.args(["--no-timing", "--format", "json", "--threads", threads]);
        command.assert().success().get_output().stdout.clone()
    };
    let once = run("1");
    assert_eq!(once, run("1"), "two runs differ");
    let figures = |printed: &[u8]| without_provenance(serde_json::from_slice(printed).expect("JSON"));
    assert_eq!(figures(&once), figures(&run("2")), "one thread and two differ");
    assert!(String::from_utf8_lossy(&once).contains("\"sd\""), "nothing was shaken");
}

#[test]
fn shaking_gives_every_measure_an_interval_that_holds_its_mean() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let result = json(qcast().arg("simulate").arg(&log).args(["--shake", "5", "--seed", "3"]));
    for spread in [&result["wait"]["shaken"], &result["wait"]["shaken"]["p95"], &result["shaken"]["utilisation"]] {
        let figure = |name: &str| spread[name].as_f64().unwrap_or_else(|| panic!("{name} in {spread}"));
        assert!(figure("low95") <= figure("mean") && figure("mean") <= figure("high95"), "{spread}");
        assert!(figure("sd") >= 0.0);
    }
    assert_eq!(result["shaken"]["replicates"], 5);
    assert_eq!(result["seed"], 3);
}

#[test]
fn jobs_that_cannot_be_replayed_are_counted_by_reason() {
    let folder = scratch();
    let log = written(
        folder.path(),
        "dirty.swf",
        "\
; MaxProcs: 4
1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 10 9 -1 -1 9 10 -1 1 2 -1 -1 -1 -1 -1 -1
3 2 -1 0 1 -1 -1 1 500 -1 1 1 -1 -1 -1 -1 -1 -1
4 2 -1 5 1 -1 -1 1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
5 two -1 5 1 -1 -1 1 7 -1 1 1 -1 -1 -1 -1 -1 -1
",
    );
    let mut command = qcast();
    let result = json(command.arg("simulate").arg(&log));
    assert_eq!(result["jobs"], 1);
    for reason in ["over_wide", "no_run_time", "no_limit", "bad_lines"] {
        assert_eq!(result["dropped"][reason], 1, "{reason}");
    }
    let said = String::from_utf8_lossy(&command.assert().get_output().stderr).into_owned();
    assert!(said.contains("dirty.swf:6:submit_time:"), "{said}");
    assert!(said.contains("4 jobs left out"), "{said}");
    // A predictor that does not need the limit keeps the job without one.
    let result = json(qcast().arg("simulate").arg(&log).args(["--predictor", "constant:60"]));
    assert_eq!((&result["jobs"], &result["dropped"]["no_limit"]), (&2.into(), &0.into()));
}

#[test]
fn an_overrun_is_killed_or_runs_on_as_asked() {
    let folder = scratch();
    let log = written(folder.path(), "over.swf", "; MaxProcs: 1\n1 0 -1 100 1 -1 -1 1 30 -1 1 1 -1 -1 -1 -1 -1 -1\n");
    let makespan = |overrun: &str| {
        json(qcast().arg("simulate").arg(&log).args(["--overrun", overrun]))["makespan_seconds"].as_f64().unwrap()
    };
    assert!((makespan("kill") - 30.0).abs() < 1e-9);
    assert!((makespan("run-on") - 100.0).abs() < 1e-9);
}

#[test]
fn wrong_words_are_answered_with_the_right_ones() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let policy = qcast().arg("simulate").arg(&log).args(["--policy", "esay"]).assert().code(2);
    assert!(String::from_utf8_lossy(&policy.get_output().stderr).contains("easy-sjbf"));
    let headless = written(folder.path(), "headless.swf", &LOG.replace("; MaxProcs: 4\n", ""));
    let machine = qcast().arg("simulate").arg(&headless).assert().code(2);
    assert!(String::from_utf8_lossy(&machine.get_output().stderr).contains("--processors"));
    qcast().arg("simulate").arg(folder.path().join("missing.swf")).assert().code(3);
}

#[test]
fn csv_and_table_hold_the_same_figures() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let csv = qcast().arg("simulate").arg(&log).args(["--format", "csv"]).assert().success();
    let csv = String::from_utf8_lossy(&csv.get_output().stdout).into_owned();
    assert!(csv.lines().any(|line| line == "wait.mean,33"), "{csv}");
    let table = qcast().arg("simulate").arg(&log).assert().success();
    let table = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
    assert!(table.contains("wait, mean, s") && table.contains("33.000"), "{table}");
}

/// The issue's own line: a golden schedule, found identical by the command a person would type.
#[test]
fn a_golden_schedule_is_identical_wait_by_wait() {
    let Some(shared) = shared_dir() else { return };
    let golden = shared.join("golden/KTH-SP2.easy.swf.gz");
    let mut command = qcast();
    command.arg("simulate").arg(&golden).args(["--policy", "easy", "--predictor", "estimate", "--rules", "pyss"]);
    let result = json(command.arg("--check-against").arg(&golden));
    assert_eq!((&result["check"]["identical"], &result["check"]["total"]), (&28_481.into(), &28_481.into()));
}

/// From the archive's log to the golden input, by the recipe the golden schedules were made with.
#[test]
fn an_archive_log_cleaned_by_the_recipe_replays_as_the_golden_schedule() {
    let Some(shared) = shared_dir() else { return };
    let mut command = qcast();
    command.arg("simulate").arg(shared.join("traces/KTH-SP2-1996-2.swf.gz")).args(["--rules", "pyss"]);
    let result = json(command.arg("--check-against").arg(shared.join("golden/KTH-SP2.easy.swf.gz")));
    assert_eq!((&result["check"]["identical"], &result["check"]["total"]), (&28_481.into(), &28_481.into()));
}

/// The largest numbers a log may hold, one job after the other: times far beyond any calendar, and still exact.
#[test]
fn absurd_numbers_are_simulated_like_any_others() {
    let folder = scratch();
    let largest = 1_000_000_000_000_i64;
    let jobs: Vec<String> = (1..=10)
        .map(|job| format!("{job} {largest} -1 {largest} 1 -1 -1 1 {largest} -1 1 1 -1 -1 -1 -1 -1 -1\n"))
        .collect();
    let log = written(folder.path(), "absurd.swf", &format!("; MaxProcs: 1\n{}", jobs.concat()));
    for policy in ["fcfs", "easy", "easy-sjbf", "conservative", "saf", "easy:queue=f3,backfill=wfp3,depth=3"] {
        for rules in ["clean", "pyss"] {
            for predictor in ["estimate", "perfect", "constant:1", "recent:n=1"] {
                let mut command = qcast();
                command.arg("simulate").arg(&log).args(["--policy", policy, "--rules", rules]);
                // By steps of at most 100 hours the corrections alone would take a minute.
                let result = json(command.args(["--predictor", predictor, "--correction", "x10", "--propagate"]));
                assert_eq!(result["makespan_seconds"], 10.0 * largest as f64, "{policy} {rules} {predictor}");
            }
        }
    }
}

#[test]
fn a_jitter_beyond_any_calendar_is_refused() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let jitter = i64::MAX.to_string();
    qcast().arg("simulate").arg(&log).args(["--shake", "2", "--jitter", &jitter]).assert().code(2);
}

/// `/dev/full` takes nothing: what a full disk looks like.
#[test]
fn a_full_disk_is_named_and_exits_with_four() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has /dev/full");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_qcast"))
        .arg("simulate")
        .arg(&log)
        .stdout(full)
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("error: standard output: "), "{said}");
}

#[test]
fn one_replicate_is_refused_because_it_has_no_interval() {
    let folder = scratch();
    let log = written(folder.path(), "small.swf", LOG);
    let refused = qcast().arg("simulate").arg(&log).args(["--shake", "1"]).assert().code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("an interval needs 2 replicates or more"), "{said}");
    qcast().arg("simulate").arg(&log).args(["--shake", "0"]).assert().success();
}

/// Both leave jobs out, one before shaking and one after, and must shake the others alike.
#[test]
fn shaken_figures_are_those_of_compare_to_the_digit() {
    let folder = scratch();
    let jobs: Vec<String> = (0..400)
        .map(|job| {
            let (submit, run, wide) = (job * 37 % 5_000, 1 + job * 7919 % 900, 1 + job % 5);
            let (run, limit) = (if job % 11 == 0 { 0 } else { run }, if job % 13 == 0 { -1 } else { run * 3 });
            format!("{job} {submit} -1 {run} {wide} -1 -1 {wide} {limit} -1 1 {} -1 -1 -1 -1 -1 -1\n", job % 7)
        })
        .collect();
    let log = written(folder.path(), "many.swf", &format!("; MaxProcs: 4\n{}", jobs.concat()));
    let alike = ["--policy", "easy", "--predictor", "estimate", "--shake", "6", "--seed", "5"];
    let simulated = json(qcast().arg("simulate").arg(&log).args(alike));
    let compared = json(qcast().arg("compare").arg(&log).args(alike).arg("--no-bound"));
    assert!(simulated["dropped"]["over_wide"].as_u64() > Some(0), "{simulated}");
    let figures = &compared["traces"][0]["runs"][0]["figures"];
    for (of_simulate, of_compare) in [
        (&simulated["wait"]["shaken"]["mean"], &figures["wait.mean"]["shaken"]["mean"]),
        (&simulated["wait"]["shaken"]["sd"], &figures["wait.mean"]["shaken"]["sd"]),
        (&simulated["bounded_slowdown"]["shaken"]["mean"], &figures["bounded_slowdown.mean"]["shaken"]["mean"]),
        (&simulated["wait"]["shaken"]["max"]["mean"], &figures["wait.max"]["shaken"]["mean"]),
    ] {
        assert!(of_simulate.is_f64() && of_simulate == of_compare, "{of_simulate} {of_compare}");
    }
}

#[test]
fn a_schedule_keeps_the_header_of_its_log_and_says_what_made_it() {
    let folder = scratch();
    let header = "; Version: 2.2\n; Computer: IBM SP2\n; Acknowledge: Anna Admin\n; MaxJobs: 3\n; MaxProcs: 4\n; Copyright: 1996\n";
    let log = written(folder.path(), "small.swf", &LOG.replace("; MaxProcs: 4\n", header));
    let schedule = folder.path().join("schedule.swf");
    let mut command = qcast();
    command.arg("simulate").arg(&log).args(["--policy", "easy-sjbf", "--processors", "5"]);
    command.arg("--schedule").arg(&schedule).assert().success();
    let text = fs::read_to_string(&schedule).unwrap();
    for kept in ["; Version: 2.2", "; Computer: IBM SP2", "; Acknowledge: Anna Admin", "; Copyright: 1996"] {
        assert_eq!(text.matches(kept).count(), 1, "{kept}: {text}");
    }
    assert!(text.contains("; MaxProcs: 5\n") && !text.contains("MaxJobs"), "{text}");
    let note = text.lines().find(|line| line.starts_with("; Note: simulated from small.swf by qcast")).expect("a note");
    for made_it in
        ["on 5 processors", "policy easy-sjbf", "predictor estimate", "correction steps", "rules clean", "kill"]
    {
        assert!(note.contains(made_it), "{made_it}: {note}");
    }
    assert!(!text.contains(folder.path().to_str().unwrap()), "where the log lies is nobody's business");
}
