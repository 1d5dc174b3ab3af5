//! Real logs with made-up estimates: whatever the model, nobody is killed by it.

use std::fs;
use std::path::Path;

use queuecast_reproduce::find_log;
use queuecast_reproduce::tsafrir::{LOGS, Model, Workload};
use queuecast_testkit::shared_dir;
use queuecast_workload::files::Input;
use queuecast_workload::generate::estimates::{EstimateShare, Repetition};
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, TracedJob};

/// Enough for every model to meet what a log has in store, and not more than a test may take.
const JOBS: usize = 20_000;

fn first_jobs(path: &Path) -> Vec<TracedJob> {
    let reader = SwfReader::new(Input::open(path).expect("the log opens")).expect("the header reads");
    let jobs = reader.filter_map(|line| match line.expect("the log reads") {
        Line::Job(record) => record.to_traced().ok(),
        Line::Comment(_) | Line::Bad(_) => None,
    });
    jobs.take(JOBS).collect()
}

fn assert_none_is_below_its_run_time(workload: &Workload) {
    let elsewhere = Repetition { within_session: 0.8, between_sessions: 0.5, recalled: 0.7 };
    for model in Model::ALL {
        let estimates = model.estimates(workload, elsewhere, 7).expect("the model takes its parameters");
        assert_eq!(estimates.len(), workload.jobs.len(), "{} on {}", model.name(), workload.name);
        let below = estimates.iter().zip(&workload.jobs).filter(|(estimate, job)| **estimate < job.recorded.run);
        assert_eq!(below.count(), 0, "{} on {}", model.name(), workload.name);
    }
}

#[test]
fn no_estimate_is_below_its_run_time_for_any_model_on_any_log() {
    let Some(shared) = shared_dir() else { return };
    let machine = Machine { processors: u32::MAX };
    let mut tried = 0;
    let mut files: Vec<_> = fs::read_dir(shared.join("traces")).expect("the folder of logs").flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files.into_iter().map(|file| file.path()).filter(|path| path.to_string_lossy().ends_with(".swf.gz")) {
        let jobs = first_jobs(&file);
        let Some(maximum) = jobs.iter().filter_map(|job| job.submission.limit).max() else { continue };
        let told = vec![EstimateShare { time: maximum, per_cent: 15.0 }];
        let name = file.display().to_string();
        assert_none_is_below_its_run_time(&Workload::of_jobs(&name, machine, &jobs, maximum, (told.clone(), told)));
        tried += 1;
    }
    assert!(tried >= 15, "only {tried} logs have estimates");
}

#[test]
fn what_the_paper_tells_its_model_fits_its_logs() {
    let Some(shared) = shared_dir() else { return };
    for specification in &LOGS {
        let path = find_log(&shared.join("traces"), specification.file_prefix).expect("the log is there");
        let log = specification.with_jobs(first_jobs(&path));
        let workload = Workload::new(&log, &specification.particulars);
        assert!(workload.jobs.len() > 10_000, "{}: {}", log.name, workload.jobs.len());
        assert!(workload.estimates.iter().all(|&estimate| estimate <= specification.particulars.maximum));
        assert_none_is_below_its_run_time(&workload);
    }
}

/// R-E9 with users: on a real log what was fitted comes out again, to four in a hundred jobs. On BLUE, where long jobs
/// need nearly all the long estimates there are, it comes out lower than elsewhere.
#[test]
fn users_of_real_logs_repeat_themselves_as_often_as_fitted() {
    let Some(shared) = shared_dir() else { return };
    for specification in &LOGS {
        let path = find_log(&shared.join("traces"), specification.file_prefix).expect("the log is there");
        let log = specification.with_jobs(first_jobs(&path));
        let workload = Workload::new(&log, &specification.particulars);
        let repeated = |model: Model| {
            let estimates = model.estimates(&workload, Repetition::NONE, 3).expect("the model takes its parameters");
            let mut sorted = (estimates.clone(), workload.estimates.clone());
            sorted.0.sort_unstable();
            sorted.1.sort_unstable();
            assert_eq!(sorted.0, sorted.1, "{}: a shuffle keeps the estimates", log.name);
            workload.repetition_with(&estimates)
        };
        let (original, in_sessions, shuffled) =
            (workload.repetition, repeated(Model::SessionsShuffled), repeated(Model::Shuffled));
        for (asked, fitted, lost) in [
            (original.within_session, in_sessions.within_session, shuffled.within_session),
            (original.between_sessions, in_sessions.between_sessions, shuffled.between_sessions),
        ] {
            assert!((asked - fitted).abs() < 0.04, "{}: {fitted} for {asked}", log.name);
            assert!(lost < asked / 2.0, "{}: {lost} of {asked} are left by a shuffle", log.name);
        }
    }
}
