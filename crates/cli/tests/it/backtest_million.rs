//! A million jobs, back-tested through the built binary: how long it takes, and in how much memory.
//!
//! The jobs are made up as `benchmarks/backtest-million` makes them, where the figures of a release build are measured.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{qcast, scratch};

const JOBS: usize = 1_000_000;
/// Four times the jobs may take so many times the processor time: in proportion, and something for looking up among more.
const MOST_TIMES_A_QUARTER: f64 = 6.0;
/// What is wanted is a minute by the clock, which is measured where nothing else runs (`benchmarks/README.md`). Machines that run tests are up
/// to twice as slow and share their cores: this is in processor time, and only keeps a fault from hiding behind them.
const MOST_PROCESSOR_SECONDS: f64 = 300.0;
const LARGEST_KIBIBYTES: u64 = 1 << 20;

/// An export as `sacct -P` would write it: sizes, run times and arrivals by Lublin and Feitelson, limits by Tsafrir's model, waits
/// under EASY; users and partitions are dealt out.
fn export(folder: &Path) -> PathBuf {
    let file = |name: &str| folder.join(name);
    let (jobs, limits, schedule) = (file("jobs.swf"), file("limits.swf"), file("schedule.swf"));
    let number = JOBS.to_string();
    qcast()
        .args(["generate", "lublin", "--jobs", &number, "--processors", "4096", "--load", "0.6", "-o"])
        .arg(&jobs)
        .assert()
        .success();
    qcast()
        .args(["generate", "estimates"])
        .arg(&jobs)
        .args(["--maximum", "259200", "-o"])
        .arg(&limits)
        .assert()
        .success();
    qcast().arg("simulate").arg(&limits).args(["--policy", "easy", "--schedule"]).arg(&schedule).assert().success();
    let mut text = String::from(
        "JobIDRaw|JobName|User|UID|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|ReqNodes|\
         AllocCPUS|AllocNodes|NodeList|Priority|ExitCode\n",
    );
    for line in fs::read_to_string(&schedule).expect("it was written").lines().filter(|line| !line.starts_with(';')) {
        let fields: Vec<i64> = line.split_ascii_whitespace().map(|field| field.parse().unwrap_or(-1)).collect();
        let (id, submit, run, cpus, limit) = (fields[0], 1_500_000_000 + fields[1], fields[3], fields[7], fields[8]);
        let (start, nodes) = (submit + fields[2], (cpus + 63) / 64);
        let user = if id % 3 == 0 { id / 50 % 613 } else { id * 7_919 % 613 };
        let partition = if limit <= 14_400 { "short" } else { "batch" };
        let _ = writeln!(
            text,
            "{id}|run{}|user{user}|{user}|account{}|{partition}|normal|COMPLETED|{submit}|{submit}|{start}|{}|{run}|{}|{cpus}|{nodes}|{cpus}|\
             {nodes}|n[1-{nodes}]|1|0:0",
            user % 17 + cpus % 5,
            user % 40,
            start + run,
            (limit + 59) / 60,
        );
    }
    let path = file("site.sacct");
    fs::write(&path, text).expect("a scratch folder can be written");
    for made in [jobs, limits, schedule] {
        fs::remove_file(made).expect("it was ours");
    }
    path
}

/// What a back-test took.
struct Taken {
    processor_seconds: f64,
    kibibytes: u64,
    jobs: u64,
}

/// The most memory a process has had, in kibibytes, as the kernel counts it.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The time a process has had of processors, in hundredths of a second, as the kernel counts it: the 14th and 15th word of its line, of
/// which the second is a name in parentheses.
fn processor_hundredths(process: u32) -> Option<u64> {
    let line = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let words: Vec<&str> = line.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    Some(words.get(11)?.parse::<u64>().ok()? + words.get(12)?.parse::<u64>().ok()?)
}

fn back_test(site: &Path) -> Taken {
    let answer = site.with_extension("json");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("qcast"))
        .arg("backtest")
        .arg(site)
        .args(["--format", "json"])
        .stdout(fs::File::create(&answer).expect("a scratch folder can be written"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let (mut kibibytes, mut hundredths) = (0, 0);
    let status = loop {
        kibibytes = kibibytes.max(most_memory(child.id()).unwrap_or(0));
        hundredths = hundredths.max(processor_hundredths(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success());
    let answer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(answer).expect("it was written")).expect("JSON");
    let jobs = answer["history_jobs"].as_u64().expect("a count");
    Taken { processor_seconds: hundredths as f64 / 100.0, kibibytes, jobs }
}

#[test]
fn a_million_jobs_take_as_long_as_four_quarters_and_less_than_a_gibibyte() {
    let folder = scratch();
    let site = export(folder.path());
    let whole = back_test(&site);
    let text = fs::read_to_string(&site).expect("it was written");
    let quarter = folder.path().join("quarter.sacct");
    let lines: Vec<&str> = text.lines().take(JOBS / 4).collect();
    fs::write(&quarter, lines.join("\n")).expect("a scratch folder can be written");
    let quarter = back_test(&quarter);
    let (took, took_quarter) = (whole.processor_seconds, quarter.processor_seconds);
    println!(
        "{} jobs: {took:.1} s of processors, {} MiB; a quarter {took_quarter:.1} s",
        whole.jobs,
        whole.kibibytes >> 10
    );
    assert!(whole.jobs > 990_000 && quarter.jobs > 240_000, "{} and {}", whole.jobs, quarter.jobs);
    assert!(took < MOST_TIMES_A_QUARTER * took_quarter, "{took} s, {took_quarter} s");
    assert!(took < MOST_PROCESSOR_SECONDS, "{took} s");
    assert!(whole.kibibytes < LARGEST_KIBIBYTES, "{} KiB", whole.kibibytes);
}
