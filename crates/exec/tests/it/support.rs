//! Programs to run and jobs to run them on.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use queuecast_exec::{Program, ProgramPredictor};
use queuecast_predict::{Outlived, PredictorSpecification, Revisions, RuntimePredictor};
use queuecast_testkit::repository;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{JobId, Outcome, Recorded, Seconds, Status, Submission, Time, TracedJob, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use tempfile::TempDir;

/// One of `examples/exec`.
pub fn example(name: &str) -> Program {
    let named = format!("exec:{}", repository().join("examples/exec").join(name).display());
    Program::named(&named).expect("a program")
}

/// A program for one test, which is gone with its folder.
pub struct Written {
    pub program: Program,
    pub folder: TempDir,
}

/// This text, run by Python, which it is told the test's folder.
pub fn python(text: &str) -> Written {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.py");
    std::fs::write(&file, text).expect("a file");
    let named = format!("exec:python3 {} {}", file.display(), folder.path().display());
    let program = Program::named(&named).expect("a program").with_patience(Duration::from_secs(20));
    Written { program, folder }
}

pub fn predictor(program: Program) -> PredictorSpecification {
    PredictorSpecification::Foreign(ProgramPredictor::new(program).into_foreign())
}

/// Jobs of a few users that crowd a machine of 16 processors; some outlive their limits, some have none, some no user.
pub fn jobs(seed: u64, count: i64) -> Vec<TracedJob> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut now = 1_000;
    let mut job = |number| {
        now += [0, 0, random.random_range(0..120)][random.random_range(0..3)];
        let run = random.random_range(1..400);
        let limit = random.random_bool(0.9).then(|| Seconds(random.random_range(1..=2 * run)));
        let user = random.random_bool(0.95).then(|| UserId(random.random_range(0..5)));
        let submission = Submission { limit, user, ..Submission::new(Time(now), 1 << random.random_range(0..5)) };
        let wait = Some(Seconds(random.random_range(0..900)));
        TracedJob { number, submission, recorded: Recorded { wait, run: Seconds(run), status: Status::Completed } }
    };
    (1..=count).map(&mut job).collect()
}

/// The jobs of a log that ran, in order of submission.
pub fn read(log: &Path) -> Vec<TracedJob> {
    let mut reader = SwfReader::new(Input::open(log).unwrap()).unwrap();
    let mut jobs = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        if let Line::Job(record) = line
            && let Ok(job) = record.to_traced()
        {
            jobs.push(job);
        }
    }
    jobs.retain(|job| job.recorded.run.0 > 0);
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    jobs
}

/// What was said of whom, and when.
pub type Said = Vec<(Time, JobId, Seconds)>;

/// Writes down everything a predictor says, and counts what it is told.
pub struct Overheard {
    pub predictor: Box<dyn RuntimePredictor>,
    pub said: Rc<RefCell<Said>>,
    pub events: Rc<RefCell<u64>>,
}

impl Overheard {
    fn note(&self, now: Time, revisions: &Revisions) {
        *self.events.borrow_mut() += 1;
        let said = revisions.as_slice().iter().map(|revision| (now, revision.job, revision.planned));
        self.said.borrow_mut().extend(said);
    }
}

impl RuntimePredictor for Overheard {
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds {
        let planned = self.predictor.on_arrival(job, now, revisions);
        self.note(now, revisions);
        self.said.borrow_mut().push((now, job.job, planned));
        planned
    }
    fn on_start(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) {
        self.predictor.on_start(job, now, revisions);
        self.note(now, revisions);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        self.predictor.on_end(job, outcome, revisions);
        self.note(outcome.ended, revisions);
    }
    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        let planned = self.predictor.on_outlived(job, miss, now, revisions);
        self.note(now, revisions);
        self.said.borrow_mut().push((now, job.job, planned));
        planned
    }
}
