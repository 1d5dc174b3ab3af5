//! What the tests of this crate share: one way to run a simulation, to read a log and to make up a workload.

use std::fmt;
use std::io::BufRead;
use std::ops::RangeInclusive;

use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{
    FinishedJob, Observer, Overrun, PredictionAccuracy, Replay, Rules, SimulatedCluster, simulate,
};
use queuecast_workload::swf::{Line, SwfReader, SwfRecord, SwfWriter};
use queuecast_workload::{
    JobId, Machine, Outcome, Recorded, Request, Seconds, Status, Submission, Time, TracedJob, UserId,
};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Everything that a result depends on beside the jobs.
#[derive(Clone, Debug)]
pub struct Setup {
    pub machine: Machine,
    pub rules: Rules,
    pub overrun: Overrun,
    pub policy: PolicySpecification,
    pub predictor: PredictorSpecification,
    pub correction: Correction,
    pub propagate: bool,
}

/// A finished job, kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished {
    pub number: i64,
    pub submission: Submission,
    pub outcome: Outcome,
    pub backfilled: bool,
    pub promised: Option<Time>,
    pub accuracy: PredictionAccuracy,
}

/// Keeps every finished job, in order of ends.
#[derive(Default)]
pub struct Record(pub Vec<Finished>);

impl Observer for Record {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let FinishedJob { number, submission, outcome, backfilled, promised, accuracy } = *job;
        self.0.push(Finished { number, submission: *submission, outcome, backfilled, promised, accuracy });
    }
}

impl Setup {
    /// The policy with user estimates, killing at them, on a machine of that many processors.
    pub fn with_estimates(processors: u32, rules: Rules, policy: &str) -> Self {
        Self {
            machine: Machine { processors },
            rules,
            overrun: Overrun::Kill,
            policy: policy.parse().expect("a policy"),
            predictor: PredictorSpecification::Estimate,
            correction: Correction::Steps,
            propagate: false,
        }
    }

    /// Plays the jobs; they come back in order of ends.
    pub fn play(&self, jobs: impl Iterator<Item = TracedJob>) -> Vec<Finished> {
        let (predictor, foresight) = self.predictor.build(self.correction, self.propagate);
        let jobs = Replay::new(jobs, self.machine, self.overrun, false).overheard_by(foresight);
        let mut cluster = SimulatedCluster::new(self.machine, self.rules, predictor, self.policy.build(self.machine));
        let mut record = Record::default();
        simulate(jobs, &mut cluster, &mut record);
        record.0
    }

    /// Plays the jobs; they come back in order of submission.
    pub fn play_sorted(&self, jobs: &[TracedJob]) -> Vec<Finished> {
        let mut finished = self.play(jobs.iter().copied());
        finished.sort_by_key(|job| job.submission.job);
        finished
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, rules, overrun, policy, predictor, correction, propagate } = self;
        write!(f, "--policy {policy} --predictor {predictor} --correction {correction} --rules {rules}")?;
        write!(f, " (propagate {propagate}, overrun {overrun:?}, {} processors)", machine.processors)
    }
}

/// The records of a log and the processors its header states.
pub fn read_log(source: impl BufRead) -> (u32, Vec<SwfRecord>) {
    let reader = SwfReader::new(source).expect("the header reads");
    let processors = reader.header().max_procs().expect("the header states MaxProcs");
    let records = reader.filter_map(|line| match line.expect("the log reads") {
        Line::Job(record) => Some(record),
        Line::Comment(_) => None,
        Line::Bad(bad) => panic!("{}", bad.in_source("log")),
    });
    (processors, records.collect())
}

/// The jobs as lines of a log, to be replayed elsewhere.
pub fn as_log(jobs: &[TracedJob]) -> String {
    let mut writer = SwfWriter::new(Vec::new());
    for job in jobs {
        writer.write_record(&SwfRecord::from_traced(job, Seconds(-1))).expect("memory takes everything");
    }
    String::from_utf8(writer.into_inner()).expect("numbers and blanks")
}

/// A job from the numbers that matter to a schedule.
pub fn job(number: i64, submitted: i64, processors: u32, run: i64, limit: Option<i64>, user: u32) -> TracedJob {
    TracedJob {
        number,
        submission: Submission {
            job: JobId(0),
            submitted: Time(submitted),
            request: Request { processors },
            limit: limit.map(Seconds),
            user: Some(UserId(user)),
            group: None,
            program: None,
            queue: None,
            partition: None,
        },
        recorded: Recorded { wait: None, run: Seconds(run), status: Status::Completed },
    }
}

/// Jobs that meet: they come in bursts, their run times tie, and they crowd the machine. Estimates are exact, above or
/// below the run time, and sometimes missing.
pub fn crowded(generator: &mut Pcg64, machine: Machine, count: RangeInclusive<i64>) -> Vec<TracedJob> {
    let count = generator.random_range(count);
    let (longest, gap) = (generator.random_range(1..=120), [0, 2, 10, 60][generator.random_range(0..4)]);
    // Few distinct run times make ends tie.
    let unit = [1, 5, 20][generator.random_range(0..3)];
    let wide_in_four = generator.random_range(0..=3);
    let mut now = generator.random_range(0..=50);
    let mut jobs = Vec::new();
    for number in 1..=count {
        if generator.random_ratio(1, 2) {
            now += generator.random_range(0..=gap);
        }
        let run = generator.random_range(1..=longest / unit + 1) * unit;
        let limit = match generator.random_range(0..20) {
            0..5 => Some(run),
            5..14 => Some(run + generator.random_range(0..=2 * longest)),
            14..19 => Some(generator.random_range(1..=run)),
            _ => None,
        };
        let widest =
            if generator.random_ratio(wide_in_four, 4) { machine.processors } else { machine.processors.min(4) };
        let processors = generator.random_range(1..=widest);
        jobs.push(job(number, now, processors, run, limit, generator.random_range(1..=3)));
    }
    jobs
}
