//! `qcast generate resample`, `downey` and loads, as a person or a script meets them: through the built binary.

use std::fs;
use std::path::Path;

use crate::support::{json, qcast, scratch, written};
use queuecast_testkit::shared_dir;
use serde_json::Value;

const WEEK: i64 = 604_800;

/// Three users, a header with what stays true and what does not, and a job that never ran.
const LOG: &str = "\
; Version: 2.2
; Computer: a small one
; Acknowledge: Ada Lovelace
; Copyright: the notice
;   goes on here
; MaxJobs: 4
; MaxRecords: 4
; UnixStartTime: 843480031
; TimeZone: 3600
; EndTime: Fri Aug 29 10:55:01 CEST 1997
; MaxProcs: 8
; User: 1 ada
; Queue: 3 night
1 100 5 60 4 -1 -1 4 120 -1 1 1 7 11 3 -1 -1 -1
2 5000 5 600 2 -1 -1 2 900 -1 1 2 7 12 3 -1 -1 -1
3 90000 5 6000 1 -1 -1 1 9000 -1 1 3 8 13 3 -1 -1 -1
4 90001 5 -1 1 -1 -1 1 9000 -1 5 3 8 13 3 -1 -1 -1
";

fn generated(arguments: &[&str], log: Option<&Path>) -> String {
    let mut command = qcast();
    command.arg("generate").args(arguments).args(["--output", "-"]).args(log);
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("a log is text")
}

fn jobs_of(text: &str) -> Vec<Vec<i64>> {
    let fields = |line: &str| line.split_whitespace().map(|field| field.parse().expect("a number")).collect();
    text.lines().filter(|line| !line.starts_with(';')).map(fields).collect()
}

fn info(log: &Path) -> Value {
    json(qcast().args(["trace", "info"]).arg(log))
}

#[test]
fn a_resampled_log_keeps_the_sources_jobs_their_time_of_the_week_and_its_acknowledgement() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", LOG);
    let text = generated(&["resample", "--weeks", "50", "--seed", "3"], Some(&log));
    let jobs = jobs_of(&text);
    assert!(jobs.len() > 100, "three users a week for fifty weeks: {}", jobs.len());
    for (job, number) in jobs.iter().zip(1..) {
        let (second, fields): (i64, [i64; 4]) = match job[3] {
            60 => (100, [4, 120, 11, 3]),
            600 => (5_000, [2, 900, 12, 3]),
            6_000 => (90_000, [1, 9_000, 13, 3]),
            other => panic!("no job of the log ran for {other} s"),
        };
        assert_eq!((job[0], job[1] % WEEK, job[2]), (number, second, -1));
        assert_eq!([job[7], job[8], job[13], job[14]], fields);
    }
    assert!(jobs.is_sorted_by_key(|job| job[1]) && jobs.iter().all(|job| job[1] < 50 * WEEK));
    let mut users: Vec<i64> = jobs.iter().map(|job| job[11]).collect();
    users.sort_unstable();
    users.dedup();
    assert_eq!(users.len(), jobs.len(), "each comes with one job and is a new person every time");

    for kept in [
        "; Acknowledge: Ada Lovelace",
        "; Copyright: the notice\n;   goes on here\n",
        "; UnixStartTime: 843480031",
        "; TimeZone: 3600",
        "; MaxProcs: 8",
        "; Queue: 3 night",
        "resampled from log.swf by qcast",
        "generate resample --weeks 50 --by users --seed 3",
    ] {
        assert!(text.contains(kept), "{kept} is missing in {}", &text[..600]);
    }
    for gone in ["MaxJobs", "MaxRecords", "EndTime", "; User:"] {
        assert!(!text.contains(gone), "{gone} is not true any more");
    }
}

#[test]
fn the_seed_decides_what_is_resampled_and_so_many_jobs_are_written_as_were_asked_for() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", LOG);
    for by in ["users", "sessions"] {
        let with_seed = |seed| generated(&["resample", "--jobs", "777", "--by", by, "--seed", seed], Some(&log));
        assert_eq!(jobs_of(&with_seed("1")).len(), 777);
        assert_eq!(with_seed("1"), with_seed("1"));
        assert_ne!(jobs_of(&with_seed("1")), jobs_of(&with_seed("2")));
    }
}

#[test]
fn a_real_log_is_resampled_to_the_load_asked_for_as_trace_info_measures_it() {
    let Some(shared) = shared_dir() else { return };
    let folder = scratch();
    let log = shared.join("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    let made = folder.path().join("made.swf.zst");
    for (load, by) in [("0.5", "users"), ("0.9", "sessions")] {
        let mut command = qcast();
        command.args(["generate", "resample"]).arg(&log).args(["--weeks", "400", "--load", load, "--by", by, "-o"]);
        let told = command.arg(&made).assert().success().get_output().stderr.clone();
        let told = String::from_utf8(told).expect("messages are text");
        assert!(told.contains("102 long-term users"), "{told}");
        let offered = info(&made)["offered_load"].as_f64().expect("the machine is in the header");
        assert!((offered / load.parse::<f64>().unwrap() - 1.0).abs() < 0.06, "{offered} for {load}");
    }
    assert_eq!(info(&made)["machine_processors"], 100);
}

#[test]
fn what_cannot_be_resampled_is_wrong_usage_with_a_way_out() {
    let folder = scratch();
    let log = written(folder.path(), "log.swf", LOG);
    let no_machine = written(folder.path(), "no_machine.swf", &LOG.replace("; MaxProcs: 8\n", ""));
    let refused = |log: &Path, arguments: &[&str]| {
        let mut command = qcast();
        command.args(["generate", "resample", "--output", "-"]).arg(log).args(arguments);
        String::from_utf8(command.assert().code(2).get_output().stderr.clone()).expect("messages are text")
    };
    assert!(refused(&log, &[]).contains("--jobs <COUNT>|--weeks <COUNT>"));
    assert!(refused(&log, &["--jobs", "5", "--weeks", "5"]).contains("cannot be used with"));
    assert!(refused(&log, &["--jobs", "5", "--load", "0"]).contains("expected a load above 0"));
    assert!(refused(&log, &["--jobs", "5", "--load", "1e9"]).contains("use a lower load"));
    assert!(refused(&no_machine, &["--jobs", "5"]).contains("--processors"));
}

/// A million jobs, for fewer miss the load by more than five per cent with many a seed.
#[test]
fn the_model_of_lublin_offers_the_load_asked_for() {
    let folder = scratch();
    let log = folder.path().join("lublin.swf");
    for load in ["0.5", "0.9"] {
        let mut command = qcast();
        command.args(["generate", "lublin", "--jobs", "1000000", "--load", load, "--output"]);
        command.arg(&log).assert().success();
        let offered = info(&log)["offered_load"].as_f64().expect("the machine is in the header");
        assert!((offered / load.parse::<f64>().unwrap() - 1.0).abs() < 0.05, "{offered} for {load}");
        let text = fs::read_to_string(&log).expect("it was written");
        assert!(text.contains(&format!("--kinds both --load {load} --seed 1")), "{}", &text[..300]);
    }
    let mut command = qcast();
    command.args(["generate", "lublin", "--load", "1000000", "--output", "-"]).assert().code(2);
}

#[test]
fn downeys_jobs_are_written_as_rigid_ones_and_the_header_says_so() {
    let text = generated(&["downey", "--days", "40", "--processors", "64", "--load", "0.9", "--seed", "5"], None);
    assert!(text.contains("generate downey --days 40 --processors 64 --load 0.9 --seed 5"), "{}", &text[..300]);
    assert!(text.contains("requests its average parallelism, rounded up"), "{}", &text[..600]);
    assert!(text.contains("; MaxProcs: 64"));
    let jobs = jobs_of(&text);
    // One job in 271 minutes on one processor, by day.
    let expected = 40.0 * 720.0 / 271.2 * 64.0 * 0.9;
    assert!((jobs.len() as f64 / expected - 1.0).abs() < 0.1, "{} jobs, expected {expected}", jobs.len());
    assert!(jobs.is_sorted_by_key(|job| job[1]) && jobs.iter().all(|job| job[1] % 86_400 < 43_200));
    assert!(jobs.iter().all(|job| (1..=64).contains(&job[7]) && job[3] >= 1 && job[1] < 40 * 86_400));
    assert!(jobs.iter().any(|job| job[7] > 48), "they are as wide as the machine");
    let again = generated(&["downey", "--days", "40", "--processors", "64", "--load", "0.9", "--seed", "5"], None);
    assert_eq!(text, again, "the seed decides");
}
