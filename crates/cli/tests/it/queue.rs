//! `qcast queue`, the built binary, against a served board: squeue's manners.

use crate::daemon_support::{NOW, Served, estimate, job, own_user_id, published};
use crate::support::{qcast, scratch};
use assert_cmd::Command;
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_records::JobPart;
use queuecast_site::published::PublishedJob;
use queuecast_workload::Time;

fn queue(served: &Served) -> Command {
    let mut command = qcast();
    command.arg("queue").arg("--socket").arg(&served.path).env("TZ", "UTC0").env("USER", "bob");
    command
}

/// Of alice, who asks whatever `USER` says: 1 in 35 min, 2 in 10 min; of bob: 3 in gpu, which runs, 4 held, and what is left of array 5.
fn board() -> Served {
    let held = JobForecast::NoForecast(NoForecast { code: "held", why: "It is held.".to_owned() });
    let bob = |number| PublishedJob { user: "bob".to_owned(), user_id: Some(1_001), ..job(number) };
    let own = |number| PublishedJob { user_id: Some(own_user_id()), ..job(number) };
    let rest = JobPart::ArrayRemainder { array_job_id: 5, tasks: "3-9".to_owned() };
    Served::new(published(vec![
        own(1),
        PublishedJob { forecast: estimate(600), account: "chemistry".to_owned(), ..own(2) },
        PublishedJob { started: Some(Time(NOW - 60)), partitions: vec!["gpu".to_owned()], ..bob(3) },
        PublishedJob { forecast: held, qos: "high".to_owned(), name: "a|b".to_owned(), ..bob(4) },
        PublishedJob { part: rest, forecast: estimate(900), ..bob(5) },
    ]))
}

fn told(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_queue_is_listed_by_start_with_those_without_an_estimate_last() {
    let (said, aside, code) = told(&mut queue(&board()));
    assert_eq!(code, Some(0), "{aside}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("JOBID    PARTITION  NAME   USER   ST  NODES    LIMIT   START"), "{said}");
    assert!(
        lines[1].starts_with("2        batch      name2  alice  PD      2  2:00:00   12:30  12:20..12:40"),
        "{said}"
    );
    assert!(lines[2].starts_with("5_[3-9]") && lines[3].starts_with("1 "), "{said}");
    assert!(lines[4].starts_with("4 ") && lines[4].contains("(held)"), "{said}");
    assert_eq!(lines.len(), 5, "who runs is not listed: {said}");
    assert_eq!(aside, "alpha: queue data is 12 s old\n");
}

#[test]
fn a_queue_that_was_not_read_yet_is_not_an_empty_one() {
    let mut begun = published(Vec::new());
    begun.forecast = None;
    let served = Served::new(begun);
    for arguments in [vec!["queue"], vec!["when", "7"], vec!["why", "7"]] {
        let (said, aside, code) = told(qcast().args(&arguments).arg("--socket").arg(&served.path));
        assert_eq!((code, said.as_str()), (Some(6), ""), "{arguments:?}: {aside}");
        assert!(aside.contains("not ready yet") && aside.contains("retry in 10 s"), "{aside}");
    }
}

#[test]
fn selectors_are_squeues() {
    let served = board();
    for (arguments, expected) in [
        (vec!["--me"], "2,1"),
        (vec!["-u", "bob"], "5_[3-9],4"),
        (vec!["-u", "bob,alice", "-t", "all"], "3,2,5_[3-9],1,4"),
        (vec!["-A", "chemistry"], "2"),
        (vec!["-p", "gpu", "-t", "R"], "3"),
        (vec!["--partition=gpu,batch", "--qos=high"], "4"),
        (vec!["-n", "name1,name2", "-S", "-id"], "2,1"),
        (vec!["-j", "1,5_4,5"], "5_[3-9],1"),
        (vec!["-j", "3", "-t", "RUNNING"], "3"),
        (vec!["-j", "1", "-u", "bob"], ""),
        (vec!["-p", "no&user=such"], ""),
    ] {
        let (said, aside, code) = told(queue(&served).args(["-h", "-o", "id"]).args(&arguments));
        assert_eq!(code, Some(0), "{arguments:?}: {aside}");
        assert_eq!(said.lines().collect::<Vec<_>>().join(","), expected, "{arguments:?}");
        assert_eq!(aside, "", "{arguments:?}");
    }
}

#[test]
fn programs_get_what_they_can_read() {
    let served = board();
    let (said, ..) = told(queue(&served).args(["-P", "-o", "jobid,name,limit,start,range80,no_forecast", "-u", "bob"]));
    assert_eq!(
        said,
        "id|name|limit|start|range80|no_forecast\n\
         5_[3-9]|name5|7200|2025-11-15T12:35:00Z|2025-11-15T12:25:00Z/2025-11-15T12:45:00Z|\n\
         4|a\\u{7c}b|7200|||held\n"
    );
    let (said, ..) = told(queue(&served).args(["--format", "csv", "-h", "-o", "id,user", "-j", "1"]));
    assert_eq!(said, "1,alice\n");
    let (said, ..) = told(queue(&served).args(["--json", "-t", "all"]));
    let answer: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(answer["cluster"], "alpha");
    assert_eq!(answer["jobs"].as_array().map(Vec::len), Some(5));
    assert_eq!(answer["jobs"][1]["start"]["median"]["unix"], NOW + 600);
    assert_eq!(answer, crate::support::json(queue(&served).args(["-t", "all"])), "--json is --format json");
}

#[test]
fn more_jobs_than_a_page_are_all_listed() {
    let served = Served::new(published((1..=2_500).map(job).collect()));
    let (said, ..) = told(queue(&served).args(["-h", "-o", "id", "-S", "id"]));
    let numbers: Vec<u64> = said.lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(numbers, (1..=2_500).collect::<Vec<u64>>());
}

#[test]
fn what_is_wrong_is_said_with_a_code() {
    let served = board();
    for (arguments, code, expected) in [
        (vec!["-o", "%i"], 2, "% are not supported"),
        (vec!["-t", "CG"], 2, "expected PD, R or all"),
        (vec!["-j", "1.batch"], 2, "not a job ID"),
        (vec!["-S", "colour"], 2, "start, completion"),
        (vec!["--json", "-P"], 2, "cannot be used with"),
        (vec!["-j", "98,99"], 3, "98, 99"),
    ] {
        let (said, aside, ended) = told(queue(&served).args(&arguments));
        assert_eq!((ended, said.as_str()), (Some(code), ""), "{arguments:?}: {aside}");
        assert!(aside.contains(expected), "{arguments:?}: {aside}");
    }
    let (said, aside, code) = told(queue(&served).args(["-h", "-o", "id", "-j", "1,99"]));
    assert_eq!((code, said.as_str()), (Some(0), "1\n"));
    assert!(aside.contains("not pending or running, or not visible to you: 99"), "{aside}");
    let folder = scratch();
    let (_, aside, code) = told(qcast().args(["queue", "--socket"]).arg(folder.path().join("nobody.sock")));
    assert_eq!(code, Some(3), "{aside}");
}

#[test]
fn hostile_names_are_not_obeyed_by_the_terminal() {
    let hostile = "\u{1b}]52;c;AAAA\u{7}\u{9b}2J\u{202e}\n=1+1";
    let named = PublishedJob {
        name: hostile.to_owned(),
        user: hostile.to_owned(),
        partitions: vec![hostile.to_owned()],
        reason: hostile.to_owned(),
        ..job(7)
    };
    let served = Served::new(published(vec![named]));
    for arguments in [vec![], vec!["-P"], vec!["--format", "csv"], vec!["--json"], vec!["-u", hostile]] {
        let (said, aside, code) = told(queue(&served).args(&arguments));
        assert_eq!(code, Some(0), "{aside}");
        let active = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(!said.contains(active) && !aside.contains(active), "{arguments:?}: {said:?}");
        let lines = if arguments == ["--json"] { continue } else { said.lines().count() };
        assert_eq!(lines, 2, "{arguments:?}: {said}");
    }
}
