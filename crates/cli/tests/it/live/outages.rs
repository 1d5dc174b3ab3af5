//! Slurm stops answering, in parts: the daemon answers with how old its data is, and recovers alone.

use std::time::Duration;

use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, Submission, wait_until};
use serde_json::Value;

use super::{SOON, qcast, waiting};

const QUICK: [&str; 6] = ["--queue-interval", "1", "--nodes-interval", "1", "--accounting-interval", "1"];

fn health(daemon: &Daemon) -> Value {
    daemon.get("/v1/health").expect("the daemon answers whatever Slurm does")
}

fn age(daemon: &Daemon, kind: &str) -> i64 {
    health(daemon)[kind]["age_seconds"].as_i64().unwrap_or(i64::MAX)
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_controller_a_database_daemon_and_a_rest_daemon_that_go_away_are_survived() {
    let clusters = vec![ClusterSettings::new("alpha", 4)];
    let mut lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let [by_commands, by_rest] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let cluster = lab.cluster("alpha");
    let socket = cluster.rest_socket().display().to_string();
    let rest_arguments = [QUICK.as_slice(), &["--rest-socket", &socket]].concat();
    let mut daemon = Daemon::of(cluster, qcast(), by_commands.path(), &QUICK).unwrap();
    let mut by_rest = Daemon::of(cluster, qcast(), by_rest.path(), &rest_arguments).unwrap();
    let running = cluster.submit("user01", &Submission::sleeping(3_600).nodes(4).limit_minutes(90)).unwrap();
    cluster.wait_for_state(running, "RUNNING", SOON).unwrap();
    cluster.submit("user02", &Submission::sleeping(10).nodes(2).limit_minutes(7)).unwrap();
    for daemon in [&mut daemon, &mut by_rest] {
        daemon.start().unwrap();
        let forecast = || Ok(daemon.get("/v1/queue").is_ok_and(|queue| !queue["jobs"][0]["start"].is_null()));
        wait_until("a forecast", SOON, forecast).unwrap();
    }

    lab.stop_controller("alpha").unwrap();
    wait_until("old data of the queue", SOON, || Ok(age(&daemon, "queue") > 5)).unwrap();
    wait_until("what is wrong with it", SOON, || Ok(health(&daemon)["queue"]["problem"].is_string())).unwrap();
    assert_eq!(waiting(&daemon).len(), 1, "the last that is known is still told");
    lab.start_controller("alpha").unwrap();
    wait_until("new data of the queue", SOON, || Ok(age(&daemon, "queue") < 5)).unwrap();

    lab.stop_accounting().unwrap();
    wait_until("old data of accounting", SOON, || Ok(age(&daemon, "accounting") > 5)).unwrap();
    let late = lab.cluster("alpha").submit("user03", &Submission::sleeping(1).nodes(1).limit_minutes(1));
    assert!(age(&daemon, "queue") < 5, "the queue is read all the same");
    lab.start_accounting().unwrap();
    wait_until("new data of accounting", Duration::from_mins(2), || Ok(age(&daemon, "accounting") < 5)).unwrap();
    if let Ok(late) = late {
        lab.cluster("alpha").wait_for_state(late, "PENDING", SOON).unwrap();
    }

    lab.freeze_rest("alpha").unwrap();
    wait_until("old data from slurmrestd", SOON, || Ok(age(&by_rest, "queue") > 5)).unwrap();
    lab.thaw_rest("alpha").unwrap();
    wait_until("new data from slurmrestd", Duration::from_mins(2), || Ok(age(&by_rest, "queue") < 5)).unwrap();
    assert!(daemon.is_alive() && by_rest.is_alive(), "{}{}", daemon.complaints(), by_rest.complaints());
}
