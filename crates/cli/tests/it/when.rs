//! `qcast when`, the built binary, against a served board.

use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::time::{Duration, Instant};

use crate::daemon_support::{NOW, Served, answer_once, http, job, published};
use crate::support::{qcast, scratch, written};
use assert_cmd::Command;
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_records::JobPart;
use queuecast_site::published::PublishedJob;
use queuecast_testkit::skip_outside_ci;
use queuecast_workload::Time;

fn when(served: &Served) -> Command {
    let mut command = qcast();
    command
        .arg("when")
        .arg("--socket")
        .arg(&served.path)
        .env("TZ", "UTC0")
        .env("USER", "alice")
        .env_remove("QCAST_SOCKET");
    command
}

/// What it printed, and how it ended.
fn told(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_waiting_job_is_told_when_it_starts_and_how_sure_that_is() {
    let served = Served::new(published(vec![job(1_234)]));
    let (said, aside, code) = told(when(&served).arg("1234"));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "Job 1234 starts at about 12:55 (in 35 min); 80 % range: 12:45 to 13:05.");
    assert_eq!(lines[1], "It runs for about 1 h; 80 % range: 40 min to 1 h 20 min.");
    assert_eq!(lines[2], "It ends at about 13:55 (in 1 h 35 min); 80 % range: 13:25 to 14:25.");
    assert_eq!(lines[3], "Slurm's estimate: 14:50.");
    assert_eq!(lines[5], "Queue data is 12 s old.");
}

#[test]
fn times_are_those_of_the_askers_clock() {
    let served = Served::new(published(vec![job(1_234)]));
    let (said, ..) = told(when(&served).arg("1234").env("TZ", "CET-1CEST,M3.5.0,M10.5.0/3"));
    assert!(said.contains("starts at about 13:55 (in 35 min)"), "{said}");
    let (said, ..) = told(when(&served).arg("1234").env("TZ", "No/Such/Place"));
    assert!(said.contains("starts at about 12:55 UTC (in 35 min)"), "{said}");
}

#[test]
fn json_is_the_daemons_answer() {
    let served = Served::new(published(vec![job(1_234)]));
    let answer = crate::support::json(when(&served).arg("1234"));
    assert_eq!(answer["start"]["median"]["unix"], NOW + 2_100);
    assert_eq!(answer["job"]["name"], "name1234");
}

#[test]
fn the_parts_of_arrays_and_heterogeneous_jobs_are_found_as_slurm_writes_them() {
    let remainder = JobPart::ArrayRemainder { array_job_id: 123, tasks: "4-9".to_owned() };
    let component = JobPart::HetComponent { het_job_id: 200, offset: 1 };
    let jobs = vec![PublishedJob { part: remainder, ..job(123) }, PublishedJob { part: component, ..job(201) }];
    let served = Served::new(published(jobs));
    for (asked, id) in [("123", "123_[4-9]"), ("123_4", "123_[4-9]"), ("123_[4-9]", "123_[4-9]"), ("200+1", "200+1")] {
        assert_eq!(crate::support::json(when(&served).arg(asked))["job"]["id"], id, "{asked}");
    }
}

#[test]
fn without_an_estimate_it_says_why_and_ends_with_five() {
    let forecast = JobForecast::NoForecast(NoForecast { code: "held", why: "It is held; release it.".to_owned() });
    let held = PublishedJob { forecast, ..job(7) };
    let (said, _, code) = told(when(&Served::new(published(vec![held]))).arg("7"));
    assert_eq!(code, Some(5));
    assert!(said.starts_with("Job 7: no forecast (held). It is held; release it."), "{said}");
    let mut stale = published(vec![job(7)]);
    stale.health.queue.succeeded = Some(Time(NOW - 3_600));
    let (said, _, code) = told(when(&Served::new(stale)).arg("7"));
    assert_eq!(code, Some(5));
    assert!(said.contains("no forecast (stale). The queue was last read 1 h ago"), "{said}");
}

#[test]
fn a_script_is_read_and_options_count_more() {
    let served = Served::new(published(Vec::new()));
    let folder = scratch();
    let text =
        "#!/bin/bash\n#SBATCH -N 4 -t 2:00:00 -p batch --mem=1G\n#SBATCH --constraint=fast\nsrun x\n#SBATCH -N 8\n";
    let script = written(folder.path(), "job.sh", text);
    let (said, aside, code) = told(when(&served).args(["-p", "gpu", "-G", "2"]).arg(&script).args(["--nodes", "9"]));
    assert_eq!(code, Some(5), "{aside}");
    for part in [
        "partition: Some(\"gpu\")",
        "nodes: Some(4)",
        "Some(4096)",
        "gpus: Some(2)",
        "Seconds(7200)",
        "features: Some(\"fast\")",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert_eq!(
        aside,
        "warning: --nodes comes after the script and is passed to the script, as for sbatch; put options before the script\n",
        "what sbatch ignores is not told"
    );
    let (said, aside, code) = told(when(&served).args(["-N", "4", "-t", "2:00:00", "-J", "soon"]));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    assert!(said.starts_with("Such a job would start at about 12:40 (in 20 min)"), "{said}");
}

#[test]
fn what_sbatch_takes_is_asked_about_and_what_it_refuses_is_refused() {
    let served = Served::new(published(vec![job(7)]));
    let line = [
        "-d",
        "afterok:7",
        "--array=0-15%4",
        "-C",
        "ib",
        "-w",
        "a[1-2]",
        "-x",
        "a9",
        "-p",
        "batch,long",
        "--begin=tomorrow",
        "-N",
        "2-4",
        "--mem-per-gpu=4G",
        "-G",
        "2",
        "--exclusive=user",
        "--mail-type=END",
        "-o",
        "out.txt",
    ];
    let (said, aside, code) = told(when(&served).args(line));
    assert_eq!((code, aside.as_str()), (Some(5), ""), "the echo has no estimate");
    for part in [
        "dependency: Some(\"afterok:7\")",
        "ArrayAsked { tasks: 16, at_once: Some(4) }",
        "features: Some(\"ib\")",
        "nodes: Some(\"a[1-2]\")",
        "nodes_excluded: Some(\"a9\")",
        "partition: Some(\"batch,long\")",
        "nodes_max: Some(4)",
        "PerGpu(4096)",
        "exclusive_user: true",
        "after: Some(",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let folder = scratch();
    for (text, expected) in [
        ("#!/bin/sh\n#SBATCH -N2\n#SBATCH -t banana\n", "job.sh:3: sbatch would refuse --time banana"),
        ("#!/bin/sh\n#SBATCH --patition=x\n", "job.sh:2: sbatch has no option --patition; did you mean --partition?"),
        ("#SBATCH -N2\n", "job.sh:1: this does not look like a batch script"),
        ("\u{7f}ELF\u{1}\u{0}", "job.sh:1: this does not look like a batch script"),
    ] {
        let script = written(folder.path(), "job.sh", text);
        for verb in ["when", "limit", "where", "size"] {
            let (said, aside, code) = told(qcast().arg(verb).arg("--socket").arg(&served.path).arg(&script));
            assert_eq!((code, said.as_str()), (Some(2), ""), "{verb}: {aside}");
            assert!(aside.contains(expected) && aside.contains("hint: "), "{verb}: {aside}");
        }
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    let served = Served::new(published(vec![job(7)]));
    for (arguments, expected) in [
        (vec![], "qcast when needs a job ID"),
        (vec!["7", "-N", "4"], "job options cannot be combined with the submitted job 7"),
        (vec!["-t", "soon"], "invalid value for --time: soon"),
        (vec!["7.batch"], "step"),
        (vec!["-N", "4", "--url", "ftp://x", "--user", "a"], "https://"),
    ] {
        let mut command = qcast();
        command.arg("when").args(&arguments).env("QCAST_SOCKET", &served.path);
        let (_, aside, code) = told(&mut command);
        assert_eq!(code, Some(2), "{arguments:?}: {aside}");
        assert!(aside.contains(expected), "{arguments:?}: {aside}");
    }
}

#[test]
fn nobody_there_is_said_with_what_to_do() {
    let folder = scratch();
    let socket = folder.path().join("nobody.sock");
    let ask = || {
        let mut command = qcast();
        command.args(["when", "7"]).env("QCAST_SOCKET", &socket);
        told(&mut command)
    };
    let (_, aside, code) = ask();
    assert_eq!(code, Some(3));
    assert!(aside.contains("no daemon at") && aside.contains("qcast serve"), "{aside}");
    drop(UnixListener::bind(&socket).expect("a socket on which nobody listens"));
    let (_, aside, code) = ask();
    assert_eq!(code, Some(3));
    assert!(aside.contains("no daemon at"), "{aside}");
    let (_, aside, code) = told(when(&Served::new(published(vec![job(7)]))).arg("8"));
    assert_eq!(code, Some(3));
    assert!(aside.contains("job 8 is not pending or running") && aside.contains("hint: check `squeue`"), "{aside}");
    let (_, aside, code) = told(when(&Served::new(published(Vec::new()))).arg("no/such/script.sh"));
    assert_eq!(code, Some(3));
    assert!(aside.contains("no/such/script.sh"), "{aside}");
}

#[test]
fn a_daemon_that_says_nothing_is_given_up_after_two_seconds() {
    let folder = scratch();
    let socket = folder.path().join("silent.sock");
    let _silent = UnixListener::bind(&socket).expect("a socket");
    let began = Instant::now();
    let (_, aside, code) = told(qcast().args(["when", "7", "--socket"]).arg(&socket));
    assert_eq!(code, Some(3));
    assert!(aside.contains("did not answer within 2 s"), "{aside}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn whoever_else_listens_is_not_believed() {
    for (answer, expected) in [
        (http("200 OK", "{\"hello\": \u{1b}[2J"), "cannot parse the response"),
        (http("200 OK", "[1, 2, 3]"), "cannot parse the response"),
        (http("500 Oops", "<html>"), "not a queuecast daemon"),
        (b"SSH-2.0-OpenSSH\r\n".to_vec(), "no daemon at"),
        (http("200 OK", "x").into_iter().chain(vec![0xff; 10]).collect(), "cannot parse the response"),
    ] {
        let folder = scratch();
        let socket = folder.path().join("other.sock");
        let other = answer_once(&socket, answer);
        let (_, aside, code) = told(qcast().args(["when", "7", "--socket"]).arg(&socket));
        other.join().expect("it answered");
        assert_eq!(code, Some(3), "{aside}");
        assert!(aside.contains(expected), "{expected}: {aside}");
        assert!(!aside.contains('\u{1b}'));
    }
}

#[test]
fn a_hostile_name_is_not_obeyed_by_the_terminal() {
    let hostile = "\u{1b}]52;c;AAAA\u{7}\u{9b}2J\u{202e}";
    let why = format!("because {hostile}");
    let forecast = JobForecast::NoForecast(NoForecast { code: "held", why });
    let job = PublishedJob { name: hostile.to_owned(), partitions: vec![hostile.to_owned()], forecast, ..job(7) };
    let served = Served::new(published(vec![job]));
    for format in ["table", "json"] {
        let (said, aside, code) = told(when(&served).args(["7", "--format", format]));
        assert_eq!(code, Some(5));
        let active = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(!said.contains(active) && !aside.contains(active), "{said:?} {aside:?}");
    }
    let (said, ..) = told(when(&served).args(["7", "--format", "json"]));
    let answer: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(answer["job"]["name"], hostile, "the value is the same");
}

/// The kernel says who asks: nothing that the client sends does.
#[test]
fn users_are_told_of_their_own_jobs() {
    let own_id = std::process::Command::new("id").arg("-u").output().expect("id runs").stdout;
    if own_id.trim_ascii() != b"0" {
        skip_outside_ci("only root can act as another user");
        return;
    }
    let served = Served::new(published(vec![job(7)]));
    let folder = scratch();
    // The binary where every user may run it.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    let binary = folder.path().join("qcast");
    std::fs::copy(assert_cmd::cargo::cargo_bin("qcast"), &binary).expect("the binary can be copied");
    let ask = |user| {
        let mut command = std::process::Command::new(&binary);
        command.args(["when", "7", "--socket"]).arg(&served.path).uid(user).current_dir("/");
        command.output().expect("it runs").status.code()
    };
    assert_eq!((ask(0), ask(1_000), ask(1_001)), (Some(0), Some(0), Some(3)));
}

#[test]
fn a_person_does_not_wait_for_the_command_itself() {
    let served = Served::new(published((1..=10_000).map(job).collect()));
    let mut took: Vec<Duration> = (0..21)
        .map(|_| {
            let began = Instant::now();
            when(&served).arg("1234").assert().success();
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    println!("qcast when, from start to end: median {:?}, longest {:?}", took[10], took[20]);
    assert!(took[10] < Duration::from_millis(500), "median {:?}", took[10]);
}
