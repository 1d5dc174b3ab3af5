//! What the store does when the disk is full, refuses to be written, or loses its power: it says so, keeps what it had acknowledged, and goes
//! on when the disk does.
//!
//! The daemon is not in these: what it makes of an error of the store is `seeds.rs`'s.

use std::path::Path;

use queuecast_box::disk::{Cut, DiskHandle};
use queuecast_daemon::store::{KeptForecast, ReadingKind, Store, StoreError};
use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
use queuecast_site::ledger::FactKind;
use queuecast_workload::Time;

const BEGUN: i64 = 1_763_000_000;
/// Seeds of the gate; `QCAST_POWER_SEEDS` for more.
const POWER_SEEDS: u64 = 50;

fn waiting(number: u64) -> JobRecord {
    let submitted = Time(BEGUN + number.cast_signed());
    let key = JobKey { cluster: "alpha".into(), job_id: number, part: JobPart::Whole, submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words(["PENDING"]));
    record.name = format!("job {number}");
    record.user = "anna".into();
    record
}

/// One reading of the queue with fifty new jobs, and a forecast of each.
fn step(store: &mut Store, step: u64) -> Result<usize, StoreError> {
    let now = Time(BEGUN + 1_000 + step.cast_signed() * 30);
    let records: Vec<JobRecord> = (step * 50..(step + 1) * 50).map(waiting).collect();
    let facts = store.take_in(&records, ReadingKind::Queue, now)?;
    assert!(facts.iter().all(|fact| fact.kind == FactKind::Arrived), "{facts:?}");
    let forecasts: Vec<KeptForecast> = records
        .iter()
        .map(|record| {
            let job = store.find(&record.key)?.expect("it was taken in");
            let experts = [now; 6];
            let (start, raw) = ([now; 9], [now; 9]);
            let (run_median, completion_median, slurm_estimate) = (None, None, None);
            Ok(KeptForecast { job, made: now, start, raw, run_median, completion_median, slurm_estimate, experts })
        })
        .collect::<Result<_, StoreError>>()?;
    store.give(&forecasts)?;
    Ok(facts.len())
}

/// What is there: jobs and forecasts.
fn held(store: &Store) -> (usize, u64) {
    (store.open_jobs().expect("it can be read").len(), store.forecast_counts().expect("it can be read").0)
}

/// A store on a simulated disk, and the disk.
fn on_disk(folder: &Path, name: &str, seed: u64) -> (std::path::PathBuf, DiskHandle) {
    let path = folder.join(name);
    let disk = DiskHandle::new(&path.to_string_lossy(), seed);
    (path, disk)
}

#[test]
fn a_full_disk_is_said_at_any_byte_what_was_there_stays_and_the_same_step_is_taken_when_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut refused = 0;
    for room in (0..120_000).step_by(3_989) {
        let (path, disk) = on_disk(folder.path(), &format!("full-{room}.db"), room);
        let mut store = Store::open(&path).expect("a store");
        step(&mut store, 0).expect("there is room");
        let before = held(&store);
        assert_eq!(before, (50, 50));
        disk.limit_room(Some(room));
        let mut steps = 1;
        let error = loop {
            match step(&mut store, steps) {
                Ok(_) if steps < 40 => steps += 1,
                Ok(_) => break None,
                Err(error) => break Some(error),
            }
        };
        let Some(error) = error else { panic!("{room} bytes were enough for 40 steps") };
        refused += 1;
        assert!(error.to_string().contains("full") && error.to_string().contains("free some disk space"), "{error}");
        let (jobs, forecasts) = held(&store);
        let whole = usize::try_from(steps).expect("few") * 50;
        // The step is two transactions: jobs and then forecasts; each is there whole or not at all.
        assert!(jobs == whole || jobs == whole + 50, "{jobs} jobs after {steps} steps");
        assert_eq!(forecasts, whole as u64, "forecasts that were not acknowledged are not there");
        disk.limit_room(None);
        // Nobody arrives twice, whoever was kept; everybody is there in the end.
        step(&mut store, steps).expect("there is room again");
        assert_eq!(held(&store), (whole + 50, whole as u64 + 50));
        store.check().expect("as it was written");
        drop(store);
        DiskHandle::remove(&path.to_string_lossy());
    }
    assert!(refused > 25, "only {refused} were refused");
}

#[test]
fn a_disk_that_becomes_read_only_can_be_read_and_is_written_again_when_it_can_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, disk) = on_disk(folder.path(), "read-only.db", 1);
    let mut store = Store::open(&path).expect("a store");
    step(&mut store, 0).expect("it can be written");
    disk.refuse_writes(true);
    for _ in 0..5 {
        let error = step(&mut store, 1).expect_err("it cannot be written");
        assert!(error.to_string().contains("read-only.db"), "{error}");
        assert_eq!(held(&store), (50, 50));
    }
    store.check().expect("it can be read");
    disk.refuse_writes(false);
    step(&mut store, 1).expect("it can be written again");
    assert_eq!(held(&store), (100, 100));
    // Nor can it be opened to write, which leaves it as it was.
    drop(store);
    disk.refuse_writes(true);
    if let Ok(mut store) = Store::open(&path) {
        step(&mut store, 2).expect_err("it cannot be written");
    }
    disk.refuse_writes(false);
    let store = Store::open(&path).expect("it is whole");
    assert_eq!(held(&store), (100, 100));
}

#[test]
fn power_lost_at_any_write_takes_nothing_that_was_acknowledged_and_leaves_no_half() {
    let folder = tempfile::tempdir().expect("a folder");
    let seeds = std::env::var("QCAST_POWER_SEEDS").map_or(POWER_SEEDS, |seeds| seeds.parse().expect("a number"));
    let (mut cuts, mut lost) = (0_u64, 0_u64);
    for seed in 0..seeds {
        let (path, disk) = on_disk(folder.path(), &format!("power-{seed}.db"), seed);
        let mut acknowledged = 0;
        // Lives that end at the writes 0, 1, 2 and so on; seeds begin at different ones, the opening of the store included.
        for life in 0..6 {
            let after = (seed * 7 + life * 11) % 97;
            disk.plan_cut(after, Cut::Power, || ());
            let mut done = acknowledged;
            let opened = Store::open(&path);
            if let Ok(mut store) = opened {
                assert!(store.job_count() >= acknowledged * 50, "acknowledged and gone");
                for _ in 0..8 {
                    if disk.is_cut() {
                        break;
                    }
                    let taken = step(&mut store, done);
                    if disk.is_cut() {
                        break;
                    }
                    taken.expect("nothing is wrong but the power");
                    done += 1;
                }
            } else {
                assert!(disk.is_cut(), "seed {seed}: {opened:?}");
            }
            cuts += u64::from(disk.is_cut());
            acknowledged = done;
            disk.pass_on(Cut::Power);
            let store = Store::open(&path).unwrap_or_else(|error| panic!("seed {seed}, write {after}: {error}"));
            store.check().unwrap_or_else(|error| panic!("seed {seed}, write {after}: {error}"));
            let (jobs, forecasts) = held(&store);
            let whole = usize::try_from(acknowledged).expect("few") * 50;
            assert!(jobs == whole || jobs == whole + 50, "seed {seed}, write {after}: {jobs} jobs of {whole}");
            let forecasts_whole = whole as u64;
            assert!(
                forecasts == forecasts_whole || forecasts == forecasts_whole + 50,
                "seed {seed}, write {after}: {forecasts} forecasts of {forecasts_whole}"
            );
            lost += u64::from(jobs == whole);
            // A step that is there whole and was not acknowledged is asked for again, and nobody in it arrives again.
        }
        DiskHandle::remove(&path.to_string_lossy());
    }
    println!("{cuts} cuts of power in {seeds} seeds, {lost} of them without the step they were in");
    assert!(cuts > seeds * 2 && lost > 0, "{cuts} cuts, {lost} of them took a step");
}
