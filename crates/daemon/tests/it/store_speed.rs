//! A queue of 10,000 is taken in and forecast well within the time between two readings.

use std::time::{Duration, Instant};

use queuecast_daemon::store::{KeptForecast, ReadingKind, Store};
use queuecast_records::source::Period;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
use queuecast_workload::{Seconds, Time};

const JOBS: u64 = 10_000;
const NOW: Time = Time(1_800_000_000);

fn record(number: u64, state: &str) -> JobRecord {
    let submitted = NOW - Seconds(86_400 - number.cast_signed() % 80_000);
    let key = JobKey { cluster: "alpha".into(), job_id: number, part: JobPart::Whole, submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words([state]));
    record.name = format!("simulation of something {number}");
    record.user = format!("user{:02}", number % 40);
    record.user_id = Some(20_000);
    record.account = "physics".into();
    record.partitions = vec!["batch".into()];
    record.qos = "normal".into();
    record
}

/// The shortest of three: other work on the machine only makes it longer.
fn shortest(mut work: impl FnMut(i64)) -> Duration {
    (1..4)
        .map(|time| {
            let begun = Instant::now();
            work(time);
            begun.elapsed()
        })
        .min()
        .expect("three")
}

#[test]
fn a_queue_of_ten_thousand_is_taken_in_and_forecast_within_half_a_second_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("qcast.db")).expect("a store");
    let queue: Vec<JobRecord> = (0..JOBS).map(|number| record(number, "PENDING")).collect();
    let begun = Instant::now();
    let facts = store.take_in(&queue, ReadingKind::Queue, NOW).expect("taken in");
    println!("a queue of {JOBS} nobody knew: {:?}", begun.elapsed());
    let again = shortest(|time| {
        let facts = store.take_in(&queue, ReadingKind::Queue, NOW + Seconds(30 * time)).expect("taken in");
        assert!(facts.is_empty());
    });
    println!("the same again: {again:?}");
    let given = shortest(|time| {
        let made = NOW + Seconds(600 * time);
        let forecasts: Vec<KeptForecast> = facts
            .iter()
            .map(|fact| KeptForecast {
                job: fact.job,
                made,
                start: [made; 9],
                raw: [made; 9],
                run_median: Some(Seconds(60)),
                completion_median: Some(made),
                slurm_estimate: None,
                experts: [Time(0); 6],
            })
            .collect();
        store.give(&forecasts).expect("kept");
    });
    println!("{JOBS} forecasts given: {given:?}");
    let begun = Instant::now();
    assert_eq!(store.last_given().expect("times").len() as u64, JOBS);
    println!("when each was last forecast: {:?}", begun.elapsed());
    assert!(again < Duration::from_millis(500), "{again:?}");
    assert!(given < Duration::from_millis(500), "{given:?}");
}

#[test]
fn history_is_read_back_faster_than_a_restart_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("qcast.db");
    let mut store = Store::open(&path).expect("a store");
    let ended = |number: u64| {
        let mut record = record(number, "COMPLETED");
        record.started = Some(record.key.submitted + Seconds(60));
        record.ended = Some(record.key.submitted + Seconds(600));
        record.elapsed = Some(Seconds(540));
        record
    };
    let records: Vec<JobRecord> = (0..10 * JOBS).map(ended).collect();
    let period = Period { from: NOW - Seconds(86_400), to: NOW };
    let begun = Instant::now();
    store.take_in(&records, ReadingKind::Accounting(period), NOW).expect("taken in");
    println!("{} records of accounting taken in: {:?}", records.len(), begun.elapsed());
    let begun = Instant::now();
    store.take_in(&records, ReadingKind::Accounting(period), NOW + Seconds(3_600)).expect("taken in");
    println!("swept over again: {:?}", begun.elapsed());
    let read = shortest(|_| {
        assert_eq!(store.history(usize::MAX, |_, _| ()).expect("history"), 10 * JOBS);
    });
    println!("read back: {read:?}");
    let begun = Instant::now();
    store.check().expect("as it was written");
    println!("checked: {:?}", begun.elapsed());
    drop(store);
    let begun = Instant::now();
    drop(Store::open(&path).expect("a store"));
    let bytes = std::fs::metadata(&path).expect("a file").len();
    println!("opened again: {:?}; {bytes} bytes, {} a job", begun.elapsed(), bytes / (10 * JOBS));
    assert!(read < Duration::from_secs(5), "{read:?}");
}
