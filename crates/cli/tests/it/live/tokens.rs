//! Who asks, as Slurm itself says it: its tokens, its operators and its coordinators.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use queuecast_slurm_lab::{ClusterHandle, ClusterSettings, Daemon, Lab, LabSettings, Submission, wait_until};

use super::{SOON, qcast};

/// A token as `scontrol token` gives it.
fn token(cluster: ClusterHandle<'_>, user: &str) -> String {
    let said = cluster.run("scontrol", &["token", &format!("username={user}"), "lifespan=600"]).unwrap();
    said.trim().strip_prefix("SLURM_JWT=").expect("a token").to_owned()
}

/// The status of an answer, with a token.
fn status(daemon: &Daemon, token: &str, path: &str) -> String {
    let mut stream = UnixStream::connect(daemon.socket()).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nX-SLURM-USER-TOKEN: {token}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).expect("a status").to_owned()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_token_of_slurms_is_its_user_and_slurm_says_who_is_more_than_one() {
    let clusters = vec![ClusterSettings::new("alpha", 2)];
    let lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let cluster = lab.first_cluster();
    cluster.run("sacctmgr", &["-i", "modify", "user", "user02", "set", "adminlevel=operator"]).unwrap();
    let job = cluster.submit("user01", &Submission::sleeping(600).nodes(1).limit_minutes(20)).unwrap().to_string();
    let account = cluster.run("squeue", &["-h", "-j", &job, "-o", "%a"]).unwrap().trim().to_owned();
    let coordinates = [format!("account={account}"), "names=user03".to_owned()];
    cluster.run("sacctmgr", &["-i", "add", "coordinator", &coordinates[0], &coordinates[1]]).unwrap();
    let users =
        cluster.run("sacctmgr", &["-nP", "show", "user", "withcoordinator", "format=AdminLevel,Coordinators,User"]);
    println!("{}", users.unwrap());

    let folder = tempfile::tempdir().unwrap();
    let key = lab.root().join("etc/jwt.key").display().to_string();
    let mut daemon = Daemon::of(cluster, qcast(), folder.path(), &["--jwt-key", &key]).unwrap();
    daemon.start().unwrap();
    let path = format!("/v1/jobs/{job}/forecast");
    wait_until("the job to be known", SOON, || Ok(daemon.get(&path).is_ok_and(|answer| answer["job"].is_object())))
        .unwrap();
    let asked = |user: &str| status(&daemon, &token(cluster, user), &path);
    let statuses = ["user01", "user02", "user03", "user04", "root"].map(asked);
    println!("owner, operator, coordinator, another, root: {statuses:?}\n{}", daemon.complaints());
    assert_eq!(statuses, ["200", "200", "200", "404", "200"]);
    let forged = token(cluster, "root").replace('.', "..");
    assert_eq!(status(&daemon, &forged, &path), "401");
}
