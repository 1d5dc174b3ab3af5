//! What real Slurm 22.05 said of a cluster with fair share, limits and GPUs (`tests/golden/slurm-22.05-site`), in text and in
//! JSON of the same moment: how jobs are laid out, partitions, nodes, qualities of service, associations and shares.

use std::fs;
use std::path::Path;

use queuecast_records::{AssociationRecord, JobRecord, MemoryAsked, PreemptionKind, Shares, TimeLimit, Tres};
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{self, Listing, Mark};
use queuecast_workload::Seconds;

fn printed(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-site");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn document(name: &str) -> Document {
    Document::parse(&printed(name)).expect(name)
}

fn read<T: Clone>(listing: &Listing<T>) -> Vec<T> {
    assert_eq!(listing.problems, []);
    listing.records.clone()
}

#[test]
fn layouts_are_the_same_in_text_and_in_json() {
    let mut in_text = read(&text::squeue(&printed("squeue.txt"), &Mark::known("mark"), "alpha"));
    text::lay_out(&mut in_text, read(&text::layouts(&printed("squeue-layout.txt"))));
    let in_json = document("squeue.json").jobs().expect("jobs");
    assert_eq!((in_json.problems.len(), in_json.records.len()), (0, in_text.len()));
    for one in &in_json.records {
        let other = in_text.iter().find(|job| job.key == one.key).unwrap_or_else(|| panic!("{:?}", one.key));
        let mut expected = one.layout.clone();
        // What each of the two does not know: see `json/layout.rs` and `text/squeue_layout.rs`.
        expected.cpus_per_task = other.layout.cpus_per_task;
        expected.tasks_per_node = None;
        if expected.nodes_min == Some(1) && expected.nodes_max.is_none() {
            expected.nodes_max = other.layout.nodes_max;
        }
        if other.requested.cpus.or(other.allocated.cpus) == other.requested.nodes.or(other.allocated.nodes) {
            expected.memory = other.layout.memory;
        }
        assert_eq!(expected, other.layout, "job {}", one.key.job_id);
        let said = |job: &JobRecord| (job.licenses.clone(), job.nice, job.deadline, job.throttle);
        assert_eq!(said(one), said(other), "job {}", one.key.job_id);
    }
    let job = |id: u64| in_text.iter().find(|job| job.key.job_id == id).expect("the job");
    assert_eq!((job(2).layout.cpus_per_task, job(2).nice, job(2).licenses.as_str()), (Some(2), Some(7), "matlab:2"));
    assert_eq!((job(3).layout.memory, job(3).layout.gres.len()), (Some(MemoryAsked::PerNode(2048)), 1));
    assert_eq!(job(4).throttle, Some(3));
    assert!(job(5).layout.exclusive_user && job(2).deadline.is_some() && job(2).layout.contiguous);
}

#[test]
fn partitions_and_nodes_are_the_same_in_text_and_in_json() {
    let mut partitions = read(&text::partitions(&printed("scontrol-partition.txt")));
    let whole = partitions.iter().find(|partition| partition.name == "whole").expect("it is there");
    assert!(whole.exclusive && whole.exclusive_user && whole.lln && whole.is_hidden && whole.requires_reservation);
    assert_eq!((whole.grace, whole.memory_per_node_max_mebibytes), (Some(Seconds(30)), Some(60_000)));
    assert_eq!((whole.tres_weights.0.len(), whole.job_defaults.as_str()), (3, "DefCpuPerGPU=2"));
    let told: Vec<_> = partitions
        .iter()
        .map(|one| (one.name.as_str(), one.oversubscribe_max, one.root_only, one.disables_root_jobs))
        .collect();
    assert_eq!(
        told[2..],
        [("whole", None, false, false), ("often", Some(3), false, true), ("perhaps", Some(2), true, false)]
    );
    // 22.05's JSON says neither of these.
    for partition in &mut partitions {
        (partition.exclusive, partition.oversubscribe_max) = (false, None);
        partition.job_defaults.clear();
    }
    assert_eq!(partitions, document("rest-partitions.json").partitions().expect("them").records);

    let nodes = read(&text::nodes(&printed("scontrol-node.txt")));
    let of_json = document("sinfo.json").nodes().expect("them").records;
    for (one, other) in nodes.iter().zip(&of_json) {
        assert_eq!(
            (one.weight, one.sockets, one.cores, one.threads),
            (other.weight, other.sockets, other.cores, other.threads)
        );
        assert_eq!((&one.owner, one.gpus()), (&other.owner, other.gpus()), "{}", one.name);
    }
    assert_eq!((nodes.len(), of_json.len(), nodes[3].weight, nodes[2].owner.as_str()), (4, 4, 7, "user04"));
    assert_eq!(nodes[3].gpus(), [("a100".to_owned(), 2), ("h100".to_owned(), 1)]);
}

#[test]
fn limits_and_associations_are_the_same_in_text_and_in_json() {
    let mut in_text = read(&text::qos(&printed("sacctmgr-qos.txt")));
    assert_eq!((in_text[1].group.submitted_jobs, in_text[1].group_minutes.cpus), (Some(99), Some(5000)));
    let mut in_json = document("rest-qos.json").qos().expect("them").records;
    for qos in in_text.iter_mut().chain(&mut in_json) {
        // 22.05's JSON says neither, and has other words for flags.
        (qos.group.submitted_jobs, qos.group_minutes) = (None, Tres::default());
        qos.flags.clear();
    }
    assert_eq!(in_text, in_json);

    let mut in_text = read(&text::associations(&printed("sacctmgr-association.txt")));
    let mut in_json = document("rest-associations.json").associations().expect("them").records;
    let beta = in_text.iter().filter(|association| association.cluster == "beta").count();
    assert_eq!((in_text.len(), beta), (32, 16), "of both clusters");
    let key =
        |one: &AssociationRecord| (one.cluster.clone(), one.account.clone(), one.user.clone(), one.partition.clone());
    in_text.sort_by_key(key);
    in_json.sort_by_key(key);
    for association in &mut in_text {
        assert!(association.id.take().is_some(), "which 22.05's JSON does not say");
    }
    assert_eq!(in_text, in_json);
    let user = in_text.iter().find(|one| one.user == "user01").expect("it is there");
    assert_eq!((user.shares, user.wall, user.own.jobs), (Shares::Parent, TimeLimit::Minutes(150), Some(4)));
}

#[test]
fn shares_and_settings_are_read() {
    let shares = read(&text::shares(&printed("sshare.txt")));
    let of = |account: &str, user: &str| {
        shares.iter().find(|share| share.account == account && share.user == user).expect("it is there")
    };
    let (root, account) = (of("root", ""), of("proj4", ""));
    assert!(account.usage > 0.0 && root.usage >= account.usage && account.fair_share.is_none());
    let (used, rested) = (of("proj4", "user08"), of("proj1", "user05"));
    assert!(used.fair_share < rested.fair_share && used.level < rested.level, "{used:?} {rested:?}");
    assert_eq!((rested.level, of("proj1", "user01").shares), (Some(f64::INFINITY), Shares::Parent));
    let children: f64 = ["user04", "user08"].iter().map(|user| of("proj4", user).usage).sum();
    assert!((children - account.usage).abs() <= 2.0, "{children} {}", account.usage);

    let settings = text::configuration(&printed("scontrol-config.txt")).expect("settings");
    assert!(settings.priority.multifactor && settings.priority.favors_small && settings.priority.flags.accrue_always);
    assert_eq!((settings.priority.weights.fair_share, settings.priority.weights.tres.0.len()), (20_000, 3));
    assert!(settings.enforcement.safe && settings.enforcement.qos && !settings.enforcement.wckeys);
    assert_eq!((settings.preemption.kind, settings.licenses.as_str()), (PreemptionKind::None, "matlab:10,x"));
    assert_eq!(
        (settings.memory_per_node_default_mebibytes, settings.memory_per_cpu_max_mebibytes),
        (Some(500), Some(4000))
    );
}
