//! The lab as sites run Slurm: it comes up, jobs of every kind go through every partition, limits bind, and who may be preempted is.

use std::collections::BTreeSet;
use std::time::Duration;

use queuecast_slurm_lab::site::{self, CLUSTER, StretchJob, StretchPlan};
use queuecast_slurm_lab::{ClusterHandle, ReplayJob, Submission, wait_until};

const SPEED: u32 = 150;
const PATIENCE: Duration = Duration::from_secs(40);

/// Made up, without a generator: what counts is that sizes, lengths, limits and users differ.
fn made_up_log() -> Vec<ReplayJob> {
    let job = |index: u32| ReplayJob {
        submit_offset_seconds: index * 60,
        run_seconds: 60 + (index * 97) % 540,
        nodes: 1 + (index * 13) % 24,
        limit_minutes: [15, 60, 240, 700][index as usize % 4],
        user: 1 + (index * 7) % 60,
    };
    (0..40).map(job).collect()
}

/// The first stretch by seed that has every partition and every kind of job.
fn stretch_of_every_kind() -> Vec<StretchJob> {
    let has_every_kind = |jobs: &Vec<StretchJob>| {
        let partitions: BTreeSet<&str> = jobs.iter().flat_map(|job| job.partition.split(',')).collect();
        partitions == BTreeSet::from(["batch", "long", "debug", "gpu", "scavenger"])
            && jobs.iter().any(|job| job.is_heterogeneous)
            && jobs.iter().any(|job| job.dependency.is_some())
            && jobs.iter().any(|job| job.array.is_some_and(|array| array.throttle.is_some()))
            && jobs.iter().all(|job| !job.arguments.iter().any(|argument| argument.starts_with("--begin")))
    };
    let plans = (0..10_000).map(|seed| StretchPlan { seed, hours: 1, load: 0.2 }.jobs(&made_up_log()));
    plans.into_iter().find(has_every_kind).expect("one of ten thousand seeds draws every kind")
}

fn reasons(cluster: ClusterHandle<'_>) -> String {
    cluster.run("squeue", &["-h", "-t", "PENDING", "-o", "%i %r"]).unwrap()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_site_comes_up_holds_jobs_to_its_limits_preempts_and_runs_jobs_of_every_kind() {
    let lab = site::up(SPEED).unwrap();
    let cluster = lab.cluster(CLUSTER);

    let shares = cluster.run("sshare", &["-a", "-n", "-P", "-o", "Account,User,RawShares"]).unwrap();
    let users: BTreeSet<&str> = shares.lines().filter_map(|line| line.split('|').nth(1)).collect();
    assert_eq!(users.iter().filter(|user| user.starts_with("user")).count(), 60, "{shares}");
    let nodes = cluster.run("sinfo", &["-h", "-N", "-o", "%N %c %G"]).unwrap();
    assert_eq!(nodes.lines().collect::<BTreeSet<_>>().len(), 80, "{nodes}");
    assert!(nodes.contains("site73 32 gpu:a100:4") && nodes.contains("site80 32 gpu:v100:4"), "{nodes}");

    limits_bind(cluster);
    the_scavenger_is_preempted(cluster);
    for user in ["user08", "user14", "user15", "user22"] {
        cluster.run("scancel", &["--user", user]).unwrap();
    }

    let jobs = stretch_of_every_kind();
    let submitted = site::submit_stretch(cluster, &jobs, |_| Ok(())).unwrap();
    let refused: Vec<_> = submitted.iter().filter_map(|job| job.refused.as_ref().map(|why| (&job.job, why))).collect();
    assert!(refused.is_empty(), "{refused:?}");
    cluster.wait_until_all_started(PATIENCE).unwrap();
}

/// Eight jobs at once for every eighth user; sixteen GPUs at once for everybody.
fn limits_bind(cluster: ClusterHandle<'_>) {
    let job = || Submission::sleeping(7_200).limit_minutes(180);
    for _ in 0..9 {
        cluster.submit("user08", &job()).unwrap();
        cluster.submit("user22", &job().argument("--partition=gpu").argument("--gres=gpu:2")).unwrap();
    }
    wait_until("two limits to bind", PATIENCE, || {
        let reasons = reasons(cluster);
        Ok(reasons.contains("AssocMaxJobsLimit") && reasons.contains("QOSMaxGRESPerUser"))
    })
    .unwrap_or_else(|error| panic!("{error}: {}", reasons(cluster)));
}

/// Whoever needs more nodes than are left takes them, and the job begins anew.
fn the_scavenger_is_preempted(cluster: ClusterHandle<'_>) {
    let wide = |nodes| Submission::sleeping(7_200).nodes(nodes).limit_minutes(180);
    let scavenger = cluster.submit("user15", &wide(40).argument("--partition=scavenger")).unwrap();
    cluster.wait_for_state(scavenger, "RUNNING", PATIENCE).unwrap();
    let batch = cluster.submit("user14", &wide(40).argument("--constraint=thin")).unwrap();
    cluster.wait_for_state(batch, "RUNNING", PATIENCE).unwrap();
    cluster.wait_for_record(scavenger, "PREEMPTED", PATIENCE).unwrap();
    assert!(cluster.states(scavenger).unwrap().iter().any(|state| state == "PENDING" || state == "RUNNING"));
}
