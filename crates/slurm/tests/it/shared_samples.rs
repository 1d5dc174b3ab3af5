//! Every recorded output of a real Slurm decodes to as many records as it has, and to what it says.
//!
//! Needs `$QCAST_SHARED/slurm-lab/samples` (recorded with 22.05.8, 24.11.7 and 26.05.3).

use std::fs;
use std::path::{Path, PathBuf};

use queuecast_records::history::History;
use queuecast_records::{BaseState, JobPart, JobRecord, StartedBy, StateFlag, TimeLimit};
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_testkit::shared_dir;
use queuecast_workload::{Seconds, Time};

fn samples() -> Option<PathBuf> {
    shared_dir().map(|folder| folder.join("slurm-lab/samples"))
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in [folder.to_owned(), folder.join("newer")] {
        let entries = fs::read_dir(folder).expect("the folder can be listed");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

fn text_jobs(path: &Path) -> Vec<JobRecord> {
    let bytes = fs::read(path).expect("the sample can be read");
    let reader = SacctReader::new(&bytes[..], None).expect("a header");
    let entries = reader.map(|entry| entry.expect("memory reads"));
    let jobs = entries.map(|entry| match entry {
        Entry::Job(job) => *job,
        other => panic!("{}: {other:?}", path.display()),
    });
    jobs.collect()
}

fn json_jobs(path: &Path) -> Vec<JobRecord> {
    let document = Document::parse(&fs::read(path).expect("the sample can be read")).expect("JSON");
    let decoded = document.jobs().expect("jobs");
    assert_eq!(decoded.problems, [], "{}", path.display());
    decoded.records
}

#[test]
fn every_json_sample_gives_as_many_records_as_it_has() {
    let Some(folder) = samples() else { return };
    let (mut files, mut jobs) = (0, 0);
    for path in json_files(&folder) {
        let bytes = fs::read(&path).expect("the sample can be read");
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        let length = |name: &str| value.get(name).and_then(serde_json::Value::as_array).map(Vec::len);
        let document = Document::parse(&bytes).expect("JSON");
        assert!(document.errors().is_empty() && document.release().is_some(), "{}", path.display());
        let shown = path.display();
        if let Some(count) = length("jobs") {
            assert_eq!(json_jobs(&path).len(), count, "{shown}");
            jobs += count;
        } else if let Some(count) = length("nodes") {
            let nodes = document.nodes().expect("nodes");
            assert_eq!((nodes.records.len(), nodes.problems.len()), (count, 0), "{shown}");
        } else if let Some(count) = length("partitions") {
            let partitions = document.partitions().expect("partitions");
            assert_eq!((partitions.records.len(), partitions.problems), (count, Vec::new()), "{shown}");
        } else if let Some(count) = length("reservations") {
            let reservations = document.reservations().expect("reservations");
            assert_eq!((reservations.records.len(), reservations.problems.len()), (count, 0), "{shown}");
        } else if value.get("statistics").is_some() {
            assert!(document.diagnostics().expect("figures").backfill_cycles > 0, "{shown}");
        } else {
            assert!(document.jobs().is_err() && document.nodes().is_err(), "{shown}");
            continue;
        }
        files += 1;
    }
    eprintln!("{files} documents, {jobs} jobs");
    assert!(files >= 40 && jobs >= 150, "{files} documents, {jobs} jobs: are the samples complete?");
}

#[test]
fn names_with_delimiters_and_line_breaks_neither_drop_nor_shift_a_record() {
    let Some(folder) = samples() else { return };
    let by_pipes = text_jobs(&folder.join("newer/sacct.psv"));
    let by_units = text_jobs(&folder.join("newer/sacct-unit-separator.txt"));
    assert_eq!((by_pipes.len(), by_units.len()), (43, 43));
    let hostile = &by_pipes[6];
    assert_eq!((hostile.name.as_str(), hostile.user.as_str()), ("a|b|c", "user01"));
    assert_eq!(by_pipes[8].name, "line1\nline2\ttab");
    for (told, separated) in by_pipes.iter().zip(&by_units) {
        let mut told = told.clone();
        // What this export does not have, and what stands side by side.
        told.key.sluid.clone_from(&separated.key.sluid);
        told.restarts = separated.restarts;
        if told.key.job_id == 7 {
            assert_eq!(
                format!("{}|{}", told.comment, told.submit_line),
                format!("{}|{}", separated.comment, separated.submit_line)
            );
            (told.comment, told.submit_line) = (separated.comment.clone(), separated.submit_line.clone());
        }
        assert_eq!(&told, separated);
    }
    assert_eq!(text_jobs(&folder.join("sacct.psv")).len(), 59);
}

#[test]
fn text_and_json_of_accounting_say_the_same() {
    let Some(folder) = samples() else { return };
    let text = text_jobs(&folder.join("newer/sacct-unit-separator.txt"));
    let mut compared = 0;
    for file in ["newer/sacct-ended-v0.0.45.json", "newer/sacct-more-v0.0.45.json"] {
        for told in json_jobs(&folder.join(file)) {
            let Some(same) = text.iter().find(|job| job.key.sluid == told.key.sluid && job.state.has_ended()) else {
                continue;
            };
            assert_eq!(same.key, told.key);
            let of = |job: &JobRecord| {
                (job.name.clone(), job.user.clone(), job.account.clone(), job.qos.clone(), job.partitions.clone())
            };
            assert_eq!(of(same), of(&told));
            let times = |job: &JobRecord| {
                (job.state, job.eligible, job.started, job.ended, job.elapsed, job.suspended, job.limit)
            };
            assert_eq!(times(same), times(&told), "job {}", told.key.job_id);
            assert_eq!((same.requested, same.started_by()), (told.requested, told.started_by()));
            assert_eq!(same.submit_line, told.submit_line);
            compared += 1;
        }
    }
    eprintln!("{compared} jobs compared");
    assert!(compared >= 15);
}

#[test]
fn what_the_samples_are_known_to_hold_is_found() {
    let Some(folder) = samples() else { return };
    let pending = json_jobs(&folder.join("newer/squeue-pending-v0.0.45.json"));
    let job = |jobs: &[JobRecord], id: u64| jobs.iter().find(|job| job.key.job_id == id).expect("the job").clone();
    assert_eq!(job(&pending, 38).limit, TimeLimit::Unlimited);
    assert_eq!(job(&pending, 38).ended, None, "a made-up end is not an end");
    let remainder =
        pending.iter().find(|job| matches!(job.key.part, JobPart::ArrayRemainder { .. })).expect("21_[3-10%2]");
    assert_eq!(remainder.key.part.task_limit(), Some(2));
    assert!(pending.iter().any(|job| matches!(job.key.part, JobPart::HetComponent { het_job_id: 41, offset: 1 })));
    assert!(job(&pending, 35).time_min_minutes.is_some());
    let text = text_jobs(&folder.join("newer/sacct.psv"));
    let mut history = History::new();
    let attempts: Vec<_> = text.iter().filter_map(|job| history.attempt(job)).collect();
    let runs = |number: i64| attempts.iter().filter(|job| job.number == number).map(|job| job.run).collect::<Vec<_>>();
    assert_eq!(runs(14), [Some(Seconds(7)), Some(Seconds(12))], "a requeued job is two attempts");
    assert_eq!(runs(39), [None], "cancelled while pending");
    assert_eq!(runs(22), [None], "suspended, not ended");
    assert_eq!(runs(19), [Some(Seconds(6)), None], "ended by a node's failure, then running");
    assert!(text.iter().any(|job| job.state.flags.has(StateFlag::Requeued) && job.key.job_id == 28));
    assert_eq!(job(&text, 40).state.base, BaseState::Deadline);
    assert_eq!(job(&text, 39).started, None);
    let old = json_jobs(&folder.join("squeue.json"));
    assert_eq!((old[0].started, old[0].limit), (Some(Time(1_794_726_007)), TimeLimit::Minutes(1440)));
    let old = json_jobs(&folder.join("sacct.json"));
    assert_eq!((old[0].elapsed, old[0].allocated.cpus), (Some(Seconds(1290)), Some(512)));
    assert_eq!(old[0].started_by(), Some(StartedBy::Main));
}

#[test]
fn whole_nodes_are_known_wherever_slurm_says_so() {
    let Some(folder) = samples() else { return };
    let exclusive = |file: &str, id: u64| {
        let jobs = json_jobs(&folder.join(file));
        jobs.iter().find(|job| job.key.job_id == id).unwrap_or_else(|| panic!("{file}: {id}")).exclusive
    };
    for version in [40, 41] {
        let file = format!("newer/squeue-v0.0.{version}.json");
        assert_eq!((exclusive(&file, 17), exclusive(&file, 12)), (Some(true), Some(false)), "{file}");
    }
    for version in [42, 43, 44] {
        let file = format!("newer/squeue-v0.0.{version}.json");
        assert_eq!((exclusive(&file, 34), exclusive(&file, 22)), (Some(true), Some(false)), "{file}");
    }
    // The same job, submitted with --exclusive.
    assert_eq!(exclusive("newer/squeue-pending-v0.0.45.json", 34), None, "it does not say");
    assert_eq!(exclusive("newer/sacct-more-v0.0.45.json", 34), Some(true));
    assert_eq!(exclusive("newer/sacct-more-v0.0.45.json", 7), Some(false));
    assert_eq!(exclusive("newer/sacct-v0.0.44.json", 3), None, "not in accounting before");
    assert_eq!((exclusive("squeue.json", 7), exclusive("sacct.json", 1)), (Some(true), None));
}
