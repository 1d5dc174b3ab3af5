//! `qcast limit`, `where`, `size` and `why`, the built binary, against served boards.

use crate::daemon_support::{Served, job, published};
use crate::support::{qcast, scratch, written};
use assert_cmd::Command;
use queuecast_site::published::{Published, PublishedJob};
use queuecast_workload::Time;
use serde_json::Value;

fn ask(verb: &str) -> Command {
    let mut command = qcast();
    command.arg(verb).env("TZ", "UTC0").env("USER", "alice").env_remove("QCAST_SOCKET").env_remove("QCAST_CLUSTERS");
    command
}

fn served() -> Served {
    let running = PublishedJob { started: Some(Time(crate::daemon_support::NOW - 60)), ..job(8) };
    Served::new(published(vec![job(7), running]))
}

/// What it printed, and how it ended.
fn told(command: &mut Command) -> (String, String, Option<i32>) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_limit_is_advised_with_its_promise_and_what_it_buys() {
    let served = served();
    let (said, aside, code) = told(ask("limit").arg("--socket").arg(&served.path).arg("7"));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let expected = [
        "Job 7: request --time=01:00:00 instead of 02:00:00. 0.50 % of similar jobs run longer than that (maximum risk: 1 %).",
        "The job would then typically start 1 h 40 min earlier.",
        "Based on 90 similar runs of the same user; their median run time is 4 min.",
        "Track record at this maximum risk: suggested shorter limits would have killed 0.95 % of 2,000 jobs on this cluster.",
        "",
        "time limit  maximum risk  estimated risk  median start    80 % range     change in start",
        "02:00:00       requested          0.10 %         14:20  14:10..14:30",
        "01:00:00             1 %          0.50 %         12:40  12:30..12:50  1 h 40 min earlier",
        "00:30:00             5 %           2.5 %         12:30  12:20..12:40  1 h 50 min earlier",
    ];
    assert_eq!(said.lines().map(str::trim_end).collect::<Vec<_>>(), expected);
    let (said, ..) = told(ask("limit").arg("--socket").arg(&served.path).args(["7", "--risk", "7"]));
    assert!(said.starts_with("Job 7: request --time=00:30:00"), "{said}");
    let (_, aside, code) = told(ask("limit").arg("--socket").arg(&served.path).args(["7", "--risk", "0.1"]));
    assert!(code == Some(2) && aside.contains("use --risk 1 or more"), "{aside}");
}

#[test]
fn who_has_a_heavy_tail_is_told_so_and_keeps_the_limit_and_the_table_says_the_same() {
    let served = served();
    let (said, aside, code) =
        told(ask("limit").arg("--socket").arg(&served.path).args(["-t", "2:00:00", "-J", "tail", "--user", "alice"]));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
    assert!(
        lines[0].contains("keep the time limit of 02:00:00. Any shorter limit would kill an estimated 3.1 % or more"),
        "{said}"
    );
    assert_eq!(
        lines[2],
        "These run times have a heavy tail: 3 of 90 runs took more than ten times the median of 4 min. A short limit would kill such runs."
    );
    assert!(lines.iter().any(|line| line.starts_with("02:00:00             1 %            keep")), "{said}");
}

#[test]
fn where_too_few_jobs_have_ended_the_limit_is_kept_and_that_is_said() {
    let served = served();
    let (said, aside, code) =
        told(ask("limit").arg("--socket").arg(&served.path).args(["-t", "2:00:00", "-J", "early", "--user", "alice"]));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let first = said.lines().next().unwrap_or_default();
    assert!(first.contains("keep the time limit of 02:00:00. Too few finished jobs are known"), "{said}");
}

#[test]
fn a_limit_is_asked_for_by_script_and_by_habit_and_the_json_is_the_daemons() {
    let served = served();
    let folder = scratch();
    let script = written(folder.path(), "job.sh", "#!/bin/sh\n#SBATCH -A physics -q long -t 2:00:00 -N 3\n");
    let (said, aside, code) =
        told(ask("limit").arg("--socket").arg(&served.path).args(["--format", "json"]).arg(&script));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let answer: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(
        (answer["choices"][1]["limit_seconds"].as_i64(), answer["job"]["qos"].as_str()),
        (Some(1_800), Some("long"))
    );
    let (said, _, code) = told(ask("limit").arg("--socket").arg(&served.path).args(["--user", "alice"]));
    assert!(code == Some(5) && said.contains("no advice (echo)") && said.contains("alice"), "{said}");
}

#[test]
fn places_of_two_clusters_are_ranked_and_one_that_does_not_answer_is_told() {
    let alpha = served();
    let busy = Published { cluster: "beta".to_owned(), ..published(Vec::new()) };
    let beta = Served::new(busy);
    let at = |name: &str, served: &Served| format!("{name}={}", served.path.display());
    let (said, aside, code) =
        told(ask("where").args(["-t", "60", "-M", "all", "--cluster-at"]).arg(at("alpha", &alpha)).args([
            "--cluster-at",
            &at("beta", &beta),
            "--cluster-at",
            "gone=/nowhere/api.sock",
        ]));
    assert_eq!(code, Some(0), "{aside}");
    assert!(aside.contains("cluster gone is left out: no daemon at /nowhere/api.sock"), "{aside}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "Such a job would end earliest in short on alpha, but the ranges overlap too much to decide: short on beta may be as good."
    );
    assert!(lines[3].starts_with("alpha/short ") && lines[4].starts_with("beta/short "), "{said}");
    assert!(lines[5].trim_end().ends_with("100 %"), "{said}");
    let (said, _, code) = told(
        ask("where")
            .args(["-t", "60", "-p", "batch", "--format", "json"])
            .env("QCAST_CLUSTERS", format!("{}, {}", at("alpha", &alpha), at("beta", &beta)))
            .args(["-M", "beta"]),
    );
    let ranking: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, ranking["partitions"].as_array().map(Vec::len)), (Some(0), Some(1)));
    assert_eq!(ranking["partitions"][0]["cluster"], "beta");
    let (_, aside, code) =
        told(ask("where").args(["-t", "60", "-M", "gamma", "--cluster-at"]).arg(at("alpha", &alpha)));
    assert!(code == Some(2) && aside.contains("no daemon address configured for cluster `gamma`"), "{aside}");
    let (_, aside, code) = told(ask("where").arg("--socket").arg(&alpha.path).arg("7"));
    assert!(code == Some(2) && aside.contains("job 7 is already submitted"), "{aside}");
}

#[test]
fn widths_are_told_as_a_table_with_a_curve() {
    let served = served();
    let (said, aside, code) =
        told(ask("size").arg("--socket").arg(&served.path).args(["-N", "1", "--speedup", "amdahl:0.1", "--run", "60"]));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "Such a job would end earliest on 2 nodes.");
    assert!(lines[3].starts_with("1 *") && lines[3].ends_with("  ..........#"), "{said}");
    let (said, _, code) = told(ask("size").arg("--socket").arg(&served.path).args(["-N", "1"]));
    assert!(code == Some(5) && said.contains("no forecast (echo)"), "{said}");
    let (_, aside, code) = told(ask("size").arg("--socket").arg(&served.path).args(["-N", "1", "--speedup", "linear"]));
    assert!(code == Some(2) && aside.contains("invalid speed-up `linear`"), "{aside}");
    let (_, aside, code) = told(ask("size").arg("--socket").arg(&served.path).args(["-N", "1", "--run", "soon"]));
    assert!(code == Some(2) && aside.contains("invalid value for --run: soon"), "{aside}");
}

#[test]
fn what_holds_a_job_and_what_would_help_is_told_in_words() {
    let served = served();
    let (said, aside, code) = told(ask("why").arg("--socket").arg(&served.path).arg("7"));
    assert_eq!((code, aside.as_str()), (Some(0), ""));
    let expected = [
        "Job 7 starts at about 12:55 (in 35 min); 80 % range: 12:45 to 13:05. Slurm's reason code: Priority.",
        "",
        "Why it is waiting",
        "  Jobs ahead of it in the queue: 1 h 30 min",
        "  12 jobs are ahead of it (2 yours): 10 node-hours at their time limits.",
        "    12 jobs with 2 to 8 nodes and a time limit up to 1 h: 10 node-hours",
        "",
        "Changes that would help",
        "  Request --time=01:00:00 instead of 02:00:00 (2 % risk of being killed): typically starts 3 h earlier, at about 12:30; earlier in 90 % of the simulations.",
        "",
        "Based on 50 simulations of the queue, with and without each change.",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    let (said, _, code) = told(ask("why").arg("--socket").arg(&served.path).arg("8"));
    assert!(code == Some(5) && said.contains("(echo)"), "{said}");
    let (_, aside, code) = told(ask("why").arg("--socket").arg(&served.path).arg("job.sh"));
    assert!(code == Some(2) && aside.contains("is not a job ID"), "{aside}");
    let (_, aside, code) = told(ask("why").arg("--socket").arg(&served.path).arg("9"));
    assert!(code == Some(3) && aside.contains("job 9 is not pending or running"), "{aside}");
}
