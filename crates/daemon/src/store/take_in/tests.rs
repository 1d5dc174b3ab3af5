//! What is taken in, and what is read back of it.

use queuecast_records::history::History;
use queuecast_records::{JobPart, JobState, TimeLimit};
use queuecast_workload::Seconds;

use super::*;
use crate::store::test_records::{ended, running, waiting, withdrawn};

const NOW: Time = Time(10_000);

fn period(to: i64) -> ReadingKind {
    ReadingKind::Accounting(Period { from: Time(0), to: Time(to) })
}

fn kinds(facts: &[Fact]) -> Vec<FactKind> {
    facts.iter().map(|fact| fact.kind).collect()
}

#[test]
fn a_job_is_one_row_through_all_its_stages_and_each_stage_is_told_once() {
    let mut store = Store::in_memory().expect("memory");
    let arrived = store.take_in(&[waiting(7, 100)], ReadingKind::Queue, Time(130)).expect("taken in");
    assert_eq!(kinds(&arrived), [FactKind::Arrived]);
    let again = store.take_in(&[waiting(7, 100)], ReadingKind::Queue, Time(160)).expect("taken in");
    assert!(again.is_empty());
    let started = store.take_in(&[running(7, 100, 170)], ReadingKind::Queue, Time(190)).expect("taken in");
    assert_eq!(kinds(&started), [FactKind::Started { at: Time(170) }]);
    let end = store.take_in(&[ended(7, 100, 170, 300)], period(310), Time(310)).expect("taken in");
    assert_eq!(kinds(&end), [FactKind::Ended { started: Time(170), ended: Time(300) }]);
    assert!(store.take_in(&[running(7, 100, 170)], ReadingKind::Queue, Time(320)).expect("taken in").is_empty());
    assert!([&started, &end].iter().all(|facts| facts[0].job == arrived[0].job));
    assert_eq!(store.job_count(), 1);
}

#[test]
fn a_number_used_again_and_a_requeued_attempt_are_other_jobs() {
    let mut store = Store::in_memory().expect("memory");
    let records = [ended(7, 100, 110, 120), waiting(7, 120), waiting(7, 9_000)];
    let facts = store.take_in(&records, ReadingKind::Queue, NOW).expect("taken in");
    assert_eq!(facts.iter().filter(|fact| fact.kind == FactKind::Arrived).count(), 3);
    assert_eq!(store.job_count(), 3);
}

#[test]
fn the_rest_of_an_array_is_one_job_whatever_tasks_are_left() {
    let mut store = Store::in_memory().expect("memory");
    for (at, tasks) in [(130, "1-9%2"), (160, "4-9%2"), (190, "9%2")] {
        let mut rest = waiting(7, 100);
        rest.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: tasks.into() };
        store.take_in(&[rest], ReadingKind::Queue, Time(at)).expect("taken in");
    }
    let mut task = running(7, 100, 200);
    task.key.part = JobPart::ArrayTask { array_job_id: 7, task: 9 };
    store.take_in(&[task.clone()], ReadingKind::Queue, Time(210)).expect("taken in");
    let open = store.open_jobs().expect("open jobs");
    assert_eq!(open.len(), 2);
    assert_eq!(open[0].record.key.part, JobPart::ArrayRemainder { array_job_id: 7, tasks: "9%2".into() });
    assert_eq!(open[1].record.key, task.key);
}

#[test]
fn what_changes_while_a_job_waits_is_kept_and_is_no_new_job() {
    let mut store = Store::in_memory().expect("memory");
    store.take_in(&[waiting(7, 100)], ReadingKind::Queue, Time(130)).expect("taken in");
    let mut changed = waiting(7, 100);
    changed.limit = TimeLimit::Unlimited;
    changed.partitions = vec!["long".into(), "batch".into()];
    changed.name = "o'sim; DROP TABLE jobs --\0".into();
    assert!(store.take_in(&[changed.clone()], ReadingKind::Queue, Time(160)).expect("taken in").is_empty());
    let open = store.open_jobs().expect("open jobs");
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].record, changed);
}

#[test]
fn a_record_read_back_makes_the_same_history() {
    let mut store = Store::in_memory().expect("memory");
    let mut suspended = ended(8, 100, 200, 900);
    suspended.elapsed = Some(Seconds(500));
    let mut requeued = ended(9, 100, 200, 300);
    requeued.state = JobState::from_words(["REQUEUED"]);
    let mut rest_of_resized = ended(10, 250, 200, 400);
    rest_of_resized.state = JobState::from_words(["TIMEOUT"]);
    let records = [ended(7, 100, 110, 120), suspended, requeued, rest_of_resized];
    store.take_in(&records, period(1_000), NOW).expect("taken in");
    let attempts: Vec<_> = records.iter().map(|record| History::new().attempt(record)).collect();
    let mut read_back = Vec::new();
    store.history(100, |_, record| read_back.push(History::new().attempt(record))).expect("history");
    assert_eq!(read_back.len(), attempts.len());
    assert!(attempts.iter().all(|attempt| read_back.contains(attempt)), "{read_back:?}");
}

#[test]
fn a_run_time_that_only_accounting_knows_is_not_guessed_from_the_queue() {
    let mut store = Store::in_memory().expect("memory");
    let mut from_queue = ended(7, 100, 200, 900);
    from_queue.elapsed = None;
    store.take_in(&[from_queue], ReadingKind::Queue, Time(910)).expect("taken in");
    let mut runs = Vec::new();
    store.history(100, |_, record| runs.push(record.elapsed)).expect("history");
    assert_eq!(runs, []);
    let mut from_accounting = ended(7, 100, 200, 901);
    from_accounting.elapsed = Some(Seconds(400));
    assert!(store.take_in(&[from_accounting], period(1_000), Time(1_000)).expect("taken in").is_empty());
    store.history(100, |_, record| runs.push(record.elapsed)).expect("history");
    assert_eq!(runs, [Some(Seconds(400))]);
}

#[test]
fn a_user_that_one_dialect_leaves_out_is_the_one_the_other_says() {
    for accounting_first in [false, true] {
        let mut store = Store::in_memory().expect("memory");
        let mut from_accounting = ended(7, 100, 200, 900);
        from_accounting.user_id = None;
        let mut readings =
            [(waiting(7, 100), ReadingKind::Queue, Time(150)), (from_accounting, period(1_000), Time(1_000))];
        if accounting_first {
            readings.reverse();
        }
        for (record, reading, now) in readings {
            store.take_in(&[record], reading, now).expect("taken in");
        }
        let mut users = Vec::new();
        store.history(100, |_, record| users.push(record.user_id)).expect("history");
        assert_eq!(users, [Some(20_001)]);
        store.check().expect("as it was written");
    }
}

#[test]
fn a_record_without_its_clusters_name_is_not_another_job() {
    let mut store = Store::in_memory().expect("memory");
    let mut nameless = waiting(7, 100);
    nameless.key.cluster = String::new();
    store.take_in(&[nameless.clone()], ReadingKind::Queue, Time(130)).expect("taken in");
    store.take_in(&[running(7, 100, 140)], period(150), Time(150)).expect("taken in");
    store.take_in(&[nameless], ReadingKind::Queue, Time(160)).expect("taken in");
    assert_eq!(store.job_count(), 1);
    store.check().expect("as it was written");
}

#[test]
fn whoever_never_started_is_no_history() {
    let mut store = Store::in_memory().expect("memory");
    let facts = store.take_in(&[withdrawn(7, 100, 150)], period(200), NOW).expect("taken in");
    assert_eq!(kinds(&facts), [FactKind::Arrived, FactKind::Withdrawn { at: Time(150) }]);
    assert_eq!(store.history(100, |_, _| ()).expect("history"), 0);
    assert!(store.open_jobs().expect("open jobs").is_empty());
}

#[test]
fn the_mark_of_accounting_rises_only_over_what_was_read() {
    let mut store = Store::in_memory().expect("memory");
    let read = |from, to| ReadingKind::Accounting(Period { from: Time(from), to: Time(to) });
    let mut mark_after = |reading, now| {
        store.take_in(&[], reading, Time(now)).expect("taken in");
        store.accounting_read_up_to().expect("a mark").map(|mark| mark.0)
    };
    assert_eq!(mark_after(read(100, 200), 1_000), Some(200));
    assert_eq!(mark_after(read(300, 400), 1_000), Some(200));
    assert_eq!(mark_after(read(201, 250), 1_000), Some(250));
    assert_eq!(mark_after(read(0, 100), 1_000), Some(250));
    assert_eq!(mark_after(read(200, 5_000), 1_000), Some(1_000));
}

#[test]
fn a_time_in_which_nobody_looked_is_a_gap() {
    let mut store = Store::in_memory().expect("memory");
    for now in [1_000, 1_030, 9_000, 9_030] {
        store.take_in(&[], ReadingKind::Queue, Time(now)).expect("taken in");
    }
    let gap = crate::store::Gap { from: Time(1_030), to: Time(9_000) };
    assert_eq!(store.gaps().expect("gaps"), [gap]);
}

#[test]
fn a_full_disk_keeps_nothing_of_the_reading_and_once_there_is_space_all_of_it_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("qcast.db")).expect("a store");
    store.take_in(&[waiting(1, 100)], ReadingKind::Queue, Time(110)).expect("taken in");
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
    let limit = |store: &Store, pages: i64| {
        let set = format!("PRAGMA max_page_count = {pages}");
        store.connection.query_row(&set, [], |row| row.get::<_, i64>(0)).expect("a limit");
    };
    limit(&store, pages + 1);
    let records: Vec<JobRecord> = (1..500).map(|number| waiting(number, 100)).collect();
    let error = store.take_in(&records, ReadingKind::Queue, Time(140)).expect_err("the disk is full");
    assert!(error.to_string().contains("free some disk space"), "{error}");
    assert_eq!((store.job_count(), store.queue_read().expect("a mark")), (1, Some(Time(110))));
    limit(&store, 1_000_000);
    let facts = store.take_in(&records, ReadingKind::Queue, Time(170)).expect("taken in");
    assert_eq!((facts.len(), store.job_count()), (498, 499));
    store.check().expect("as it was written");
}

#[test]
fn an_older_queue_does_not_make_a_job_unseen() {
    let mut store = Store::in_memory().expect("memory");
    for now in [5_000, 1_000] {
        store.take_in(&[waiting(7, 100)], ReadingKind::Queue, Time(now)).expect("taken in");
    }
    let seen = "SELECT last_seen_in_queue FROM sightings";
    assert_eq!(store.connection.query_row(seen, [], |row| row.get::<_, i64>(0)).expect("a time"), 5_000);
}
