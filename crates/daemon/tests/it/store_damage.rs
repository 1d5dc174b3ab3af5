//! A store whose bytes the disk has changed is found damaged, or holds what it held; it never panics and never lies (F3).
//!
//! "What it held" is the answer to every question there is, and what comes of taking more in: facts, vanished jobs, what is forgotten.
//!
//! More bits: `QCAST_FLIPS=100000 cargo nextest run --workspace --run-ignored only --no-capture -E 'test(ten_thousand_flipped_bits)'`.

use std::path::Path;

use queuecast_daemon::store::{KeptForecast, KeptLearning, ReadingKind, Store, StoreError, VanishingRules};
use queuecast_records::source::Period;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState, WrittenJobId};
use queuecast_workload::{Seconds, Time};

const TRIALS: u64 = 300;
const FLIPS: usize = 250;
const FLIPS_IN_A_SOAK: usize = 10_000;
/// The header of a database of `SQLite`.
const HEADER_BYTES: usize = 100;

const BEGUN: i64 = 1_700_000_000;

fn job(number: u64, words: &str) -> JobRecord {
    let submitted = Time(BEGUN + number.cast_signed() * 7);
    let key = JobKey { cluster: "alpha".into(), job_id: number, part: JobPart::Whole, submitted, sluid: None };
    let mut record = JobRecord::new(key, JobState::from_words([words]));
    record.name = format!("simulation {number}");
    record.user = format!("user{:02}", number % 17);
    record.partitions = vec!["batch".into()];
    record
}

fn ended(number: u64) -> JobRecord {
    let mut record = job(number, "COMPLETED");
    let submitted = record.key.submitted;
    record.started = Some(submitted + Seconds(50));
    record.ended = Some(submitted + Seconds(500));
    record.elapsed = Some(Seconds(450));
    record
}

/// One that waits, runs or was withdrawn.
fn other(number: u64) -> JobRecord {
    let mut record = job(number, ["PENDING", "RUNNING", "CANCELLED"][usize::try_from(number % 3).expect("small")]);
    let submitted = record.key.submitted;
    record.started = (number % 3 == 1).then_some(submitted + Seconds(40));
    record.ended = (number % 3 == 2).then_some(submitted + Seconds(30));
    record
}

/// A store that has something in every table, and pages that were freed.
fn filled(path: &Path) {
    let mut store = Store::open(path).expect("a store");
    let now = Time(BEGUN + 20_000);
    let everything = Period { from: Time(0), to: now };
    // Seen waiting first, so that their forecasts are settled by their starts.
    let waiting: Vec<JobRecord> = (100..500).map(|number| job(number, "PENDING")).collect();
    let facts = store.take_in(&waiting, ReadingKind::Queue, Time(BEGUN + 4_000)).expect("taken in");
    let forecasts = |made: i64, jobs: &mut dyn Iterator<Item = _>| -> Vec<KeptForecast> {
        let keep = |job| KeptForecast {
            job,
            made: Time(made),
            start: std::array::from_fn(|place| Time(made + 100 * place as i64)),
            raw: std::array::from_fn(|place| Time(made + 90 * place as i64)),
            run_median: Some(Seconds(400)),
            completion_median: None,
            slurm_estimate: Some(Time(made + 77)),
            experts: std::array::from_fn(|place| Time(made + 10 * place as i64)),
        };
        jobs.map(keep).collect()
    };
    store.give(&forecasts(BEGUN + 4_000, &mut facts.iter().map(|fact| fact.job))).expect("kept");
    let old: Vec<JobRecord> = (0..100).map(ended).collect();
    store.take_in(&old, ReadingKind::Export, Time(BEGUN + 4_100)).expect("taken in");
    let records: Vec<JobRecord> = (100..500).map(ended).collect();
    store.take_in(&records, ReadingKind::Accounting(everything), now).expect("taken in");
    let open: Vec<JobRecord> = (500..560).map(other).collect();
    let facts = store.take_in(&open, ReadingKind::Queue, now).expect("taken in");
    let mut waiting = facts.iter().filter(|fact| fact.record.key.job_id % 3 == 0).map(|fact| fact.job);
    store.give(&forecasts(now.0, &mut waiting)).expect("kept");
    store.take_in(&open, ReadingKind::Queue, now + Seconds(30)).expect("taken in");
    let learning = KeptLearning { version: 3, kept: now, bytes: (0..=255).cycle().take(9_000).collect() };
    store.keep_learning(&learning).expect("kept");
    store.note_checked(now).expect("noted");
    assert_eq!(store.forget(Time(BEGUN + 500 + 100 * 7)).expect("forgotten"), 100);
}

/// What comes of using a store in every way there is: an error, or every answer, and everything that is made of more readings.
fn used(path: &Path) -> Result<Vec<String>, StoreError> {
    let mut store = Store::open(path)?;
    store.check()?;
    let mut answers = vec![format!("{} jobs", store.job_count())];
    for most in [usize::MAX, 50] {
        store.history(most, |job, record| answers.push(format!("{job:?} {record:?}")))?;
    }
    answers.extend(store.scored(None, usize::MAX)?.iter().map(|scored| format!("{scored:?}")));
    answers.extend(store.open_jobs()?.iter().map(|open| format!("{open:?}")));
    let mut given: Vec<_> = store.last_given()?.into_iter().map(|(job, made)| (job.0, made)).collect();
    given.sort_unstable();
    answers.push(format!("{given:?} {:?} {:?}", store.gaps()?, store.forecast_counts()?));
    answers.push(format!("{:?} {:?}", store.learning()?, store.checked()?));
    let marks = [store.accounting_read_up_to()?, store.queue_read()?, store.history_begins()?];
    answers.push(format!("{marks:?}"));
    for number in (90..600).step_by(5) {
        let id = WrittenJobId::parse(number.to_string().as_bytes()).expect("a number");
        answers.push(format!("{:?} {:?}", store.find(&ended(number).key)?, store.ended(&id)?));
    }
    // What is made of what comes next.
    let now = Time(BEGUN + 23_000);
    let mut next = vec![ended(9_000), ended(3), ended(501), ended(503)];
    next.extend((510..550).map(other));
    let period = Period { from: Time(BEGUN + 19_000), to: now };
    for reading in [ReadingKind::Accounting(period), ReadingKind::Queue] {
        answers.extend(store.take_in(&next, reading, now)?.iter().map(|fact| format!("{fact:?}")));
    }
    store.take_in(&next, ReadingKind::Queue, now + Seconds(60))?;
    let gone = store.vanished(now + Seconds(120), VanishingRules::default())?;
    answers.extend(gone.iter().map(|fact| format!("{fact:?}")));
    answers.push(format!("{:?} {}", store.accounting_read_up_to()?, store.forget(Time(BEGUN + 500 + 300 * 7))?));
    answers.extend(store.scored(None, usize::MAX)?.iter().map(|scored| format!("{scored:?}")));
    Ok(answers)
}

/// What is said of a file with these bytes.
fn used_with(folder: &Path, bytes: &[u8]) -> Result<Vec<String>, StoreError> {
    let path = folder.join("damaged.db");
    for beside in ["damaged.db-wal", "damaged.db-shm"] {
        // Usually there is none.
        let _ = std::fs::remove_file(folder.join(beside));
    }
    std::fs::write(&path, bytes).expect("written");
    used(&path)
}

/// The bytes of a filled store, and what is said of it.
fn original(folder: &Path) -> (Vec<u8>, Vec<String>) {
    let path = folder.join("original.db");
    filled(&path);
    let bytes = std::fs::read(&path).expect("its bytes");
    let expected = used_with(folder, &bytes).expect("it is whole");
    assert!(expected.len() > 1_000, "only {} answers", expected.len());
    assert_eq!(used_with(folder, &bytes).expect("it is whole"), expected, "the same again");
    (bytes, expected)
}

/// A generator for this test: what matters is that it is the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a size")
    }
}

/// Flips these bits, one at a time. Says how many were refused and how many harmless, and where one changed an answer.
fn flipped(folder: &Path, bits: impl Iterator<Item = usize>) -> (usize, usize, Vec<String>) {
    let (bytes, expected) = original(folder);
    let (mut refused, mut harmless, mut wrong) = (0, 0, Vec::new());
    for bit in bits {
        let (byte, mask) = (bit / 8 % bytes.len(), 1 << (bit % 8));
        let mut damaged = bytes.clone();
        damaged[byte] ^= mask;
        match used_with(folder, &damaged) {
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("damaged.db"), "{error}");
                refused += 1;
            }
            Ok(answers) if answers == expected => harmless += 1,
            Ok(answers) => {
                let at = answers.iter().zip(&expected).find(|(now, before)| now != before);
                wrong.push(format!("bit {mask:#04x} of byte {byte} (page {}): {at:?}", byte / 4_096 + 1));
            }
        }
    }
    println!("{refused} refused, {harmless} harmless, {} wrong", wrong.len());
    (refused, harmless, wrong)
}

#[test]
fn a_flipped_bit_anywhere_is_found_or_changes_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(0x00f1_1bed);
    let (refused, harmless, wrong) = flipped(folder.path(), (0..FLIPS).map(|_| random.below(usize::MAX)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(refused + harmless, FLIPS);
    assert!(refused > FLIPS / 3, "only {refused} were noticed: is anything flipped?");
}

#[test]
fn a_flipped_bit_in_any_byte_of_the_header_is_found_or_changes_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let (refused, _, wrong) = flipped(folder.path(), (0..HEADER_BYTES).map(|byte| byte * 8 + byte % 8));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > HEADER_BYTES / 5, "only {refused} were noticed");
}

#[test]
#[ignore = "takes minutes: ten thousand bits, or QCAST_FLIPS of them, and every bit of the header"]
fn ten_thousand_flipped_bits_are_found_or_change_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let flips = std::env::var("QCAST_FLIPS").map_or(FLIPS_IN_A_SOAK, |flips| flips.parse().expect("a number"));
    let mut random = Random(0x5eed_f11b);
    let anywhere = (0..flips).map(|_| random.below(usize::MAX));
    let (_, _, wrong) = flipped(folder.path(), (0..HEADER_BYTES * 8).chain(anywhere));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn changed_bytes_are_found_or_changed_nothing_that_matters() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bytes, expected) = original(folder.path());
    let mut random = Random(0x5eed);
    let (mut refused, mut harmless) = (0, 0);
    for trial in 0..TRIALS {
        let mut damaged = bytes.clone();
        match trial % 3 {
            // A few bytes; a block of zeros, as a lost write leaves; the end missing.
            0 => (0..8)
                .for_each(|_| damaged[random.below(bytes.len())] = u8::try_from(random.below(256)).expect("a byte")),
            1 => {
                let block = random.below(bytes.len() / 512) * 512;
                damaged[block..block + 512].fill(0);
            }
            _ => damaged.truncate(random.below(bytes.len())),
        }
        match used_with(folder.path(), &damaged) {
            Err(error) => {
                assert!(error.to_string().contains(".db"), "{error}");
                refused += 1;
            }
            Ok(_) if damaged.is_empty() => {}
            Ok(answers) => {
                assert!(answers == expected, "trial {trial}: what it holds has changed and nobody noticed");
                harmless += 1;
            }
        }
    }
    println!("{refused} of {TRIALS} refused, {harmless} harmless");
    assert!(refused > TRIALS / 3, "only {refused} were noticed");
}
