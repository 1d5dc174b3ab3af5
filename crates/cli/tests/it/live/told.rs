//! A user who has logged out is told of jobs on a real Slurm, and `qcast doctor` finds nothing wrong with one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, Submission, wait_until};
use serde_json::Value;

use super::{SOON, qcast};

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn one_who_has_logged_out_is_told_that_a_job_started_and_that_another_was_cancelled_though_the_daemon_was_killed() {
    let lab =
        Lab::up(LabSettings { clusters: vec![ClusterSettings::new("alpha", 2)], ..LabSettings::default() }).unwrap();
    let cluster = lab.first_cluster();
    // Where every user may run it.
    let binary = lab.root().join("work/qcast");
    fs::copy(qcast(), &binary).unwrap();
    let submit = |user: &str| cluster.submit(user, &Submission::sleeping(600).nodes(2).limit_minutes(20)).unwrap();
    let (blocker, started, cancelled) = (submit("user02"), submit("user01"), submit("user01"));
    let (blocker, starts, cancelled) = (blocker.to_string(), started.to_string(), cancelled.to_string());

    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let (tell, told) = (folder.path().join("tell"), folder.path().join("told"));
    fs::write(&tell, format!("#!/bin/sh\necho \"$QCAST_EVENT $QCAST_JOB $QCAST_USER\" >> {}\n", told.display()))
        .unwrap();
    fs::set_permissions(&tell, PermissionsExt::from_mode(0o755)).unwrap();
    let command = tell.display().to_string();
    let more = ["--queue-interval", "2", "--notification-command", &command];
    let mut daemon = Daemon::of(cluster, qcast(), folder.path(), &more).unwrap();
    daemon.start().unwrap();
    let path = format!("/v1/jobs/{cancelled}/forecast");
    wait_until("the jobs to be known", SOON, || Ok(daemon.get(&path).is_ok_and(|answer| answer["job"].is_object())))
        .unwrap();

    let socket = daemon.socket().display().to_string();
    let notify = |user: &str, job: &str| -> Output {
        let mut command = cluster.command_as(user, binary.to_str().unwrap());
        command.args(["notify", job, "--command", "--once-started", "--socket", &socket]).output().unwrap()
    };
    for job in [&starts, &cancelled] {
        let asked = notify("user01", job);
        assert_eq!(asked.status.code(), Some(0), "{}", String::from_utf8_lossy(&asked.stderr));
    }
    assert_eq!(notify("user03", &starts).status.code(), Some(3), "it is not theirs");
    let lines = || fs::read_to_string(&told).unwrap_or_default();
    assert_eq!(lines(), format!("asked {starts} user01\nasked {cancelled} user01\n"));

    daemon.kill().unwrap();
    cluster.run("scancel", &[&blocker]).unwrap();
    cluster.wait_for_state(started, "RUNNING", SOON).unwrap();
    cluster.run("scancel", &[&cancelled]).unwrap();
    daemon.start().unwrap();
    let expected = [format!("started {starts} user01"), format!("gone {cancelled} user01")];
    wait_until("both to be told", SOON, || Ok(expected.iter().all(|line| lines().contains(line)))).unwrap();
    wait_until("both to be forgotten", SOON, || {
        Ok(daemon.get("/v1/notifications")?["notifications"] == Value::Array(vec![]))
    })
    .unwrap();
    println!("{}", lines());

    let commands = cluster.commands_folder().unwrap();
    let mut doctor = cluster.command_at(qcast());
    doctor.args(["doctor", "--format", "json", "--store-limit", "1024", "--socket", &socket, "--store"]);
    doctor.arg(daemon.store()).args(["--notification-command", &command]);
    doctor.env("PATH", format!("{}:/usr/bin:/bin", commands.display())).env_remove("QCAST_SOCKET");
    let output = doctor.output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let not_good: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().filter(|finding| finding["verdict"] != "good").collect();
    println!("{not_good:#?}");
    assert_eq!(output.status.code(), Some(0), "{not_good:#?}");
}
