//! What our lab's Slurm 22.05 printed (tests/golden), read: every job of every case is there once an attempt, with the states
//! that Slurm itself gave when asked job by job.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use queuecast_records::{BaseState, JobPart, JobRecord, StateFlag};
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_workload::Seconds;

fn golden(name: &str) -> Vec<u8> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/slurm-22.05");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text_jobs(name: &str) -> Vec<JobRecord> {
    let mut reader = SacctReader::new(Cursor::new(golden(name)), None).expect("a header");
    let mut jobs = Vec::new();
    while let Some(entry) = reader.next_entry().expect("a file in memory can be read") {
        match entry {
            Entry::Job(job) => jobs.push(*job),
            Entry::Step => {}
            Entry::Bad(bad) => panic!("{name}: {bad}"),
        }
    }
    jobs
}

fn json_jobs(name: &str) -> Vec<JobRecord> {
    let decoded = Document::parse(&golden(name)).and_then(|document| document.jobs()).expect(name);
    assert_eq!(decoded.problems, [], "{name}");
    decoded.records
}

/// The number people know a job by: that of its array or heterogeneous whole.
fn number(job: &JobRecord) -> u64 {
    match job.key.part {
        JobPart::Whole => job.key.job_id,
        JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => array_job_id,
        JobPart::HetComponent { het_job_id, .. } => het_job_id,
    }
}

/// Case by number, and how many records it has, of jobs that accounting tells of a period.
fn cases() -> BTreeMap<u64, (String, usize)> {
    let table = String::from_utf8(golden("cases.tsv")).expect("our own words");
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let alpha = rows.filter(|row| row[1] == "alpha" && !row[3].contains("PENDING"));
    alpha.map(|row| (row[2].parse().expect("a number"), (row[0].to_owned(), row[3].split(',').count()))).collect()
}

/// Lines that begin as a record does: a number, the delimiter, a job's number. No name of a case looks like that.
fn records_begun(name: &str, delimiter: u8) -> usize {
    let begins = |line: &&[u8]| {
        let mut fields = line.split(|byte| *byte == delimiter);
        let is_number = |field: Option<&[u8]>| field.is_some_and(|field| field.first().is_some_and(u8::is_ascii_digit));
        is_number(fields.next()) && is_number(fields.next())
    };
    golden(name).split(|byte| *byte == b'\n').filter(begins).count()
}

/// A period leaves out what was never eligible: the waiting rest of an array, an attempt cancelled before its time
/// (tests/golden/README.md). So a case may have fewer records than when asked for by number, but not none.
#[test]
fn every_record_of_every_case_is_read_with_either_delimiter() {
    for (name, delimiter) in [("after/sacct-unit-separator.txt", 0x1f), ("after/sacct-pipe.txt", b'|')] {
        let jobs = text_jobs(name);
        assert_eq!(jobs.len(), records_begun(name, delimiter), "{name}");
        for (wanted, (case, attempts)) in cases() {
            let found = jobs.iter().filter(|job| number(job) == wanted).count();
            assert!((1..=attempts).contains(&found), "{case} in {name}: {found}");
        }
    }
}

#[test]
fn steps_are_no_jobs() {
    let numbers =
        |name: &str| text_jobs(name).iter().map(|job| (job.key.job_id, job.key.submitted)).collect::<Vec<_>>();
    assert_eq!(numbers("after/sacct-steps.txt"), numbers("after/sacct-unit-separator.txt"));
}

#[test]
fn a_queue_is_read_although_a_name_in_it_is_not_text() {
    assert!(std::str::from_utf8(&golden("after/squeue.json")).is_err(), "the recording lost what it was kept for");
    let jobs = json_jobs("after/squeue.json");
    for waiting in [12, 13, 15, 16] {
        assert!(jobs.iter().any(|job| number(job) == waiting), "job {waiting} waits and is not in the queue");
    }
    assert_eq!(json_jobs("during/squeue.json").len(), json_jobs("during/rest-jobs.json").len());
}

#[test]
fn a_plan_is_not_a_fact() {
    let jobs = json_jobs("during/squeue.json");
    let waiting = jobs.iter().filter(|job| job.state.base == BaseState::Pending);
    assert!(waiting.clone().count() > 0 && waiting.clone().all(|job| (job.started, job.ended) == (None, None)));
    let after = json_jobs("after/squeue.json");
    let cancelled =
        |id: u64| after.iter().find(|job| job.key.job_id == id).map(|job| (job.started, job.ended.is_some()));
    assert_eq!(cancelled(29), Some((None, true)), "cancelled before it started");
    assert!(cancelled(6).is_some_and(|(started, _)| started.is_some()), "cancelled while it ran");
    let running = jobs.iter().filter(|job| job.state.base == BaseState::Running);
    assert!(running.clone().count() > 0 && running.clone().all(|job| job.started.is_some() && job.ended.is_none()));
}

#[test]
fn whole_nodes_and_the_tasks_of_an_array_are_known() {
    let jobs = json_jobs("during/squeue.json");
    let job = |id: u64| jobs.iter().find(|job| job.key.job_id == id).unwrap_or_else(|| panic!("job {id}"));
    assert_eq!(job(20).exclusive, Some(true), "submitted with --exclusive");
    assert_eq!(job(12).exclusive, Some(false), "submitted without");
    assert_eq!(job(9).array_tasks_waiting(), 8, "3-10%2");
    assert_eq!(job(12).array_tasks_waiting(), 1);
}

#[test]
fn accounting_says_the_same_in_text_and_in_json() {
    let text = text_jobs("after/sacct-unit-separator.txt");
    let json = json_jobs("after/rest-slurmdb-jobs.json");
    let mut compared = 0;
    for one in &json {
        let same = |other: &&JobRecord| (other.key.job_id, other.key.submitted) == (one.key.job_id, one.key.submitted);
        // Some still ran when the text was asked for, and had ended when the JSON was.
        let Some(other) = text.iter().find(same).filter(|other| other.ended.is_some()) else { continue };
        assert_eq!((one.started, one.ended, one.elapsed), (other.started, other.ended, other.elapsed), "{:?}", one.key);
        assert_eq!(one.state.base, other.state.base, "{:?}", one.key);
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}

/// Job 8 was suspended for 27 s.
#[test]
fn the_queue_gives_the_run_time_of_a_job_that_was_suspended_as_accounting_does() {
    let of = |name: &str| json_jobs(name).into_iter().find(|job| job.key.job_id == 8).expect("it is there");
    let (in_queue, in_accounting) = (of("after/squeue.json"), of("after/rest-slurmdb-jobs.json"));
    assert_eq!((in_queue.started, in_queue.ended), (in_accounting.started, in_accounting.ended));
    assert_eq!((in_queue.elapsed, in_accounting.suspended), (in_accounting.elapsed, Some(Seconds(27))));
    assert!(in_queue.elapsed.is_some());
}

#[test]
fn nodes_partitions_and_the_scheduler_are_read() {
    let document = |name: &str| Document::parse(&golden(name)).expect(name);
    assert_eq!(document("during/rest-nodes.json").nodes().expect("nodes").records.len(), 20);
    assert_eq!(document("during/sinfo.json").nodes().expect("nodes").records.len(), 20);
    assert!(!document("during/rest-partitions.json").partitions().expect("partitions").records.is_empty());
    assert!(document("during/rest-diag.json").diagnostics().expect("figures").jobs_submitted > 0);
}

#[test]
fn a_sibling_that_lost_is_revoked() {
    assert!(
        text_jobs("federation-beta/sacct-unit-separator.txt").iter().any(|job| job.state.flags.has(StateFlag::Revoked))
    );
}
