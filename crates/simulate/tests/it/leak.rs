//! No predictor but the oracle knows a run time before the job has ended.
//!
//! Every run time that is not yet known at some second is replaced by another. Whatever is predicted up to that second,
//! for whichever job, must stay the same; so must the schedule up to then.

use std::cell::RefCell;
use std::rc::Rc;

use queuecast_predict::{Outlived, PredictorSpecification, Revisions, RuntimePredictor};
use queuecast_simulate::{Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time, TracedJob};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{Finished, Record, Setup, crowded};

const WORKLOADS: u64 = 300;
const POLICIES: [&str; 4] = ["fcfs", "easy", "easy-sjbf", "conservative"];
const CORRECTIONS: [&str; 7] = ["raise", "raise-then-first", "steps", "offset-steps", "x10", "x10:60", "x10:longest"];
const PREDICTORS: [&str; 22] = [
    "perfect",
    "perfect:x2",
    "estimate",
    "estimate:x2",
    "constant:1",
    "constant:50",
    "recent:n=1",
    "recent:n=2,stat=mean",
    "recent:n=3,stat=median",
    "recent:n=3,stat=median,running=yes,cap=no",
    "session:criteria=PE/P/E/*",
    "session:criteria=PE/P/E/*,search=bfs,think=10",
    "session:criteria=E/P/X,depth=2,think=20",
    "session:criteria=PX/P/X/*,estimates=no,growth=balanced,threshold=60",
    "session:criteria=PX/P/X/*,estimates=no,growth=balanced",
    "session:criteria=PX/P/X/*,estimates=no,growth=unbalanced,think=5",
    "templates:(u,mean,act)/(u,n=2,mean,rel,mh=4)/(lr,act)",
    "templates:shrunk/(u,inv,act,mh=8)/(l,log,rel)/(u,med,act,mh=4)/(med,rel)",
    "gibbons",
    "gibbons:data=rel",
    "downey:median",
    "downey:average",
];

/// A predictor that is not named here does not compile: name it, and give it a place in the list above.
fn is_the_oracle(predictor: &PredictorSpecification) -> bool {
    match predictor {
        PredictorSpecification::Perfect | PredictorSpecification::PerfectTimes(_) => true,
        PredictorSpecification::Estimate
        | PredictorSpecification::EstimateTimes(_)
        | PredictorSpecification::Constant(_)
        | PredictorSpecification::Recent(_)
        | PredictorSpecification::Session(_)
        | PredictorSpecification::Templates(_)
        | PredictorSpecification::Gibbons(_)
        | PredictorSpecification::Downey(_)
        // Made elsewhere, and held to this there: `exec/tests/it/leak.rs`.
        | PredictorSpecification::Foreign(_) => false,
    }
}

/// What was predicted for whom, and when.
type Said = Vec<(Time, JobId, Seconds)>;

/// Writes down everything a predictor says.
struct Overheard<P> {
    predictor: P,
    said: Rc<RefCell<Said>>,
}

impl<P> Overheard<P> {
    fn note_answer(&self, now: Time, job: JobId, planned: Seconds) -> Seconds {
        self.said.borrow_mut().push((now, job, planned));
        planned
    }

    fn note(&self, now: Time, revisions: &Revisions) {
        let said = revisions.as_slice().iter().map(|revision| (now, revision.job, revision.planned));
        self.said.borrow_mut().extend(said);
    }
}

impl<P: RuntimePredictor> RuntimePredictor for Overheard<P> {
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds {
        let planned = self.predictor.on_arrival(job, now, revisions);
        self.note(now, revisions);
        self.note_answer(now, job.job, planned)
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
        self.note_answer(now, job.job, planned)
    }
}

/// What is said during a simulation, and the jobs in order of submission.
fn overhear(setup: &Setup, jobs: &[TracedJob]) -> (Said, Vec<Finished>) {
    let said = Rc::new(RefCell::new(Said::new()));
    let (predictor, foresight) = setup.predictor.build(setup.correction, setup.propagate);
    let jobs = Replay::new(jobs.iter().copied(), setup.machine, setup.overrun, false).overheard_by(foresight);
    let predictor = Overheard { predictor, said: Rc::clone(&said) };
    let mut cluster = SimulatedCluster::new(setup.machine, setup.rules, predictor, setup.policy.build(setup.machine));
    let mut record = Record::default();
    simulate(jobs, &mut cluster, &mut record);
    record.0.sort_by_key(|job| job.submission.job);
    (said.take(), record.0)
}

/// Other run times for the jobs that have not ended by `known`. A running job still outlasts that second, or its end
/// would be an event of the past.
fn with_other_futures(jobs: &[TracedJob], finished: &[Finished], known: Time, generator: &mut Pcg64) -> Vec<TracedJob> {
    let mut jobs = jobs.to_vec();
    for (job, finished) in jobs.iter_mut().zip(finished).filter(|(_, finished)| finished.outcome.ended > known) {
        let age = (known - finished.outcome.started).max(Seconds::ZERO);
        job.recorded.run = age + Seconds(generator.random_range(1..=200));
    }
    jobs
}

/// Whether other futures change the past of one workload, drawn from the seed with everything but the predictor.
fn leaks(predictor: &PredictorSpecification, seed: u64) -> bool {
    let generator = &mut Pcg64::seed_from_u64(seed);
    let machine = Machine { processors: generator.random_range(1..=16) };
    let policy = POLICIES.choose(generator).expect("there are policies");
    let rules = if generator.random_ratio(1, 2) { Rules::Clean } else { Rules::Pyss };
    let setup = Setup {
        overrun: if generator.random_ratio(1, 2) { Overrun::Kill } else { Overrun::RunOn },
        predictor: predictor.clone(),
        correction: CORRECTIONS.choose(generator).expect("there are corrections").parse().expect("a correction"),
        propagate: generator.random_ratio(1, 2),
        ..Setup::with_estimates(machine.processors, rules, policy)
    };
    let jobs = crowded(generator, machine, 5..=40);
    let (said, finished) = overhear(&setup, &jobs);
    let ends = finished.iter().map(|job| job.outcome.ended.0);
    let known = Time(generator.random_range(jobs[0].submission.submitted.0..ends.max().expect("there are jobs")));
    let other_jobs = with_other_futures(&jobs, &finished, known, generator);
    assert_ne!(jobs, other_jobs, "seed {seed}: the test changed nothing");

    let (other_said, other_finished) = overhear(&setup, &other_jobs);
    let said_by_then = |said: &Said| said.iter().filter(|(now, ..)| *now <= known).copied().collect::<Said>();
    let started_by_then = |finished: &[Finished]| {
        let starts = finished.iter().map(|job| job.outcome.started);
        starts.map(|start| (start <= known).then_some(start)).collect::<Vec<_>>()
    };
    assert!(!said_by_then(&said).is_empty(), "seed {seed}: nothing was predicted by {known}");
    said_by_then(&said) != said_by_then(&other_said) || started_by_then(&finished) != started_by_then(&other_finished)
}

#[test]
fn no_prediction_depends_on_a_run_time_not_yet_known() {
    for name in PREDICTORS {
        let predictor: PredictorSpecification = name.parse().expect("a predictor");
        if !is_the_oracle(&predictor) {
            let leaking: Vec<u64> = (0..WORKLOADS).filter(|seed| leaks(&predictor, *seed)).collect();
            assert!(leaking.is_empty(), "{name} knows the future in the workloads of seeds {leaking:?}");
        }
    }
}

/// The oracle does know, in nearly every workload: if the check missed that, it would miss any leak.
#[test]
fn the_check_catches_the_oracle() {
    let leaking = (0..WORKLOADS).filter(|seed| leaks(&PredictorSpecification::Perfect, *seed)).count();
    assert!(leaking as u64 > WORKLOADS / 2, "the oracle was caught in {leaking} of {WORKLOADS} workloads");
}
