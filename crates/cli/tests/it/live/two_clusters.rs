//! Two clusters with one database, each watched by its own daemon, and a short stream sent where the daemons say. The long one, with
//! its report, is `experiments/where`.

use std::collections::BTreeSet;

use queuecast_slurm_lab::{
    ClusterSettings, Daemon, Lab, LabSettings, Placed, Placing, ReplayJob, Rule, at_load, wait_until,
};

use super::{SOON, qcast};

fn jobs() -> Vec<ReplayJob> {
    let job = |index: u32| ReplayJob {
        submit_offset_seconds: index * 60,
        run_seconds: 120 + (index * index * 977) % 1_500,
        nodes: 1 + (index * 5) % 4,
        limit_minutes: 30,
        user: 1 + index % 6,
    };
    let mut jobs: Vec<_> = (0..20).map(job).collect();
    at_load(&mut jobs, 12, 1.0);
    jobs
}

fn sent(lab: &Lab, rule: Rule, daemons: &[Daemon], jobs: &[ReplayJob]) -> Vec<Placed> {
    let placing = Placing { lab, rule, daemons };
    let placed = lab.submit_in_time(jobs, |job| placing.submit(job)).unwrap();
    placed.into_iter().map(|(placed, _)| placed).collect()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn a_stream_is_sent_to_two_clusters_where_their_daemons_say() {
    let clusters = vec![ClusterSettings::new("alpha", 8), ClusterSettings::new("beta", 4)];
    let lab = Lab::up(LabSettings { clusters, speed: 100, ..LabSettings::default() }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let daemons: Vec<Daemon> = ["alpha", "beta"]
        .map(|name| {
            let own = folder.path().join(name);
            std::fs::create_dir(&own).unwrap();
            let mut daemon = Daemon::of(lab.cluster(name), qcast(), &own, &["--cluster", name]).unwrap();
            daemon.start().unwrap();
            wait_until("a daemon that forecasts", SOON, || {
                Ok(daemon.get("/v1/health").is_ok_and(|health| health["status"] == "ok" && health["cluster"] == name))
            })
            .unwrap();
            daemon
        })
        .into();
    let jobs = jobs();
    let placed = sent(&lab, Rule::Where, &daemons, &jobs);
    assert!(placed.iter().all(|placed| !placed.by_default), "both daemons always have an estimate: {placed:?}");
    let used: BTreeSet<&str> = placed.iter().map(|placed| placed.cluster.as_str()).collect();
    assert_eq!(used, BTreeSet::from(["alpha", "beta"]), "the stream fills either alone");
    for name in ["alpha", "beta"] {
        let here = placed.iter().filter(|placed| placed.cluster == name).count();
        lab.cluster(name).wait_until_all_started(SOON).unwrap();
        wait_until("all of them in the records", SOON, || {
            let recorded = lab.cluster(name).recorded_jobs()?;
            Ok(recorded.len() == here && recorded.iter().all(|job| job.started.is_some()))
        })
        .unwrap();
    }
    // The other two rules, as far as they can be wrong.
    let one_each = &jobs[..6];
    let own: Vec<String> = sent(&lab, Rule::Static, &daemons, one_each).into_iter().map(|job| job.cluster).collect();
    assert_eq!(own, ["alpha", "alpha", "beta", "alpha", "alpha", "beta"]);
    let chosen = sent(&lab, Rule::Slurm, &daemons, one_each);
    assert!(chosen.iter().all(|job| ["alpha", "beta"].contains(&job.cluster.as_str())), "{chosen:?}");
}
