//! A million jobs, back-tested through the built binary: how long it takes, and in how much memory.
//!
//! The jobs are made up as `benchmarks/backtest-million` makes them, where the figures of a release build are measured.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{qcast, scratch};

const JOBS: usize = 1_000_000;
/// What is wanted is a minute, and here it takes 65 s in the build that tests use (`benchmarks/README.md`): a machine that takes nearly twice
/// as long may run this too.
const LONGEST: Duration = Duration::from_mins(2);
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

/// The most memory a process has had, in kibibytes, as the kernel counts it.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
fn a_million_jobs_take_a_minute_and_less_than_a_gibibyte() {
    let folder = scratch();
    let site = export(folder.path());
    let began = Instant::now();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("qcast"))
        .arg("backtest")
        .arg(&site)
        .args(["--format", "json"])
        .stdout(fs::File::create(folder.path().join("result.json")).expect("a scratch folder can be written"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut most = 0;
    let status = loop {
        most = most.max(most_memory(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let took = began.elapsed();
    println!("{JOBS} jobs: {:.1} s, {} MiB", took.as_secs_f64(), most >> 10);
    assert!(status.success());
    let result = fs::read_to_string(folder.path().join("result.json")).expect("it was written");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    assert!(result["history_jobs"].as_u64().is_some_and(|jobs| jobs > 990_000), "{}", result["history_jobs"]);
    assert!(took < LONGEST, "{took:?}");
    assert!(most < LARGEST_KIBIBYTES, "{most} KiB");
}
