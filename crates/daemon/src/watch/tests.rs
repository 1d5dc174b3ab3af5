//! The watcher with a Slurm that always says the same, and a clock that is turned by hand.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use queuecast_records::source::{Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};
use queuecast_workload::Time;

use super::looking_back::look_back;
use super::{Background, Done, Event, WatchSettings, Watcher, World};
use crate::board::Board;
use crate::clock::WatchClock;
use crate::watch::Pulse;
use queuecast_site::past_waits::PastWaits;
use queuecast_site::published::Published;

use crate::store::ReadingKind;
use crate::store::Store;
use crate::store::test_records::{ended, running, waiting};

const BEGIN: i64 = 1_763_209_200;
const DAY: i64 = 86_400;

/// Seconds since the beginning, turned by hand; how often the queue was asked for; when the one job started, if it has.
#[derive(Clone, Default)]
struct Hand(Arc<(AtomicI64, AtomicU64, AtomicI64)>);

impl Hand {
    fn turn(&self, seconds: i64) {
        self.0.0.fetch_add(seconds, Ordering::Relaxed);
    }

    fn start_the_job(&self) {
        self.0.2.store(self.now().0, Ordering::Relaxed);
    }

    /// Slurm does not answer from now on.
    fn take_slurm_down(&self) {
        self.0.2.store(-1, Ordering::Relaxed);
    }

    fn queue_calls(&self) -> u64 {
        self.0.1.load(Ordering::Relaxed)
    }
}

impl WatchClock for Hand {
    fn now(&self) -> Time {
        Time(BEGIN + self.0.0.load(Ordering::Relaxed))
    }
    fn watched(&self) -> Duration {
        Duration::from_secs(self.0.0.load(Ordering::Relaxed).unsigned_abs())
    }
    fn real(&self, cluster_seconds: f64) -> Duration {
        Duration::from_secs_f64(cluster_seconds)
    }
}

fn all<T>(records: Vec<T>) -> Reading<T> {
    Reading::of(records)
}

impl Source for Hand {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        self.0.1.fetch_add(1, Ordering::Relaxed);
        let job = match self.0.2.load(Ordering::Relaxed) {
            -1 => {
                return Err(SourceError::NotRun {
                    program: "squeue".to_owned(),
                    error: std::io::ErrorKind::NotFound.into(),
                });
            }
            0 => waiting(7, BEGIN - 100),
            started => running(7, BEGIN - 100, started),
        };
        Ok(all(vec![job]))
    }
    fn accounting(&self, _: Period) -> Result<Reading<JobRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        Ok(all(vec![NodeRecord {
            name: "a1".to_owned(),
            states: vec!["IDLE".to_owned()],
            cpus: 4,
            partitions: vec!["batch".to_owned()],
            ..NodeRecord::default()
        }]))
    }
    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        Ok(all(vec![PartitionRecord { name: "batch".to_owned(), is_default: true, ..PartitionRecord::default() }]))
    }
    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        Err(SourceError::NotRun { program: "scontrol".to_owned(), error: std::io::ErrorKind::NotFound.into() })
    }
    fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        Ok(all(Vec::new()))
    }
    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        Ok(Diagnostics::default())
    }
}

fn watcher(store: Store, hand: &Hand) -> (Watcher, Board, Receiver<Event>) {
    let (tell, events) = channel();
    let (clock, source, board) = (hand.clone(), hand.clone(), Board::new(Published::nothing_yet()));
    let world = World {
        clock: Box::new(clock),
        connect: Box::new(move || Ok(Box::new(source.clone()))),
        background: Background::Threads(tell),
    };
    let settings = WatchSettings { says_what_fails: false, ..WatchSettings::default() };
    let watcher = Watcher::new(store, board.clone(), world, settings).expect("a store that can be read");
    (watcher, board, events)
}

fn next(events: &Receiver<Event>) -> Done {
    match events.recv_timeout(Duration::from_secs(20)) {
        Ok(Event::Done(done)) => done,
        _ => panic!("nothing is done"),
    }
}

#[test]
fn facts_are_read_on_time_while_a_forecast_is_made_and_the_newest_is_forecast_next() {
    let hand = Hand::default();
    let (mut watcher, board, events) = watcher(Store::in_memory().expect("memory"), &hand);
    watcher.step().expect("a store");
    for calls in 2..=4 {
        hand.turn(30);
        watcher.step().expect("a store");
        assert_eq!(hand.queue_calls(), calls, "the queue is read although nobody has taken the first forecast");
    }
    assert_eq!(board.read().published.forecast, None);
    watcher.done(next(&events)).expect("kept");
    assert_eq!(board.read().published.forecast, Some(Time(BEGIN)));
    watcher.done(next(&events)).expect("kept");
    assert_eq!(board.read().published.forecast, Some(Time(BEGIN + 90)), "those in between are left out");
    assert!(events.try_recv().is_err(), "nothing is forecast twice");
}

#[test]
fn nothing_is_published_when_nothing_is_new() {
    let hand = Hand::default();
    let (mut watcher, board, events) = watcher(Store::in_memory().expect("memory"), &hand);
    let pause = watcher.step().expect("a store");
    assert_eq!(pause, Duration::from_secs(30));
    watcher.done(next(&events)).expect("kept");
    let before = board.read();
    hand.turn(29);
    assert_eq!(watcher.step().expect("a store"), Duration::from_secs(1));
    assert!(Arc::ptr_eq(&before, &board.read()));
    hand.turn(1);
    watcher.step().expect("a store");
    assert!(!Arc::ptr_eq(&before, &board.read()), "the queue was read");
}

/// Whether the store is checked in the first hour after a start.
fn is_checked_at_start(path: &Path, hand: &Hand) -> bool {
    let (mut watcher, _, events) = watcher(Store::open(path).expect("a store"), hand);
    let mut is_checked = false;
    for _ in 0..2 {
        watcher.step().expect("a store");
        // Whatever was begun is done before the clock is turned: a forecast, and perhaps a check.
        while let Ok(Event::Done(done)) = events.recv_timeout(Duration::from_millis(400)) {
            is_checked |= matches!(done, Done::Checked(_));
            watcher.done(done).expect("as it was written");
        }
        hand.turn(1_800);
    }
    is_checked
}

#[test]
fn the_whole_store_is_checked_once_a_day_and_not_at_every_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let hand = Hand::default();
    assert!(is_checked_at_start(&path, &hand), "nobody has ever checked it");
    assert!(!is_checked_at_start(&path, &hand), "an hour ago");
    hand.turn(DAY);
    assert!(is_checked_at_start(&path, &hand));
    hand.turn(-3 * DAY / 2);
    assert!(is_checked_at_start(&path, &hand), "a clock that was put back does not keep it from being checked");
}

#[test]
fn a_store_found_damaged_beside_the_watching_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let hand = Hand::default();
    let (mut watcher, _, events) = watcher(Store::open(&path).expect("a store"), &hand);
    watcher.step().expect("a store");
    for _ in ["a forecast", "a look back", "a check"] {
        watcher.done(next(&events)).expect("as it was written");
    }
    let other = rusqlite::Connection::open(&path).expect("its file");
    other.execute("UPDATE jobs SET name = 'another'", []).expect("a change that we did not make");
    hand.turn(DAY);
    watcher.step().expect("a store");
    let found: Vec<_> = [next(&events), next(&events), next(&events)].map(|done| watcher.done(done)).into();
    let errors: Vec<String> = found.into_iter().filter_map(|found| Some(found.err()?.to_string())).collect();
    assert!(
        matches!(&errors[..], [error] if error.contains("rows of table jobs do not match their checksums")),
        "{errors:?}"
    );
}

#[test]
fn what_was_learnt_from_a_start_outlives_the_daemon() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let hand = Hand::default();
    let (mut before, _, events) = watcher(Store::open(&path).expect("a store"), &hand);
    let nothing = before.forecasting.learner.learnt_waits();
    before.step().expect("a store");
    for _ in ["a forecast", "a look back", "a check"] {
        before.done(next(&events)).expect("kept");
    }
    hand.turn(600);
    hand.start_the_job();
    hand.turn(30);
    before.step().expect("a store");
    let learnt = before.forecasting.learner.learnt_waits();
    assert_ne!(learnt, nothing);
    let (stop, told) = channel();
    stop.send(Event::Stop).expect("heard");
    before.watch(&told, &Pulse::default()).expect("a store");
    let (after, ..) = watcher(Store::open(&path).expect("a store"), &hand);
    assert_eq!(after.forecasting.learner.learnt_waits(), learnt);
}

#[test]
fn a_look_back_that_fails_leaves_what_was_found_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let mut store = Store::open(&path).expect("a store");
    store.take_in(&[ended(9, BEGIN - 900, BEGIN - 300, BEGIN)], ReadingKind::Queue, Time(BEGIN)).expect("taken in");
    let (mut watcher, ..) = watcher(store, &Hand::default());
    let looked = |path: &Path| {
        let zone = jiff::tz::TimeZone::UTC;
        let found = Store::open_to_read(path).and_then(|store| look_back(&store, Time(BEGIN), &zone));
        Done::LookedBack(found.map(Box::new))
    };
    watcher.done(looked(&path)).expect("found");
    let before = watcher.past_waits.clone();
    assert_ne!(*before, PastWaits::default(), "a job waited");
    watcher.done(looked(&folder.path().join("nothing.sqlite"))).expect("that does not end it");
    assert_eq!(watcher.past_waits, before);
}

/// A store in which so many jobs ended before the beginning, an hour apart.
fn with_history(jobs: u64) -> Store {
    let mut store = Store::in_memory().expect("memory");
    let records: Vec<JobRecord> = (1..=jobs)
        .map(|number| {
            let at = BEGIN - 3_600 * number.cast_signed();
            ended(1_000 + number, at - 500, at - 400, at)
        })
        .collect();
    store.take_in(&records, ReadingKind::Queue, Time(BEGIN)).expect("taken in");
    store
}

/// The attack of the audit: the clock two years ahead and Slurm down at the start, and all history was gone.
#[test]
fn a_clock_that_is_years_ahead_makes_nobody_forget_whether_slurm_is_up_or_not() {
    for is_down in [true, false] {
        let hand = Hand::default();
        hand.turn(730 * DAY);
        if is_down {
            hand.take_slurm_down();
        }
        let (mut watcher, _, events) = watcher(with_history(300), &hand);
        for _ in 0..3 {
            watcher.step().expect("a store");
            while let Ok(Event::Done(done)) = events.recv_timeout(Duration::from_millis(300)) {
                watcher.done(done).expect("kept");
            }
            hand.turn(DAY);
        }
        assert!(watcher.store.job_count() >= 300, "{is_down}: {} are left", watcher.store.job_count());
    }
}

#[test]
fn what_is_older_than_is_kept_is_forgotten_when_slurm_says_what_time_it_is() {
    let hand = Hand::default();
    hand.turn(410 * DAY);
    hand.start_the_job();
    let (mut watcher, _, events) = watcher(with_history(300), &hand);
    watcher.step().expect("a store");
    watcher.done(next(&events)).expect("kept");
    assert!(watcher.store.job_count() < 100, "{} are left", watcher.store.job_count());
}

#[test]
fn a_disk_that_cannot_be_written_leaves_it_answering_from_memory_and_it_comes_back_by_itself() {
    let hand = Hand::default();
    let (mut watcher, board, events) = watcher(with_history(50), &hand);
    watcher.store.refuse_writes(true);
    for _ in 0..3 {
        watcher.step().expect("that does not end it");
        watcher.done(next(&events)).expect("nor when a forecast is to be kept");
        let published = &board.read().published;
        assert_eq!(published.forecast, Some(hand.now()), "it is forecast all the same");
        assert!(!published.jobs.is_empty() && published.jobs.iter().all(|job| !job.kept), "and not said to be kept");
        assert!(published.health.store_problem.as_ref().is_some_and(|problem| problem.contains("this user may write")));
        hand.turn(1_800);
    }
    watcher.store.refuse_writes(false);
    watcher.step().expect("a store");
    watcher.done(next(&events)).expect("kept");
    let published = &board.read().published;
    assert_eq!(published.health.store_problem, None);
    assert!(published.jobs.iter().any(|job| job.kept), "what is said is kept again");
}

#[test]
fn a_store_as_large_as_it_may_be_is_a_full_disk_which_passes() {
    let mut store = with_history(50);
    store.limit_bytes(Some(1)).expect("as large as it is");
    let many: Vec<JobRecord> = (0..2_000).map(|number| ended(10_000 + number, BEGIN - 50, BEGIN - 40, BEGIN)).collect();
    let full = store.take_in(&many, ReadingKind::Queue, Time(BEGIN + 1)).expect_err("there is no room");
    assert!(full.passes() && full.to_string().contains("free some disk space"), "{full}");
    assert_eq!(store.job_count(), 50, "all or nothing");
    store.limit_bytes(None).expect("room");
    store.take_in(&many, ReadingKind::Queue, Time(BEGIN + 2)).expect("there is room");
    assert_eq!(store.job_count(), 2_050);
}

#[test]
fn a_store_that_is_nearly_as_large_as_it_may_be_forgets_its_oldest_jobs_and_keeps_a_week() {
    let hand = Hand::default();
    hand.start_the_job();
    let (mut watcher, _, events) = watcher(with_history(2_000), &hand);
    let full = watcher.store.bytes_used().expect("a size");
    watcher.settings.store_bytes = Some(full / 2);
    watcher.step().expect("a store");
    watcher.done(next(&events)).expect("kept");
    let left = watcher.store.job_count();
    assert!((168..1_200).contains(&left), "{left} are left of 2,000");
    assert!(watcher.store.bytes_used().expect("a size") < full / 2);
}
