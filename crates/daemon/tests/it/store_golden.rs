//! What real Slurm 22.05 printed for jobs of every fate (`tests/golden`), taken in in any order, is the same set of jobs (F6, F13).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use queuecast_daemon::store::{Fact, ReadingKind, Store};
use queuecast_records::JobRecord;
use queuecast_records::source::Period;
use queuecast_site::ledger::FactKind;
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_workload::{Seconds, Time};

fn golden(name: &str) -> Vec<u8> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05");
    std::fs::read(folder.join(name)).expect("a golden case")
}

fn queue(folder: &str) -> Vec<JobRecord> {
    let document = Document::parse(&golden(&format!("{folder}/squeue.json"))).expect("a document");
    document.jobs().expect("jobs").records
}

fn accounting(folder: &str) -> Vec<JobRecord> {
    let text = golden(&format!("{folder}/sacct-unit-separator.txt"));
    let reader = SacctReader::new(text.as_slice(), None).expect("a header");
    reader
        .filter_map(|entry| match entry.expect("memory reads") {
            Entry::Job(job) => Some(*job),
            Entry::Step => None,
            Entry::Bad(bad) => panic!("{bad}"),
        })
        .collect()
}

const DURING: Time = Time(1_794_742_303);
const AFTER: Time = Time(1_794_742_900);

/// Every record with how it was read, in the order in which it happened. The lag of accounting is as it was.
fn told() -> Vec<(JobRecord, ReadingKind, Time)> {
    let period = |to| ReadingKind::Accounting(Period { from: Time(1_794_742_000), to });
    let readings = [
        (queue("during"), ReadingKind::Queue, DURING),
        (accounting("during"), period(DURING), DURING + Seconds(1)),
        (queue("after"), ReadingKind::Queue, AFTER),
        (accounting("after"), period(AFTER), AFTER + Seconds(1)),
    ];
    let of = |(records, reading, now): (Vec<JobRecord>, ReadingKind, Time)| {
        records.into_iter().map(move |record| (record, reading, now))
    };
    readings.into_iter().flat_map(of).collect()
}

/// Each job with its stage and times, and what was told of it.
type Jobs = BTreeMap<String, (String, Vec<String>)>;

/// As it happened.
static IN_ORDER: LazyLock<Jobs> = LazyLock::new(|| taken_in(&told()));

fn taken_in(told: &[(JobRecord, ReadingKind, Time)]) -> Jobs {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("qcast.db");
    let mut store = Store::open(&path).expect("a store");
    let mut facts: Vec<Fact> = Vec::new();
    for (record, reading, now) in told {
        facts.extend(store.take_in(std::slice::from_ref(record), *reading, *now).expect("taken in"));
    }
    store.check().expect("as it was written");
    drop(store);
    let connection = rusqlite::Connection::open(&path).expect("a database");
    let columns = "id, job_id, part, submitted, stage, started, ended, run_seconds, state, user, user_id, limit_seconds, nodes, name";
    let mut query = connection.prepare(&format!("SELECT {columns} FROM jobs")).expect("a query");
    let mut rows = query.query([]).expect("rows");
    let mut jobs = Jobs::new();
    while let Some(row) = rows.next().expect("a row") {
        let text = |place: usize| format!("{:?}", row.get::<_, rusqlite::types::Value>(place).expect("a value"));
        let key = [1, 2, 3].map(text).join(" ");
        let id: i64 = row.get(0).expect("a number");
        let kind = |fact: &Fact| format!("{:?}", fact.kind).split(' ').next().expect("a word").to_owned();
        let told: Vec<String> = facts.iter().filter(|fact| fact.job.0 == id).map(kind).collect();
        let kept = (4..14).map(text).collect::<Vec<_>>().join(" ");
        assert!(jobs.insert(key, (kept, told)).is_none());
    }
    jobs
}

#[test]
fn jobs_of_every_fate_are_told_once_and_end_as_accounting_says() {
    let jobs = &*IN_ORDER;
    let of = |number: i64| -> Vec<&(String, Vec<String>)> {
        let begins = format!("Integer({number}) ");
        jobs.iter().filter(|(key, _)| key.starts_with(&begins)).map(|(_, job)| job).collect()
    };
    let told = |number| of(number).iter().map(|(_, told)| told.join(" ")).collect::<Vec<_>>();
    let ran = "Arrived Started Ended";
    assert_eq!(told(1), [ran]);
    assert_eq!(told(7), [ran; 3], "requeued twice");
    assert_eq!(told(9), ["Arrived Withdrawn"], "the rest of an array, cancelled");
    assert_eq!(told(12), ["Arrived"], "held");
    assert_eq!(told(14), ["Arrived Started"], "still running");
    assert_eq!(told(18), [ran, "Arrived Withdrawn"], "its node was killed, and it was cancelled waiting again");
    assert_eq!(told(20), [ran, ran], "resized");
    assert_eq!(told(23), ["Arrived Withdrawn"], "its deadline passed");
    assert_eq!(told(29), ["Arrived Withdrawn"], "cancelled before its start");
    assert!(of(8)[0].0.contains("Integer(375)"), "suspension is not run time: {}", of(8)[0].0);
    assert!(of(20)[0].0.contains("Integer(1794742307)"), "the first part ended at the resize: {}", of(20)[0].0);
}

#[test]
fn a_sibling_that_ran_elsewhere_has_left_without_a_start() {
    let mut store = Store::in_memory().expect("memory");
    let facts = store.take_in(&queue("federation-beta"), ReadingKind::Queue, AFTER).expect("taken in");
    let period = Period { from: Time(0), to: AFTER };
    let more = store.take_in(&accounting("federation-beta"), ReadingKind::Accounting(period), AFTER).expect("taken in");
    let kinds: Vec<FactKind> = facts.iter().chain(&more).map(|fact| fact.kind).collect();
    assert!(matches!(kinds[..], [FactKind::Arrived, FactKind::Withdrawn { .. }]), "{kinds:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_any_order_and_any_number_of_times_they_are_the_same_jobs(
        order in Just(told()).prop_shuffle(),
        again in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let mut shuffled = order;
        for index in again {
            let repeated = shuffled[index.index(shuffled.len())].clone();
            shuffled.push(repeated);
        }
        prop_assert_eq!(&taken_in(&shuffled), &*IN_ORDER);
    }
}
