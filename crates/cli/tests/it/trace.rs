//! `qcast trace`, as a person or a script meets it: what comes out where, and with which exit code.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use queuecast_testkit::shared_dir;
use tempfile::TempDir;

/// Number, submit, wait, run, allocated, requested processors, requested time, user; the rest is not known.
fn job(number: i64, submit: i64, run: i64, processors: i64, limit: i64, user: i64) -> String {
    format!("{number} {submit} 5 {run} {processors} -1 -1 {processors} {limit} -1 1 {user} -1 -1 -1 -1 -1 -1\n")
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("the file can be written");
        path
    }
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Ran {
    let output = command.output().expect("qcast starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn qcast(arguments: &[&str]) -> Ran {
    run(cargo_bin_cmd!("qcast").args(arguments))
}

/// Runs and expects success.
fn qcast_ok(arguments: &[&str]) -> Ran {
    let ran = qcast(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

/// The job numbers of a log, in its order.
fn numbers(log: &str) -> Vec<&str> {
    log.lines().filter(|line| !line.starts_with(';')).filter_map(|line| line.split(' ').next()).collect()
}

/// The value behind a name in `name,value` CSV.
fn value<'a>(csv: &'a str, name: &str) -> &'a str {
    let of_name = |line: &'a str| line.strip_prefix(name)?.strip_prefix(',');
    csv.lines().find_map(of_name).unwrap_or_else(|| panic!("no {name} in {csv}"))
}

const HEADER: &str = "; Computer: Test\n; UnixStartTime: 1000000\n; MaxProcs: 8\n";

fn small_log() -> String {
    [
        HEADER,
        &job(1, 0, 50, 4, 60, 1),
        &job(2, 10, 100, 2, 60, 1),
        "; in the middle\n",
        &job(3, 100, 50, 16, 60, 2),
        &job(4, 100, 50, 8, -1, 2),
        &job(5, 100, -1, 8, 60, 2),
    ]
    .concat()
}

#[test]
fn info_describes_a_log() {
    let folder = Folder::new();
    let log = folder.write("a.swf", small_log());
    let csv = qcast_ok(&["trace", "info", text(&log), "--format", "csv"]).stdout;
    for (name, expected) in [
        ("jobs", "5"),
        ("bad_lines", "0"),
        ("machine_processors", "8"),
        ("span_seconds", "100"),
        // (4 x 50 + 2 x 100 + 16 x 50 + 8 x 50) / (8 x 100)
        ("offered_load", "2"),
        ("distinct.users", "2"),
        ("run_seconds.max", "100"),
        ("processors.p50", "8"),
        ("over_estimate_share", "0.3333333333333333"),
        ("estimates.most_popular_seconds", "60"),
        ("fields.run_time", "0.8"),
    ] {
        assert_eq!(value(&csv, name), expected, "{name}");
    }
    let json = qcast_ok(&["trace", "info", text(&log), "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["wait_seconds"]["mean"], 5.0);
    assert_eq!(json["fields"].as_array().map(Vec::len), Some(18));
    let table = qcast_ok(&["trace", "info", text(&log)]);
    assert!(table.stdout.contains("offered load") && table.stdout.contains("200.0 %"), "{}", table.stdout);
    assert_eq!(table.stderr, "");
}

#[test]
fn bad_lines_are_reported_with_their_place_and_counted() {
    let folder = Folder::new();
    let log = folder.write("bad.swf", format!("{}1 2 x\n{}", small_log(), "nonsense\n".repeat(30)));
    let name = text(&log);
    let ran = qcast_ok(&["trace", "info", name, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(json["bad_lines"], 31);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 21, "twenty and the total: {}", ran.stderr);
    assert_eq!(lines[0], format!("{name}:10:wait_time: `x` is not a whole number"));
    assert_eq!(lines[20], format!("warning: {name}: 31 bad lines left out; show all with --problems all"));

    let all = qcast_ok(&["trace", "info", name, "--problems", "all"]);
    assert_eq!(all.stderr.lines().count(), 32);
    let none = qcast_ok(&["trace", "info", name, "--problems", "0"]);
    assert_eq!(none.stderr.lines().count(), 1);
}

#[test]
fn clean_leaves_out_what_it_is_told_and_counts_it() {
    let folder = Folder::new();
    let log = folder.write("a.swf", small_log());
    let cleaned = folder.path("cleaned.swf");
    let ran = qcast_ok(&["trace", "clean", text(&log), "-o", text(&cleaned), "--format", "csv"]);
    assert_eq!(numbers(&read(&cleaned)), ["1", "2", "4"]);
    assert_eq!(value(&ran.stdout, "dropped_over_wide"), "1");
    assert_eq!(value(&ran.stdout, "dropped_no_run_time"), "1");
    assert_eq!(value(&ran.stdout, "kept"), "3");

    let strict = ["--without-limit", "drop", "--over-long", "cut", "--format", "csv"];
    let ran = qcast_ok(&[&["trace", "clean", text(&log), "-o", text(&cleaned)], &strict[..]].concat());
    let expected = [
        HEADER,
        "; Note: cleaned by qcast 0.1.0: jobs without submit time, processors or a positive run time left out; jobs \
         wider than 8 processors left out; jobs without requested time left out; run times cut at the requested \
         time\n",
        &job(1, 0, 50, 4, 60, 1),
        &job(2, 10, 60, 2, 60, 1),
        "; in the middle\n",
    ];
    assert_eq!(read(&cleaned), expected.concat());
    assert_eq!(value(&ran.stdout, "cut_over_long"), "1");
}

#[test]
fn clean_takes_flurries_out_whole() {
    let folder = Folder::new();
    let burst: String = (1..=20).map(|number| job(number, 1000 + number, 10, 1, 60, 7)).collect();
    let others: String = (21..=25).map(|number| job(number, number * 10, 10, 1, 60, number)).collect();
    let log = folder.write("a.swf", [HEADER, &burst, &others].concat());
    let cleaned = folder.path("cleaned.swf");
    let flurries = ["--flurries", "drop", "--flurry-window", "3600", "--flurry-jobs", "10", "--format", "csv"];
    let ran = qcast_ok(&[&["trace", "clean", text(&log), "-o", text(&cleaned)], &flurries[..]].concat());
    assert_eq!(numbers(&read(&cleaned)), ["21", "22", "23", "24", "25"]);
    assert_eq!(value(&ran.stdout, "dropped_flurry"), "20");
}

#[test]
fn a_machine_of_unknown_size_is_asked_for() {
    let folder = Folder::new();
    let log = folder.write("a.swf", job(1, 0, 50, 4, 60, 1));
    let cleaned = folder.path("cleaned.swf");
    let ran = qcast(&["trace", "clean", text(&log), "-o", text(&cleaned)]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("error: ") && ran.stderr.contains("hint: set the number of processors"),
        "{}",
        ran.stderr
    );
    assert!(!cleaned.exists());
    qcast_ok(&["trace", "clean", text(&log), "-o", text(&cleaned), "--processors", "2"]);
    assert!(numbers(&read(&cleaned)).is_empty());
    let csv = qcast_ok(&["trace", "info", text(&log), "--processors", "4", "--format", "csv"]).stdout;
    assert_eq!(value(&csv, "machine_processors"), "4");
}

#[test]
fn cut_takes_places_in_order_of_submission() {
    let folder = Folder::new();
    let jobs: String =
        [(4, 40), (1, 10), (3, 30), (2, 20), (5, -1)].map(|(number, submit)| job(number, submit, 5, 1, 60, 1)).concat();
    let log = folder.write("a.swf", [HEADER, &jobs].concat());
    let part = folder.path("part.swf");
    let ran = qcast_ok(&["trace", "cut", text(&log), "-o", text(&part), "--from-job", "2", "--to-job", "3"]);
    assert_eq!(numbers(&read(&part)), ["2", "3"]);
    assert!(ran.stderr.contains("1 jobs without a submit time left out"), "{}", ran.stderr);

    qcast_ok(&["trace", "cut", text(&log), "-o", text(&part), "--from-time", "20", "--to-time", "40", "--rebase"]);
    let expected = [
        "; Computer: Test\n; UnixStartTime: 1000020\n; MaxProcs: 8\n",
        "; Note: cut by qcast 0.1.0: jobs submitted at 20 s or later, submitted before 40 s\n",
        "; Note: submit times counted from 20 s of the original log\n",
        &job(2, 0, 5, 1, 60, 1),
        &job(3, 10, 5, 1, 60, 1),
    ];
    assert_eq!(read(&part), expected.concat());
}

#[test]
fn cut_refuses_parts_that_make_no_sense() {
    let folder = Folder::new();
    let log = folder.write("a.swf", small_log());
    let part = folder.path("part.swf");
    for bounds in [
        &[][..],
        &["--from-job", "3", "--to-job", "2"],
        &["--from-job", "0"],
        &["--from-time", "5", "--to-time", "5"],
        &["--from-job", "1", "--to-time", "5"],
    ] {
        let ran = qcast(&[&["trace", "cut", text(&log), "-o", text(&part)], bounds].concat());
        assert_eq!(ran.code, Some(2), "{bounds:?}: {}", ran.stderr);
    }
    assert!(!part.exists());
    qcast_ok(&["trace", "cut", text(&log), "-o", text(&part), "--from-job", "99"]);
    assert!(read(&part).starts_with(HEADER) && numbers(&read(&part)).is_empty(), "a header and no jobs");
}

#[test]
fn convert_packs_and_unpacks_without_a_change() {
    let folder = Folder::new();
    let log = folder.write("a.swf", small_log());
    let (gzip, zstd, plain) = (folder.path("a.swf.gz"), folder.path("a.swf.zst"), folder.path("b.swf"));
    for (from, to) in [(&log, &gzip), (&gzip, &zstd), (&zstd, &plain)] {
        qcast_ok(&["trace", "convert", text(from), "-o", text(to)]);
    }
    assert!(fs::read(&gzip).expect("reads").starts_with(&[0x1f, 0x8b]));
    assert!(fs::read(&zstd).expect("reads").starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    assert_eq!(read(&plain), small_log());
}

#[test]
fn convert_sorts_by_submission_then_number_and_can_replace_its_input() {
    let folder = Folder::new();
    let jobs = [(3, 20), (9, 10), (2, 20), (1, 30)].map(|(number, submit)| job(number, submit, 5, 1, 60, 1)).concat();
    let log = folder.write("a.swf", [HEADER, &jobs].concat());
    qcast_ok(&["trace", "convert", text(&log), "-o", text(&log), "--sort"]);
    assert_eq!(numbers(&read(&log)), ["9", "2", "3", "1"]);
}

#[test]
fn standard_input_and_output_carry_only_the_log() {
    let arguments = ["trace", "clean", "-", "-o", "-", "--over-wide", "keep"];
    let ran = run(cargo_bin_cmd!("qcast").args(arguments).write_stdin(small_log()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(numbers(&ran.stdout), ["1", "2", "3", "4"]);
    assert!(ran.stderr.contains("jobs kept"), "the counts are beside it: {}", ran.stderr);
}

#[test]
fn input_that_cannot_be_read_is_exit_code_3() {
    let folder = Folder::new();
    let missing = folder.path("missing.swf");
    let ran = qcast(&["trace", "info", text(&missing)]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("missing.swf"), "{}", ran.stderr);

    let not_a_log = folder.write("table.csv", "job,submit\n1,2\n");
    let ran = qcast(&["trace", "info", text(&not_a_log)]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("table.csv:1:job_number: `job,submit` is not a whole number"), "{}", ran.stderr);

    let log = folder.write("a.swf", small_log().repeat(50));
    let packed = folder.path("a.swf.gz");
    qcast_ok(&["trace", "convert", text(&log), "-o", text(&packed)]);
    let whole = fs::read(&packed).expect("reads");
    let truncated = folder.write("truncated.swf.gz", &whole[..whole.len() / 2]);
    let target = folder.path("target.swf");
    let ran = qcast(&["trace", "convert", text(&truncated), "-o", text(&target)]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("truncated.swf.gz"), "{}", ran.stderr);
    assert!(!target.exists(), "nothing half written is left");
}

#[test]
fn output_that_cannot_be_written_is_exit_code_4() {
    let folder = Folder::new();
    let log = folder.write("a.swf", small_log());
    let nowhere = folder.path("no/such/folder/b.swf");
    let ran = qcast(&["trace", "convert", text(&log), "-o", text(&nowhere)]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("no/such/folder/b.swf"), "{}", ran.stderr);
}

#[test]
fn wrong_usage_is_exit_code_2_and_help_lists_the_codes() {
    assert_eq!(qcast(&["trace", "info"]).code, Some(2));
    assert_eq!(qcast(&["no-such-command"]).code, Some(2));
    let help = qcast_ok(&["--help"]).stdout;
    for code in ["0  success", "2  wrong usage", "3  the input cannot be read", "4  the output cannot be written"] {
        assert!(help.contains(code), "{help}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_who_stops_is_no_failure_and_a_full_disk_is() {
    let folder = Folder::new();
    let jobs: String = (1..20_000).map(|number| job(number, number, 5, 1, 60, 1)).collect();
    let log = folder.write("a.swf", [HEADER, &jobs].concat());
    let binary = assert_cmd::cargo::cargo_bin!("qcast").display();
    let shell = |line: String| run(Command::new("bash").args(["-o", "pipefail", "-c", &line]));

    let ran = shell(format!("{binary} trace convert {} -o - | head -n 1", text(&log)));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, "; Computer: Test\n");

    let ran = shell(format!("{binary} trace convert {} -o - > /dev/full", text(&log)));
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
}

#[test]
fn an_archive_log_comes_through_whole() {
    let Some(shared) = shared_dir() else { return };
    let folder = Folder::new();
    let log = shared.join("traces/KTH-SP2-1996-2.swf.gz");
    let csv = qcast_ok(&["trace", "info", text(&log), "--format", "csv"]).stdout;
    // Counts and shares as stated in the README of the traces.
    assert_eq!(value(&csv, "jobs"), "28489");
    assert_eq!(value(&csv, "bad_lines"), "0");
    assert_eq!(value(&csv, "machine_processors"), "100");
    assert_eq!(value(&csv, "distinct.users"), "214");
    assert_eq!(value(&csv, "distinct.groups"), "252");
    let over_estimate: f64 = value(&csv, "over_estimate_share").parse().expect("a number");
    assert!((over_estimate - 0.017).abs() < 0.0005, "{over_estimate}");

    let cleaned = folder.path("kth.swf.zst");
    let recipe = ["--without-limit", "drop", "--over-long", "cut", "--format", "csv"];
    let ran = qcast_ok(&[&["trace", "clean", text(&log), "-o", text(&cleaned)], &recipe[..]].concat());
    assert_eq!(value(&ran.stdout, "kept"), "28481");
    let csv = qcast_ok(&["trace", "info", text(&cleaned), "--format", "csv"]).stdout;
    assert_eq!(value(&csv, "jobs"), "28481");
    assert_eq!(value(&csv, "over_estimate_share"), "0");
}

#[test]
fn the_catalogue_lists_every_log_with_the_size_of_its_machine() {
    let csv = qcast_ok(&["trace", "catalogue", "--format", "csv"]).stdout;
    assert!(csv.contains("\nCTC-SP2-1996-3.1-cln,processors,338\n"), "{csv}");
    assert!(csv.contains("\nKTH-SP2-1996-2.1-cln,cuts,14: jobs 1 to 14\n"), "{csv}");
    let json = qcast_ok(&["trace", "catalogue", "--format", "json"]).stdout;
    assert!(json.contains("\"content_sha256\"") && json.contains("\"acknowledge\""), "{json}");
    let table = qcast_ok(&["trace", "catalogue"]).stdout;
    assert!(table.lines().any(|line| line.starts_with("ANL-Intrepid-2009-1") && line.contains("163,840")), "{table}");
}

#[test]
fn a_log_of_ones_own_is_not_in_the_catalogue_and_has_the_size_of_its_header() {
    let folder = Folder::new();
    let log = folder.write("KTH-SP2-1996-2.1-cln.swf", small_log());
    let ran = qcast_ok(&["trace", "catalogue", text(&log), "--format", "csv"]);
    assert!(ran.stderr.contains("not in the catalogue"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("processors"), "{}", ran.stdout);
    let csv = qcast_ok(&["trace", "info", text(&log), "--format", "csv"]).stdout;
    assert_eq!((value(&csv, "known_log"), value(&csv, "machine_processors_from")), ("", "header"));
    let csv = qcast_ok(&["trace", "info", text(&log), "--processors", "9", "--format", "csv"]).stdout;
    assert_eq!((value(&csv, "machine_processors"), value(&csv, "machine_processors_from")), ("9", "option"));

    let ran = qcast(&["trace", "catalogue", "-"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran = qcast(&["trace", "catalogue", text(&folder.path("missing.swf"))]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("missing.swf"), "{}", ran.stderr);
}

#[test]
fn a_known_log_is_named_wherever_it_is_read_and_the_option_wins() {
    let Some(shared) = shared_dir() else { return };
    let log = shared.join("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    let csv = qcast_ok(&["trace", "info", text(&log), "--format", "csv"]).stdout;
    assert_eq!(value(&csv, "known_log"), "KTH-SP2-1996-2.1-cln");
    assert_eq!((value(&csv, "machine_processors"), value(&csv, "machine_processors_from")), ("100", "catalogue"));

    let folder = Folder::new();
    let plain = folder.path("anything");
    qcast_ok(&["trace", "convert", text(&log), "-o", text(&plain)]);
    let ran = qcast_ok(&["trace", "catalogue", text(&plain)]);
    assert!(ran.stdout.contains("not in the catalogue"), "rewritten in canonical form: {}", ran.stdout);

    let simulate = ["simulate", text(&log), "--no-timing", "--format", "json"];
    let ran = qcast_ok(&simulate);
    assert!(ran.stderr.contains("qcast trace catalogue"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\"processors_from\": \"catalogue\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"known_log\": \"KTH-SP2-1996-2.1-cln\""), "{}", ran.stdout);
    let ran = qcast_ok(&[&simulate[..], &["--processors", "128"]].concat());
    assert!(ran.stdout.contains("\"processors\": 128,\n  \"processors_from\": \"option\""), "{}", ran.stdout);
}
