//! Exports of Slurm's sacct as logs: recognised by their first line, wherever a log is taken.
//!
//! The lines are written by hand in the format of `sacct -P -D`.

use crate::support::{json, qcast, scratch, written};

const HEADER: &str = "JobIDRaw|JobID|JobName|User|UID|Account|Partition|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|AllocCPUS|SubmitLine";

fn export() -> String {
    [
        HEADER,
        "1|1|sim|anna|20001|physics|batch|normal|COMPLETED|1794700000|1794700010|1794700070|60|5|2|4|sbatch a | b",
        "1.batch|1.batch|batch|||physics|||COMPLETED|1794700010|1794700010|1794700070|60|||4|",
        "2|2|a|b",
        "c|bert|20002|chemistry|gpu|high|REQUEUED|1794700020|1794700030|1794700040|10|UNLIMITED|8|8|sbatch -J a|b",
        "c",
        "2|2|sim|bert|20002|chemistry|gpu|high|TIMEOUT|1794700040|1794700160|1794700460|300|5|8|8|sbatch",
        "3|3|sim|anna|20001|physics|batch|normal|CANCELLED by 20001|1794700050|None|1794700060|0|5|2|0|sbatch",
        "4|4|fed|anna|20001|physics|batch|normal|REVOKED|1794700050|1794700060|1794700060|0|5|2|0|sbatch",
        "",
    ]
    .join("\n")
}

#[test]
fn an_export_is_converted_to_a_log() {
    let folder = scratch();
    let file = written(folder.path(), "site.sacct", &export());
    let output =
        qcast().args(["trace", "convert"]).arg(&file).args(["-o", "-"]).assert().success().get_output().clone();
    let log = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(
        log,
        "; UnixStartTime: 0\n\
         ; Note: from an export of Slurm's sacct, one line an attempt, processors as allocated\n\
         1 1794700000 10 60 4 -1 -1 4 300 -1 1 1 1 1 1 1 -1 -1\n\
         2 1794700020 10 10 8 -1 -1 8 -1 -1 5 2 2 2 2 2 -1 -1\n\
         2 1794700040 120 300 8 -1 -1 8 300 -1 0 2 2 1 2 2 -1 -1\n\
         3 1794700050 -1 -1 2 -1 -1 2 300 -1 5 1 1 1 1 1 -1 -1\n"
    );
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("site.sacct: 1 job steps left out"), "{said}");
    assert!(said.contains("site.sacct: 1 records in state REVOKED left out"), "{said}");
}

#[test]
fn a_unit_separator_and_packing_make_no_difference() {
    let folder = scratch();
    let plain = written(folder.path(), "site.sacct", &export());
    let text = [
        "JobIDRaw\x1fJobName\x1fUser\x1fState\x1fSubmit\x1fStart\x1fEnd\x1fAllocCPUS",
        "1\x1fa|b\nc\x1fanna\x1fCOMPLETED\x1f1794700000\x1f1794700010\x1f1794700070\x1f4",
        "",
    ];
    let units = written(folder.path(), "units.sacct", &text.join("\n"));
    for (file, jobs) in [(&plain, 4), (&units, 1)] {
        let info = json(qcast().args(["trace", "info"]).arg(file));
        assert_eq!((info["jobs"].as_u64(), info["bad_lines"].as_u64()), (Some(jobs), Some(0)));
    }
}

#[test]
fn every_command_that_takes_a_log_takes_an_export() {
    let folder = scratch();
    let file = written(folder.path(), "site.sacct", &export());
    let simulated = json(qcast().arg("simulate").arg(&file).args([
        "--processors",
        "8",
        "--policy",
        "easy",
        "--predictor",
        "perfect",
    ]));
    assert_eq!(simulated["measures"]["jobs"].as_u64().or(simulated["jobs"].as_u64()), Some(3), "{simulated}");
    qcast().arg("predict").arg(&file).args(["--predictor", "recent"]).assert().success();
}

#[test]
fn bad_records_are_reported_with_file_line_and_column() {
    let folder = scratch();
    let file = written(folder.path(), "site.sacct", &export().replace("|1794700160|", "|soon|"));
    let output = qcast().args(["trace", "info"]).arg(&file).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("site.sacct:7:Start: `soon` is not a time"), "{said}");
    assert!(said.contains("1 bad line left out"), "{said}");
}

#[test]
fn local_times_need_an_offset() {
    let folder = scratch();
    let text = "JobID|State|Submit|Start|End|AllocCPUS\n\
                1|COMPLETED|2026-11-14T23:11:00|2026-11-14T23:11:10|2026-11-14T23:12:10|4\n";
    let file = written(folder.path(), "local.sacct", text);
    let refused = qcast().args(["trace", "convert"]).arg(&file).args(["-o", "-"]).assert().code(3).get_output().clone();
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(said.contains("local.sacct:2:Submit: `2026-11-14T23:11:00` is a local time"), "{said}");
    assert!(said.contains("found no jobs in the format of sacct"), "{said}");
    let read =
        qcast().args(["trace", "convert", "--utc-offset", "-08:00"]).arg(&file).args(["-o", "-"]).assert().success();
    let log = String::from_utf8(read.get_output().stdout.clone()).expect("UTF-8");
    assert!(log.contains("; TimeZone: -28800\n") && log.contains("\n1 1794726660 10 60 4 "), "{log}");
}

#[test]
fn an_export_without_what_a_history_needs_is_refused() {
    let folder = scratch();
    for (text, what) in [
        ("JobID|State|Submit\n1|COMPLETED|5\n", "lacks Start, ElapsedRaw or Elapsed or End, AllocCPUS"),
        ("JobID|JobName\n1|x\n", "lacks State, Submit"),
    ] {
        let file = written(folder.path(), "thin.sacct", text);
        let output = qcast().args(["trace", "info"]).arg(&file).assert().code(3).get_output().clone();
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(said.contains("thin.sacct:1: the export") && said.contains(what), "{said}");
    }
}
