//! A store whose bytes the disk has changed is found damaged, or holds what it held; it never panics and never lies (F3).

use std::path::Path;

use queuecast_daemon::store::{KeptForecast, ReadingKind, Store, StoreError};
use queuecast_records::source::Period;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState};
use queuecast_workload::{Seconds, Time};

const TRIALS: u64 = 300;

fn ended(number: u64) -> JobRecord {
    let submitted = Time(1_700_000_000 + number.cast_signed() * 7);
    let key = JobKey { cluster: "alpha".into(), job_id: number, part: JobPart::Whole, submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words(["COMPLETED"]));
    record.name = format!("simulation {number}");
    record.user = format!("user{:02}", number % 17);
    record.partitions = vec!["batch".into()];
    record.started = Some(submitted + Seconds(50));
    record.ended = Some(submitted + Seconds(500));
    record.elapsed = Some(Seconds(450));
    record
}

fn filled(path: &Path) {
    let mut store = Store::open(path).expect("a store");
    let records: Vec<JobRecord> = (0..400).map(ended).collect();
    let period = Period { from: Time(0), to: Time(1_800_000_000) };
    let facts = store.take_in(&records, ReadingKind::Accounting(period), Time(1_800_000_000)).expect("taken in");
    let mut jobs: Vec<_> = facts.iter().map(|fact| fact.job).collect();
    jobs.dedup();
    let forecasts: Vec<KeptForecast> = jobs
        .into_iter()
        .map(|job| KeptForecast {
            job,
            made: Time(1_700_000_000),
            start: [Time(1_700_000_100); 9],
            raw: [Time(1_700_000_090); 9],
            run_median: Some(Seconds(400)),
            completion_median: None,
            slurm_planned: None,
            experts: [Time(0); 6],
        })
        .collect();
    store.give(&forecasts).expect("kept");
}

/// Everything that is learnt from and scored.
fn content(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut content = Vec::new();
    store.history(usize::MAX, |job, record| content.push(format!("{job:?} {record:?}")))?;
    content.extend(store.scored(None, usize::MAX)?.iter().map(|scored| format!("{scored:?}")));
    Ok(content)
}

/// What came of using a damaged store in every way there is: an error, or its content.
fn used(path: &Path) -> Result<Vec<String>, StoreError> {
    let mut store = Store::open(path)?;
    store.check()?;
    let content = content(&store)?;
    // Whatever these say, they do not panic.
    store.open_jobs()?;
    store.last_given()?;
    store.gaps()?;
    store.forecast_counts()?;
    store.take_in(&[ended(9_000), ended(3)], ReadingKind::Queue, Time(1_800_000_100))?;
    store.vanished(Time(1_900_000_000), queuecast_daemon::store::VanishingRules::default())?;
    store.forget(Time(1_700_000_600))?;
    Ok(content)
}

#[test]
fn changed_bytes_are_found_or_changed_nothing_that_matters() {
    let folder = tempfile::tempdir().expect("a folder");
    let original = folder.path().join("original.db");
    filled(&original);
    let bytes = std::fs::read(&original).expect("its bytes");
    let expected = content(&Store::open(&original).expect("a store")).expect("its content");
    assert_eq!(expected.len(), 800);
    let mut random = 0x5eed_u64;
    let mut below = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % bound as u64).expect("below a size")
    };
    let (mut refused, mut harmless) = (0, 0);
    for trial in 0..TRIALS {
        let mut damaged = bytes.clone();
        match trial % 4 {
            // One bit; a few bytes; a block of zeros, as a lost write leaves; the end missing.
            0 => damaged[below(bytes.len())] ^= 1 << below(8),
            1 => (0..8).for_each(|_| damaged[below(bytes.len())] = u8::try_from(below(256)).expect("a byte")),
            2 => {
                let block = below(bytes.len() / 512) * 512;
                damaged[block..block + 512].fill(0);
            }
            _ => damaged.truncate(below(bytes.len())),
        }
        let path = folder.path().join(format!("{trial}.db"));
        std::fs::write(&path, &damaged).expect("written");
        match used(&path) {
            Err(error) => {
                assert!(error.to_string().contains(".db"), "{error}");
                refused += 1;
            }
            // An empty file is an empty store: it was truncated to nothing.
            Ok(content) if damaged.is_empty() => assert!(content.is_empty()),
            Ok(content) => {
                assert!(content == expected, "trial {trial}: what it holds has changed and nobody noticed");
                harmless += 1;
            }
        }
        std::fs::remove_file(&path).expect("removed");
    }
    println!("{refused} of {TRIALS} refused, {harmless} harmless");
    assert!(refused > TRIALS / 3, "only {refused} were noticed");
}
