//! A path is enough: packed or not, in whatever format, and nothing that is not handed out vanishes.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use queuecast_logs::{Listener, LogError, LoggedJob, TraceSource, WholeTrace};
use queuecast_records::log::LeftOut;
use queuecast_workload::files::{Input, Output};

const SWF: &str = "; MaxProcs: 128\n\
    2 60 0 600 32 -1 -1 32 900 -1 1 18 -1 -1 -1 -1 -1 -1\n\
    1 0 0 3600 64 -1 -1 64 7200 -1 1 17 -1 -1 -1 -1 -1 -1\n";
const SACCT: &str = "JobIDRaw|State|Submit|Start|ElapsedRaw|End|AllocCPUS\n\
    7|COMPLETED|1794700000|1794700100|300|1794700400|16\n\
    7.batch|COMPLETED|1794700000|1794700100|300|1794700400|16\n\
    8|COMPLETED|soon|1794700100|300|1794700400|16\n";

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn a_log_is_the_same_plain_and_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["log.swf", "log.swf.gz", "log.swf.zst"] {
        let path = folder.path().join(name);
        let mut output = Output::create(&path).expect("a file");
        output.write_all(SWF.as_bytes()).expect("room");
        output.finish().expect("room");
        let whole = WholeTrace::load(TraceSource::open(&path).expect("a log")).expect("jobs");
        assert_eq!(whole.jobs.iter().map(|job| job.number).collect::<Vec<_>>(), [1, 2], "{name}");
        assert_eq!(whole.dropped.total(), 0);
    }
}

/// Writes down what it hears.
#[derive(Clone, Debug, Default)]
struct Scribe(Arc<Mutex<Vec<String>>>);

impl Listener for Scribe {
    fn bad_line(&mut self, _log: &str, bad_line: &dyn fmt::Display) {
        self.0.lock().expect("nobody panicked").push(bad_line.to_string());
    }
    fn job(&mut self) {
        self.0.lock().expect("nobody panicked").push("a job".to_owned());
    }
    fn end(&mut self, _log: &str, left_out: &[LeftOut]) {
        let told = left_out.iter().map(|left_out| format!("{} {}", left_out.count, left_out.what));
        self.0.lock().expect("nobody panicked").extend(told);
    }
}

#[test]
fn an_export_of_sacct_gives_records_and_whoever_listens_hears_of_the_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "export", SACCT);
    let scribe = Scribe::default();
    let input = Input::open(&path).expect("a file");
    let mut log = TraceSource::read(input, None, Box::new(scribe.clone())).expect("a log");
    let Some(LoggedJob::Record(record)) = log.next_job().expect("a job") else { panic!("a record") };
    assert_eq!((record.key.job_id, record.allocated.cpus), (7, Some(16)));
    assert!(log.next_job().expect("the end").is_none());
    let heard = scribe.0.lock().expect("nobody panicked").clone();
    let [job, bad_line, steps] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(job, "a job");
    assert!(bad_line.starts_with("4:Submit: "), "{bad_line}");
    assert_eq!(steps, "1 job steps left out; sacct -X exports only jobs");
    assert_eq!(log.first_bad_lines(), [format!("{}:{bad_line}", path.display())]);
}

#[test]
fn of_many_bad_lines_all_are_counted_and_twenty_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "log", &format!("{SWF}{}", "not a job\n".repeat(30)));
    let mut log = TraceSource::open(&path).expect("a log");
    let jobs: Result<Vec<_>, _> = log.by_ref().collect();
    assert_eq!(jobs.expect("readable").len(), 2);
    assert_eq!((log.bad_lines(), log.first_bad_lines().len()), (30, 20));
}

#[test]
fn what_is_no_log_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "prose", "Once upon a time\n");
    let error = WholeTrace::load(TraceSource::open(&path).expect("a file")).expect_err("no log");
    assert!(matches!(error, LogError::NotALog { .. }));
    assert_eq!(error.to_string(), format!("{}: found no jobs in Standard Workload Format", path.display()));
    let missing = TraceSource::open(&folder.path().join("nowhere")).expect_err("no file");
    assert!(matches!(missing, LogError::Io(_)) && missing.to_string().contains("nowhere"));
    let lacking = written(folder.path(), "lacking", "JobIDRaw|State|Submit\n");
    let error = TraceSource::open(&lacking).expect_err("lacks columns");
    assert!(matches!(error, LogError::NotUsable { hint: Some(_), .. }), "{error}");
}
