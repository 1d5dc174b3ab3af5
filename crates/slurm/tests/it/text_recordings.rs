//! What real Slurm 22.05 printed as text (`tests/golden/slurm-22.05-text`) says what it said in JSON at the same time.
//!
//! The same is tried on a live lab, with more kinds of jobs, in `tests/slurm-lab/tests/sources`; this runs everywhere.

use std::fs;
use std::path::Path;

use queuecast_records::{JobRecord, NodeRecord, TimeLimit};
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{self, Listing, Mark};
use queuecast_workload::{Seconds, Time};

fn printed(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05-text");
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
fn the_queue_is_the_same_in_text_and_in_json() {
    let in_text = read(&text::squeue(&printed("squeue.txt"), &Mark::known("mark"), "alpha"));
    let in_json = document("squeue.json").jobs().expect("jobs");
    assert_eq!((in_text.len(), in_json.records.len(), in_json.problems.len()), (13, 13, 0));
    for one in &in_json.records {
        let other = in_text.iter().find(|job| job.key == one.key).unwrap_or_else(|| panic!("{:?}", one.key));
        let said = |job: &JobRecord| {
            let who = (job.name.clone(), job.user.clone(), job.user_id, job.account.clone(), job.qos.clone());
            let when = (job.state, job.planned_start, job.started, job.ended, job.priority);
            let wishes = (job.exclusive, job.features.clone(), job.reservation.clone(), job.dependency.clone());
            let places =
                (job.partitions.clone(), job.required_nodes.clone(), job.excluded_nodes.clone(), job.nodes.clone());
            (who, when, wishes, places, job.array_tasks_waiting())
        };
        assert_eq!(said(one), said(other));
        assert_eq!(other.requested.cpus.or(other.allocated.cpus), one.allocated.cpus.or(one.requested.cpus));
    }
    let job = |id: u64| in_text.iter().find(|job| job.key.job_id == id).expect("the job");
    assert_eq!((job(2).limit, job(7).limit), (TimeLimit::Unlimited, TimeLimit::Minutes(30)));
    assert_eq!((job(14).array_tasks_waiting(), job(5).array_tasks_waiting()), (29, 50));
    assert_eq!((job(12).name.as_str(), job(1).elapsed), ("held|x\ny\u{1f}z\u{fffd}\"q", Some(Seconds(27 * 60 + 22))));
    assert_eq!((job(7).required_nodes.as_str(), job(7).excluded_nodes.as_str()), ("alpha2", "alpha1"));
}

#[test]
fn nodes_partitions_and_reservations_are_the_same_in_text_and_in_json() {
    let sorted = |mut nodes: Vec<NodeRecord>| {
        for node in &mut nodes {
            node.states.sort();
        }
        nodes
    };
    let nodes = read(&text::nodes(&printed("scontrol-node.txt")));
    assert_eq!(sorted(nodes.clone()), sorted(document("sinfo.json").nodes().expect("nodes").records));
    assert_eq!(nodes[3].reason, "bad disk State=IDLE ReservationName=x");
    let partitions = read(&text::partitions(&printed("scontrol-partition.txt")));
    assert_eq!(
        (partitions.len(), &partitions),
        (3, &document("rest-partitions.json").partitions().expect("them").records)
    );
    let reservations = read(&text::reservations(&printed("scontrol-reservation.txt")));
    assert_eq!(reservations, document("rest-reservations.json").reservations().expect("them").records);
    assert_eq!((reservations[0].name.as_str(), reservations[0].starts), ("course", Some(Time(1_794_749_100))));
}

#[test]
fn limits_figures_and_settings_are_read() {
    let in_text = read(&text::qos(&printed("sacctmgr-qos.txt")));
    let in_json = document("rest-qos.json").qos().expect("them").records;
    for (one, other) in in_text.iter().zip(&in_json) {
        assert_eq!(
            (&one.name, one.priority, one.per_user, one.per_account),
            (&other.name, other.priority, other.per_user, other.per_account)
        );
        assert_eq!(
            (one.group.jobs, one.group.tres, one.per_job, one.wall),
            (other.group.jobs, other.group.tres, other.per_job, other.wall)
        );
    }
    assert_eq!((in_text.len(), in_json.len(), in_text[1].wall), (3, 3, TimeLimit::Minutes(3630)));
    let (in_text, in_json) = (text::diagnostics(&printed("sdiag.txt")), document("rest-diag.json").diagnostics());
    let (in_text, in_json) = (in_text.expect("figures"), in_json.expect("figures"));
    assert_eq!((in_text.since, in_text.jobs_submitted), (in_json.since, in_json.jobs_submitted));
    assert_eq!((in_text.jobs_pending, in_text.backfilled_jobs), (in_json.jobs_pending, in_json.backfilled_jobs));
    let settings = text::configuration(&printed("scontrol-config.txt")).expect("settings");
    assert_eq!((settings.cluster_name.as_str(), settings.slurm_version.as_str()), ("alpha", "22.05.8"));
    assert_eq!((settings.backfill.interval, settings.main_depth), (Seconds(1), 500));
}
