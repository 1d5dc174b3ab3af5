//! A lab comes up whole, runs jobs, survives what is done to its daemons, and leaves nothing behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queuecast_slurm_lab::{ClusterSettings, Lab, LabSettings, Submission, processes_of_lab, wait_until};
use serde_json::Value;

const SOON: Duration = Duration::from_mins(1);

fn two_clusters() -> LabSettings {
    let clusters = vec![ClusterSettings::new("alpha", 32), ClusterSettings::new("beta", 32)];
    LabSettings { clusters, ..LabSettings::default() }
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn two_clusters_of_64_nodes_run_jobs_agree_on_them_and_leave_nothing_behind() {
    let begun = Instant::now();
    let lab = Lab::up(two_clusters()).unwrap();
    println!("up after {:.1} s", begun.elapsed().as_secs_f64());
    for (name, jobs) in [("alpha", 6), ("beta", 4)] {
        let cluster = lab.cluster(name);
        for job in 0..jobs {
            let submission = Submission::sleeping(2).nodes(1 + job).limit_minutes(5);
            cluster.submit(&format!("user{:02}", job + 1), &submission).unwrap();
        }
    }
    for (name, jobs) in [("alpha", 6), ("beta", 4)] {
        let cluster = lab.cluster(name);
        cluster.wait_until_empty(SOON).unwrap();
        let queue: Value = serde_json::from_str(&cluster.run("squeue", &["--json"]).unwrap()).unwrap();
        let remembered = queue["jobs"].as_array().unwrap();
        assert_eq!(remembered.len(), jobs);
        // The controller tells slurmdbd in its own time.
        wait_until("sacct to have every job", SOON, || {
            let recorded = cluster.recorded_jobs()?;
            Ok(recorded.len() == jobs && recorded.iter().all(|job| job.state == "COMPLETED"))
        })
        .unwrap();
        let nodes: Value = serde_json::from_slice(&cluster.rest("/slurm/v0.0.38/nodes").unwrap()).unwrap();
        assert_eq!(nodes["nodes"].as_array().unwrap().len(), 32);
        let jobs_by_token: Value =
            serde_json::from_slice(&cluster.rest_as("user01", "/slurm/v0.0.38/jobs").unwrap()).unwrap();
        assert_eq!(jobs_by_token["jobs"].as_array().unwrap().len(), jobs);
    }
    // A job whose environment is empty and that does not end by itself must not outlive the lab either.
    let stubborn = Submission::script("trap '' TERM; sleep 3600").argument("--export=NONE");
    let job = lab.cluster("beta").submit("user02", &stubborn).unwrap();
    lab.cluster("beta").wait_for_state(job, "RUNNING", SOON).unwrap();

    let root = lab.root();
    assert!(processes_of_lab(&root).len() > 64);
    let begun = Instant::now();
    lab.down().unwrap();
    println!("down after {:.1} s", begun.elapsed().as_secs_f64());
    assert_eq!(processes_of_lab(&root), Vec::<u32>::new());
    assert_eq!(working_in(&root), Vec::<String>::new());
    assert!(!root.exists());
}

/// Who works in a folder, gone or not: found another way than the lab finds it, which once missed the steps of jobs.
fn working_in(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let working =
        processes.filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder)));
    working.map(|process| fs::read_to_string(process.path().join("comm")).unwrap_or_default()).collect()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_lab_whose_process_is_killed_ends_as_well() {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let mut holder = Command::new(env!("CARGO_BIN_EXE_queuecast-slurm-lab"))
        .args(["hold", "alpha:2", "--speed", "10"])
        .env("QCAST_LAB_FOLDER", folder.path().join("l"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.starts_with("up after"), "{said}");
    let root = folder.path().join("l");
    let lab = Lab::running_in(&root).unwrap();
    let job =
        lab.first_cluster().submit("user01", &Submission::script("sleep 36000").argument("--export=NONE")).unwrap();
    lab.first_cluster().wait_for_state(job, "RUNNING", SOON).unwrap();
    assert!(!working_in(&root).is_empty());

    holder.kill().unwrap();
    holder.wait().unwrap();
    wait_until("the guard to end the lab", SOON, || Ok(!root.exists())).unwrap();
    assert_eq!(processes_of_lab(&root), Vec::<u32>::new());
    assert_eq!(working_in(&root), Vec::<String>::new());
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn daemons_can_be_stopped_frozen_and_started_again() {
    let clusters = vec![ClusterSettings::new("alpha", 2)];
    let mut lab = Lab::up(LabSettings { clusters, ..LabSettings::default() }).unwrap();
    let first = lab.cluster("alpha").submit("user01", &Submission::sleeping(3600)).unwrap();
    lab.cluster("alpha").wait_for_state(first, "RUNNING", SOON).unwrap();

    lab.restart_controller("alpha").unwrap();
    lab.cluster("alpha").wait_for_state(first, "RUNNING", SOON).unwrap();

    lab.stop_accounting().unwrap();
    assert!(lab.cluster("alpha").recorded_states(first).is_err());
    let second = lab.cluster("alpha").submit("user02", &Submission::sleeping(1)).unwrap();
    lab.cluster("alpha").wait_for_state(second, "COMPLETED", SOON).unwrap();
    lab.start_accounting().unwrap();
    // What happened meanwhile is told afterwards.
    lab.cluster("alpha").wait_for_record(second, "COMPLETED", SOON).unwrap();

    lab.freeze_rest("alpha").unwrap();
    assert!(lab.cluster("alpha").rest_within("/slurm/v0.0.38/ping", Duration::from_secs(2)).is_err());
    lab.thaw_rest("alpha").unwrap();
    lab.cluster("alpha").rest("/slurm/v0.0.38/ping").unwrap();
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_fast_clock_is_seen_by_commands_and_removed_with_the_lab() {
    let clusters = vec![ClusterSettings::new("alpha", 1)];
    let lab = Lab::up(LabSettings { clusters, speed: 100, ..LabSettings::default() }).unwrap();
    let (before, begun) = (lab.now_seconds().unwrap(), Instant::now());
    std::thread::sleep(Duration::from_secs(1));
    let passed = (lab.now_seconds().unwrap() - before) as f64 / begun.elapsed().as_secs_f64();
    assert!((50.0..150.0).contains(&passed), "{passed} lab seconds in a second");
    let shared = fs::read_to_string(lab.root().join("run/clock")).unwrap();
    let name = shared.split_whitespace().last().unwrap().trim_start_matches('/').to_owned();
    let is_there = || fs::read_dir("/dev/shm").unwrap().flatten().any(|entry| entry.file_name() == name.as_str());
    assert!(is_there());
    drop(lab);
    assert!(!is_there());
}
