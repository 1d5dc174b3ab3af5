//! Killed at any moment, the store has everything it acknowledged, once, and ends where an undisturbed one does (F1).
//!
//! The process that is killed is this test itself, run again with a store's path in its environment. It works through a made-up
//! life of a cluster, a step after the other, and says so after each commit. What it says it must find again.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use queuecast_daemon::store::{KeptForecast, ReadingKind, Store};
use queuecast_records::source::Period;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
use queuecast_site::ledger::FactKind;
use queuecast_workload::{Seconds, Time};

const STORE: &str = "QCAST_KILL_TEST_STORE";
const BEGIN: &str = "QCAST_KILL_TEST_BEGIN";
/// Unless `QCAST_KILLS` says otherwise.
const KILLS: usize = 200;
const STEPS: i64 = 300;
const STEP_SECONDS: i64 = 30;
const BEGUN: i64 = 1_700_000_000;

/// Job `number` is submitted at its step, waits, and runs; every fifth is withdrawn.
fn told(number: i64, step: i64) -> Option<JobRecord> {
    let (submitted, started, ended) = (number, number + 1 + number % 7, number + 3 + number % 11 + number % 7);
    if step < submitted || step > ended + 4 {
        return None;
    }
    let at = |step: i64| Time(BEGUN + step * STEP_SECONDS);
    let is_withdrawn = number % 5 == 0;
    let words = match (step < started, step < ended, is_withdrawn) {
        (true, ..) => "PENDING",
        (_, _, true) => "CANCELLED",
        (_, true, _) => "RUNNING",
        _ => "COMPLETED",
    };
    let key = JobKey {
        cluster: "alpha".into(),
        job_id: number.cast_unsigned(),
        part: JobPart::Whole,
        submitted: at(submitted),
        sluid: None,
    };
    let mut record = JobRecord::new(key, JobState::from_words([words]));
    record.name = format!("job {number}");
    record.user = "anna".into();
    record.started = (words == "RUNNING" || words == "COMPLETED").then_some(at(started));
    record.ended = match words {
        "CANCELLED" => Some(at(started)),
        "COMPLETED" => Some(at(ended)),
        _ => None,
    };
    record.elapsed = record.ended.zip(record.started).map(|(ended, started)| ended - started);
    Some(record)
}

/// One step of the cluster's life: a reading of the queue or, every fourth time, of accounting; then forecasts of who waits.
fn step(store: &mut Store, step: i64, mut say: impl FnMut(String)) {
    let now = Time(BEGUN + step * STEP_SECONDS);
    let records: Vec<JobRecord> = ((step - 40).max(0)..=step).filter_map(|number| told(number, step)).collect();
    let reading = if step % 4 == 3 {
        ReadingKind::Accounting(Period { from: now - Seconds(1_200), to: now })
    } else {
        ReadingKind::Queue
    };
    let facts = store.take_in(&records, reading, now).expect("taken in");
    for fact in &facts {
        let kind = match fact.kind {
            FactKind::Arrived => "arrived",
            FactKind::Started { .. } => "started",
            FactKind::Ended { .. } => "ended",
            FactKind::Withdrawn { .. } => "withdrawn",
            other => panic!("{other:?}"),
        };
        say(format!("fact {} {kind}", fact.record.key.job_id));
    }
    let waiting = records.iter().filter(|record| record.started.is_none() && record.ended.is_none());
    let forecasts: Vec<KeptForecast> = waiting
        .map(|record| KeptForecast {
            job: store.find(&record.key).expect("a look").expect("it was taken in"),
            made: now,
            start: std::array::from_fn(|place| now + Seconds(60 * place as i64)),
            raw: [now; 9],
            run_median: None,
            completion_median: None,
            slurm_estimate: None,
            experts: [Time(0); 6],
        })
        .collect();
    store.give(&forecasts).expect("kept");
    for forecast in &forecasts {
        say(format!("forecast {} {}", forecast.job.0, forecast.made.0));
    }
    say(format!("done {step}"));
}

#[test]
#[ignore = "the process that is killed, run by the test below"]
fn the_process_that_is_killed() {
    let (Ok(path), Ok(begin)) = (std::env::var(STORE), std::env::var(BEGIN)) else { return };
    let mut store = Store::open(Path::new(&path)).expect("a store");
    for number in begin.parse().expect("a step")..STEPS {
        // Past the capturing of the test harness, and at once: the parent may kill at any line.
        step(&mut store, number, |line| writeln!(std::io::stdout(), "{line}").expect("a reader"));
    }
}

/// Everything the store holds, but for the numbers of its rows.
fn dump(path: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("a database");
    let queries = [
        "SELECT cluster, job_id, part, submitted, name, user, state, started, ended, run_seconds, absent, stage, first_reported, reported_by, \
         reported_at, last_seen_in_queue FROM jobs JOIN sightings ON job = jobs.id ORDER BY job_id",
        "SELECT job_id, made, first, start_p025, start_p975, number IS NOT NULL FROM forecasts JOIN jobs ON jobs.id = job \
         LEFT JOIN settlements ON forecast = forecasts.id ORDER BY job_id, made",
        "SELECT name, at FROM marks ORDER BY name",
    ];
    let mut lines = Vec::new();
    for query in queries {
        let mut query = connection.prepare(query).expect("a query");
        let columns = query.column_count();
        let read = |row: &rusqlite::Row<'_>| {
            (0..columns)
                .map(|place| row.get::<_, rusqlite::types::Value>(place).map(|value| format!("{value:?}")))
                .collect()
        };
        let rows: rusqlite::Result<Vec<Vec<String>>> = query.query_map([], read).expect("rows").collect();
        lines.extend(rows.expect("rows").into_iter().map(|row| row.join("|")));
    }
    lines
}

/// A generator for this test: what matters is that it is the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

#[test]
fn killed_at_any_moment_it_has_what_it_acknowledged_once_and_ends_as_if_undisturbed() {
    let folder = tempfile::tempdir().expect("a folder");
    let calm = folder.path().join("calm.db");
    let mut store = Store::open(&calm).expect("a store");
    (0..STEPS).for_each(|number| step(&mut store, number, |_| ()));
    drop(store);
    let expected = dump(&calm);
    let mut random = Random(20_261_115);
    let least = std::env::var("QCAST_KILLS").map_or(KILLS, |kills| kills.parse().expect("a number"));
    let mut kills = 0;
    let mut lives = 0;
    while kills < least {
        let path = folder.path().join(format!("killed-{lives}.db"));
        kills += killed_until_done(&path, &mut random);
        assert_eq!(dump(&path), expected);
        Store::open(&path).expect("a store").check().expect("as it was written");
        lives += 1;
    }
    println!("{kills} kills in {lives} lives of {STEPS} steps");
}

/// Starts the process and kills it, again and again, until it has done all steps. Returns how often it was killed.
fn killed_until_done(path: &Path, random: &mut Random) -> usize {
    let mut kills = 0;
    let mut begin = 0;
    let mut acknowledged: HashSet<String> = HashSet::new();
    while begin < STEPS {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["store_kill::the_process_that_is_killed", "--exact", "--ignored", "--nocapture"])
            .env(STORE, path)
            .env(BEGIN, begin.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test again");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let heard_first = usize::try_from(random.below(24)).expect("small");
        let mut said: Vec<String> = lines.by_ref().take(heard_first).map(|line| line.expect("a line")).collect();
        std::thread::sleep(Duration::from_micros(random.below(2_000)));
        child.kill().expect("SIGKILL");
        // What it said before it died it had done.
        said.extend(lines.map_while(Result::ok));
        let status = child.wait().expect("its end");
        assert!(status.success() || status.code().is_none(), "it failed by itself: {status}");
        kills += usize::from(!status.success());
        for line in said {
            if let Some(done) = line.strip_prefix("done ") {
                begin = done.parse::<i64>().expect("a step") + 1;
            } else if line.starts_with("fact ") {
                assert!(acknowledged.insert(line.clone()), "told twice: {line}");
            } else if line.starts_with("forecast ") {
                acknowledged.insert(line);
            }
        }
        assert!(!status.success() || begin == STEPS, "the process ended by itself after step {begin}");
        drop(Store::open(path).expect("it opens again"));
        assert_holds(path, &acknowledged);
        if begin < STEPS {
            // Whoever starts again may also start earlier than where it was.
            begin = (begin - random.below(3).cast_signed()).max(0);
        }
    }
    kills
}

/// Whether everything acknowledged is there once.
fn assert_holds(path: &Path, acknowledged: &HashSet<String>) {
    let connection = rusqlite::Connection::open(path).expect("a database");
    let strings = |query: &str| -> Vec<String> {
        let mut query = connection.prepare(query).expect("a query");
        let rows = query.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<rusqlite::Result<_>>().expect("rows")
    };
    let mut held = strings("SELECT 'fact ' || job_id || ' arrived' FROM jobs");
    held.extend(strings("SELECT 'fact ' || job_id || ' started' FROM jobs WHERE started IS NOT NULL"));
    held.extend(strings("SELECT 'fact ' || job_id || ' ended' FROM jobs WHERE stage = 'ended'"));
    held.extend(strings("SELECT 'fact ' || job_id || ' withdrawn' FROM jobs WHERE stage = 'withdrawn'"));
    held.extend(strings("SELECT 'forecast ' || job || ' ' || made FROM forecasts"));
    let distinct: HashSet<&String> = held.iter().collect();
    assert_eq!(distinct.len(), held.len(), "something is there twice");
    let lost: Vec<&String> = acknowledged.iter().filter(|line| !distinct.contains(line)).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
}
