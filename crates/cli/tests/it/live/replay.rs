//! A short replay: ranges hold about as often as they say, and are nearer than Slurm's own plan. The long one, with its
//! report, is `experiments/slurm-live`.

use std::time::Duration;

use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, ReplayJob, wait_until};

use super::qcast;

const NODES: u32 = 100;

/// More than the machine holds for a while. A piece of a log of this length does not: its queue is that of the jobs before it.
fn jobs() -> Vec<ReplayJob> {
    let job = |index: u32| ReplayJob {
        submit_offset_seconds: index * 80,
        run_seconds: 120 + (index * index * 977) % 5_000,
        nodes: 1 + (index * 31) % 40,
        limit_minutes: [10, 60, 120, 240][index as usize % 4].max((120 + (index * index * 977) % 5_000).div_ceil(60)),
        user: 1 + index % 12,
    };
    (0..150).map(job).collect()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn forecasts_of_a_busy_hour_are_nearer_than_slurms_own_plan() {
    let jobs = jobs();
    let clusters = vec![ClusterSettings::new("alpha", u16::try_from(NODES).unwrap())];
    let lab = Lab::up(LabSettings { clusters, users: 16, speed: 150, ..LabSettings::default() }).unwrap();
    let cluster = lab.cluster("alpha");
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::of(cluster, qcast(), folder.path(), &[]).unwrap();
    daemon.start().unwrap();
    daemon.wait_until_it_answers(Duration::from_secs(20)).unwrap();
    cluster.replay(&jobs).unwrap();
    // The queue of a busy log takes long to empty; it is enough that many have started.
    wait_until("scored forecasts", Duration::from_mins(4), || {
        Ok(daemon.get("/v1/score")?["overall"]["all"]["forecasts"].as_u64().is_some_and(|scored| scored >= 300))
    })
    .unwrap();
    let score = &daemon.get("/v1/score").unwrap()["overall"]["all"];
    let check = &daemon.get("/v1/health").unwrap()["replay_check"];
    println!("{score}\n{check}");
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
    // Of few jobs, most of them forecast before anything was learnt: the long replay is held to 80 +- 6 %.
    let coverage = number(&score["coverage"]["p80"]);
    assert!((0.6..=0.97).contains(&coverage), "{coverage}");
    let (ours, slurms) = (
        number(&score["slurm"]["ours_median_absolute_error_seconds"]),
        number(&score["slurm"]["median_absolute_error_seconds"]),
    );
    assert!(ours <= slurms / 2.0, "{ours} s against {slurms} s");
    let (starts, explained) = (number(&check["starts"]), number(&check["explained"]));
    // On this clock minutes pass between two readings, and much happens in them: three in four are explained.
    assert!(explained >= 0.5 * starts, "{explained} of {starts} starts are explained");
}
