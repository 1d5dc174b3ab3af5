//! Accounting logs of PBS as logs: recognised by their first line, wherever a log is taken.
//!
//! The sample is written by hand from the manual; expected values, computed by hand, are in `crates/openpbs/tests/it/records.rs`.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::support::{json, qcast, scratch, written};
use queuecast_workload::files::Output;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../openpbs/tests/samples/accounting")
}

#[test]
fn accounting_is_converted_to_a_log() {
    let output = qcast()
        .args(["trace", "convert"])
        .arg(sample())
        .args(["--sort", "-o", "-"])
        .assert()
        .success()
        .get_output()
        .clone();
    let log = String::from_utf8(output.stdout).expect("UTF-8");
    // Number, submission, wait, run time, processors, limit, status; then user, account, name and queue in order of appearance.
    assert_eq!(
        log,
        "; UnixStartTime: 0\n\
         ; Note: from accounting logs of OpenPBS, one line an attempt, processors as allocated\n\
         1001 1772445600 300 3600 16 -1 -1 16 7200 -1 1 3 4 6 -1 1 -1 -1\n\
         1002 1772445700 100 300 4 -1 -1 4 660 -1 5 1 1 1 -1 1 -1 -1\n\
         1002 1772446100 300 402 4 -1 -1 4 660 -1 5 1 1 1 -1 1 -1 -1\n\
         1003 1772446200 -1 -1 4 -1 -1 4 660 -1 5 2 2 2 -1 2 -1 -1\n\
         1004 1772446600 60 300 1 -1 -1 1 1800 -1 1 3 3 3 -1 1 -1 -1\n\
         1004 1772446600 120 300 1 -1 -1 1 1800 -1 0 3 3 3 -1 1 -1 -1\n\
         1005 1772447100 0 1225 8 -1 -1 8 1200 -1 0 2 2 4 -1 1 -1 -1\n\
         1006 1772447200 60 200 8 -1 -1 8 1200 -1 1 1 3 5 -1 3 -1 -1\n\
         1007 1772448700 850 -1 16 -1 -1 16 7200 -1 -1 3 3 6 -1 1 -1 -1\n\
         1008 1772448800 -1 -1 16 -1 -1 16 7200 -1 -1 3 3 7 -1 1 -1 -1\n"
    );
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("accounting: 1 deletion records left out: the job's submission is not in the log"), "{said}");
    assert!(said.contains("accounting: 1 records in state REVOKED left out"), "{said}");
}

#[test]
fn what_is_in_accounting_is_described_and_every_bad_line_is_told() {
    let info = json(qcast().args(["trace", "info"]).arg(sample()));
    assert_eq!((info["jobs"].as_u64(), info["bad_lines"].as_u64()), (Some(10), Some(0)), "{info}");
    let folder = scratch();
    let text = std::fs::read_to_string(sample()).expect("the sample");
    let damaged = text.replacen("ctime=", "ctime=x", 1);
    let file = written(folder.path(), "20260302", &damaged[..damaged.len() - 1]);
    let output = qcast().args(["trace", "info", "--format", "json"]).arg(&file).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("20260302:2:ctime: `x1772445600` is not a time"), "{said}");
    assert!(said.contains(": the log ends within the line: "), "{said}");
    assert!(said.contains("20260302: 2 bad lines left out"), "{said}");
}

/// So many jobs of one user, alike, each record as a server writes it: ten minutes of an hour asked for, started after a minute.
fn month(jobs: i64) -> String {
    let job = |number: i64| {
        let queued = 1_772_445_600 + 700 * number;
        let (started, ended) = (queued + 60, queued + 660);
        let front = |kind: char| format!("03/02/2026 10:00:00;{kind};{number}.pbs1;");
        let said = format!("user=ada group=staff jobname=heat queue=work ctime={queued} qtime={queued} etime={queued}");
        let asked = "Resource_List.ncpus=4 Resource_List.nodect=1 Resource_List.walltime=01:00:00";
        let ran = format!("{said} start={started} exec_host=n1/0*4 exec_vnode=(n1:ncpus=4) {asked}");
        let done = format!("session=7 end={ended} Exit_status=0 resources_used.walltime=00:10:00 run_count=1");
        format!("{}{said} {asked}\n{}{ran}\n{}{ran} {done}\n", front('Q'), front('S'), front('E'))
    };
    (1..=jobs).map(job).collect()
}

#[test]
fn a_history_of_openpbs_is_back_tested() {
    let folder = scratch();
    let file = written(folder.path(), "accounting", &month(600));
    let result = json(qcast().arg("backtest").arg(&file).args(["--moments", "20", "--risk", "10"]));
    assert_eq!(result["bad_lines"], 0, "{result}");
    assert_eq!(result["machine"][0]["partitions"][0], "work", "a queue is a partition: {result}");
    // Everybody starts a minute after the plan, which is at once.
    assert_eq!(result["first"][0]["plan"]["median_absolute_error_seconds"], 60.0);
    let limits = result["limits"].as_array().expect("lines");
    let asked = limits.iter().find(|line| line["method"] == "asked for").expect("a line");
    assert_eq!((&asked["median_limit_seconds"], &asked["killed"]["share"]), (&3600.0.into(), &0.0.into()));
}

#[test]
fn a_pipe_of_packed_days_is_read_as_one_log() {
    let text = std::fs::read_to_string(sample()).expect("the sample");
    let days = format!("{text}{}", text.replace("03/02/2026", "03/03/2026"));
    let folder = scratch();
    let plain = written(folder.path(), "days", &days);
    let packed = folder.path().join("days.gz");
    let mut output = Output::create(&packed).expect("a file");
    output.write_all(days.as_bytes()).expect("room");
    output.finish().expect("room");
    let piped = json(qcast().args(["trace", "info", "-"]).pipe_stdin(&packed).expect("a file"));
    assert_eq!(piped["jobs"], json(qcast().args(["trace", "info"]).arg(&plain))["jobs"]);
}
