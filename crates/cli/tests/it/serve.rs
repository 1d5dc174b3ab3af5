//! What `qcast serve` logs and does to its process, the built binary, on a `squeue` that fails until a file is there.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::support::{qcast, scratch, written};

const SQUEUE: &str = r#"#!/bin/sh
here=$(dirname "$0")
[ -e "$here/up" ] && exec cat "$here/squeue.json"
echo "no controller" >&2
exit 1
"#;

fn wait_for(log: &Path, what: &str) -> String {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let text = fs::read_to_string(log).expect("the log is there");
        if let Some(line) = text.lines().find(|line| line.contains(what)) {
            return line.to_owned();
        }
        assert!(Instant::now() < until, "{what} never came:\n{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn begun(folder: &Path) -> Child {
    begun_with_log(folder, File::create(folder.join("log")).expect("a log"))
}

fn begun_with_log(folder: &Path, log: File) -> Child {
    begun_by(Command::new(assert_cmd::cargo::cargo_bin("qcast")), folder, log)
}

/// Begun by a command that passes on its arguments, or is the binary itself.
fn begun_by(mut command: Command, folder: &Path, log: File) -> Child {
    command.args(["serve", "--queue-interval", "1", "--store"]).arg(folder.join("store.sqlite"));
    command.arg("--socket").arg(folder.join("api.sock")).env_remove("QCAST_LOG_LEVEL");
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
    command.stderr(log).spawn().expect("the binary runs")
}

#[test]
fn a_daemon_logs_how_it_begins_and_ends_and_when_slurm_goes_and_comes_back() {
    let folder = scratch();
    let squeue = written(folder.path(), "squeue", SQUEUE);
    fs::set_permissions(squeue, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-text/squeue.json");
    fs::copy(recording, folder.path().join("squeue.json")).expect("a copy");
    let log = folder.path().join("log");
    let mut daemon = begun(folder.path());

    let started = wait_for(&log, "started");
    let (time, rest) = started.split_once(' ').expect("a time first");
    assert!(time.parse::<jiff::Timestamp>().is_ok() && time.ends_with('Z'), "{started}");
    assert!(rest.trim_start().starts_with("INFO started version="), "{started}");
    let socket = format!("listen={}", folder.path().join("api.sock").display());
    assert!(
        started.contains(&socket) && started.contains("store=") && started.contains("source=\"commands\""),
        "{started}"
    );

    let client = queuecast_api::Client::at_socket(&folder.path().join("api.sock"), Duration::from_secs(5));
    client.and_then(|client| client.health()).expect("an answer");
    let asked = wait_for(&log, "request who=");
    // Nothing was read yet, since Slurm is down.
    let (route, status) = ("route=\"/v1/health\"", "status=503");
    assert!(asked.contains("uid ") && asked.contains(route) && asked.contains(status), "{asked}");

    let failed = wait_for(&log, "question=\"queue\"");
    assert!(failed.contains("WARN Slurm call failed") && failed.contains("error="), "{failed}");
    written(folder.path(), "up", "");
    assert!(wait_for(&log, "Slurm call succeeds again").contains("INFO"));

    let told = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().expect("kill runs");
    assert!(told.success() && daemon.wait().expect("it ends").success());
    wait_for(&log, "INFO stopped");
}

#[test]
fn a_daemon_whose_log_cannot_be_written_answers_all_the_same() {
    let folder = scratch();
    let full = File::options().write(true).open("/dev/full").expect("a system with /dev/full");
    let mut daemon = begun_with_log(folder.path(), full);
    let until = Instant::now() + Duration::from_secs(20);
    let ask = || {
        let client = queuecast_api::Client::at_socket(&folder.path().join("api.sock"), Duration::from_secs(5));
        client.and_then(|client| client.health()).is_ok()
    };
    while !ask() {
        assert!(Instant::now() < until && matches!(daemon.try_wait(), Ok(None)), "it has ended, or does not answer");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Each request is a line.
    assert!((0..20).all(|_| ask()) && matches!(daemon.try_wait(), Ok(None)));
    let told = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().expect("kill runs");
    assert!(told.success() && daemon.wait().expect("it ends").success());
}

/// How many files a process may open at once: unless it asks for more, and at the most.
fn open_files(process: u32) -> (u64, u64) {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).expect("a system with /proc");
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("such a line");
    let mut numbers = line.split_whitespace().map(|number| number.parse().unwrap_or(u64::MAX));
    numbers.next().zip(numbers.next()).expect("two numbers")
}

#[test]
fn a_daemon_that_may_open_few_files_asks_for_as_many_as_its_connections_need() {
    let folder = scratch();
    let log = folder.path().join("log");
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -Sn 512 && exec \"$0\" \"$@\""]).arg(assert_cmd::cargo::cargo_bin("qcast"));
    let mut daemon = begun_by(few, folder.path(), File::create(&log).expect("a log"));
    wait_for(&log, "started");
    let (may, at_most) = open_files(daemon.id());
    let told = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().expect("kill runs");
    assert!(told.success() && daemon.wait().expect("it ends").success());
    // 2,000 connections, and what the store, the log and questions to Slurm take. No more than the system allows.
    assert!(may == at_most.min(8_192) && may > 512, "{may} of {at_most}");
}

/// The processes whose environment has this in it, beside the daemon.
fn living(mark: &str, daemon: u32) -> usize {
    let processes = fs::read_dir("/proc").expect("a system with /proc").flatten();
    let others = processes.filter(|process| process.file_name().to_str() != Some(&daemon.to_string()));
    let bears = |environment: Vec<u8>| environment.windows(mark.len()).any(|part| part == mark.as_bytes());
    others.filter(|process| fs::read(process.path().join("environ")).is_ok_and(bears)).count()
}

#[test]
fn a_daemon_that_is_told_to_end_in_the_middle_of_a_question_ends_at_once_and_so_does_all_it_has_begun() {
    let folder = scratch();
    for program in ["squeue", "scontrol", "sinfo", "sacct", "sacctmgr", "sdiag"] {
        let program = written(folder.path(), program, "#!/bin/sh\nsleep 1000\ntrue\n");
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let mut daemon = begun(folder.path());
    // The scratch folder is on the path of the daemon and of all it begins, and of nobody else.
    let mark = format!("PATH={}", folder.path().display());
    wait_for(&folder.path().join("log"), "started");
    let until = Instant::now() + Duration::from_secs(20);
    while living(&mark, daemon.id()) < 2 {
        assert!(Instant::now() < until, "nothing was asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Nothing has been read by now, so nothing is said to be missing.
    let asked = qcast().args(["when", "7", "--socket"]).arg(folder.path().join("api.sock")).output().expect("it runs");
    let aside = String::from_utf8(asked.stderr).expect("text");
    assert!(asked.status.code() == Some(6) && aside.contains("not ready yet"), "{:?} {aside}", asked.status);
    let told = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().expect("kill runs");
    let begun = Instant::now();
    assert!(told.success() && daemon.wait().expect("it ends").success());
    assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
    while living(&mark, daemon.id()) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "{} processes live on", living(&mark, daemon.id()));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_level_that_is_none_is_refused_before_anything_is_begun() {
    let folder = scratch();
    let store = folder.path().join("store.sqlite");
    let mut command = qcast();
    command.env("QCAST_LOG_LEVEL", "loud").args(["serve", "--store"]).arg(&store);
    let refused = String::from_utf8(command.assert().code(2).get_output().stderr.clone()).expect("text");
    assert!(refused.contains("variable QCAST_LOG_LEVEL: invalid value 'loud' for '--log-level <LEVEL>'"), "{refused}");
    assert!(!store.exists());
}
