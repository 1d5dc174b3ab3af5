//! Mouldable jobs planned with predicted run times, with backfilling or without: beyond Downey's paper.
//!
//! For: the same choice, wait for more or start on less, where queue times follow from a plan. Running jobs are planned to
//! end when the predictors of `queuecast-predict` say; waiting jobs, in order of arrival, each take the width and the hole
//! with the least planned turnaround. With backfilling, jobs behind may start in holes the plan leaves; without, nobody
//! passes the head.
//!
//! Not for: nodes, priorities, or plans that spread; every time is a single number. What a predictor says of other jobs than
//! the one it is asked about (propagation) is not listened to.
//!
//! A predictor speaks of the run time on the processors a job asked for, as it would of a rigid job, and learns it so: how
//! the run time changes with the width is the job's speedup curve, which is known, and not the predictor's business.

use std::collections::{BTreeMap, VecDeque};

use queuecast_predict::{Outlived, Revisions, RuntimePredictor};
use queuecast_schedule::AvailabilityProfile;
use queuecast_workload::mouldable::MouldableJob;
use queuecast_workload::{JobId, Outcome, Seconds, Time, TracedJob};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::AllocatedJob;

/// How waiting jobs choose their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moulding {
    /// What they asked for, and nothing else.
    Rigid,
    /// Whatever is free when they are at the head.
    Average,
    /// The least planned turnaround.
    Turnaround {
        /// Whether the wait counts once for every job in the queue, since all of them may have to wait.
        pays_for_others: bool,
    },
}

/// Whether jobs may pass the head of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passing {
    /// Nobody.
    Nobody,
    /// So many jobs at the front of the queue are planned, and each starts when its plan says.
    Planned(usize),
}

/// A job of a log with the speedup it is taken to have.
#[derive(Clone, Copy, Debug)]
pub struct MouldableTracedJob {
    /// As the log has it: its run time is that on the processors it asked for.
    pub traced: TracedJob,
    /// As it runs on others.
    pub job: MouldableJob,
}

/// The variance in parallelism of a log's jobs is drawn up to this (R-D2).
const VARIANCE_MOST: f64 = 2.0;

impl MouldableTracedJob {
    /// The jobs of a log as if they could run on other numbers of processors, with handles in their order: as parallel as
    /// what they asked for, with a variance in parallelism that no log knows and that is drawn.
    pub fn of_log(jobs: &[TracedJob], generator: &mut Pcg64) -> Vec<Self> {
        let mouldable = jobs.iter().zip(0..).map(|(job, id)| {
            let mut traced = *job;
            traced.submission.job = JobId(id);
            Self { traced, job: MouldableJob::from_traced(&traced, VARIANCE_MOST * generator.random::<f64>()) }
        });
        mouldable.collect()
    }
}

/// A machine, its queue and its predictor.
pub struct PlannedQueue<P> {
    moulding: Moulding,
    passing: Passing,
    predictor: P,
    revisions: Revisions,
    free: u32,
    waiting: VecDeque<Waiting>,
    running: Vec<Running>,
    profile: AvailabilityProfile,
    allocated: Vec<AllocatedJob>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    job: MouldableTracedJob,
    /// How long it is planned to run on the processors it asked for.
    planned: Seconds,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    waiting: Waiting,
    started: Time,
    processors: u32,
    ends: Time,
    first_planned: Seconds,
    misses: u32,
}

impl Waiting {
    /// On so many processors.
    fn planned_on(&self, processors: u32) -> Seconds {
        stretched(self.planned, &self.job, processors)
    }
}

impl Running {
    fn planned_end(&self) -> Time {
        self.started + self.waiting.planned_on(self.processors)
    }
}

/// A run time on the processors asked for, as it is on others.
fn stretched(run: Seconds, job: &MouldableTracedJob, processors: u32) -> Seconds {
    let asked = job.traced.submission.request.processors;
    if processors == asked {
        return run;
    }
    let factor = job.job.run_seconds(processors) / job.job.run_seconds(asked);
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and is cut")]
    Seconds((run.as_f64() * factor).ceil() as i64).clamp(Seconds(1), Seconds::MAX)
}

impl<P: RuntimePredictor> PlannedQueue<P> {
    /// Nothing has happened yet.
    pub fn new(processors: u32, moulding: Moulding, passing: Passing, predictor: P) -> Self {
        Self {
            moulding,
            passing,
            predictor,
            revisions: Revisions::default(),
            free: processors,
            waiting: VecDeque::new(),
            running: Vec::new(),
            profile: AvailabilityProfile::new(processors, Time(0)),
            allocated: Vec::new(),
        }
    }

    /// Runs these jobs, in order of submission, none wider than the machine, to the end. They come back in the order in
    /// which they started.
    pub fn run(mut self, jobs: &[MouldableTracedJob]) -> Vec<AllocatedJob> {
        let mut arrivals = jobs.iter().peekable();
        // Ends and plans that are outlived: looked for in the running jobs, of which there are never many.
        while let Some(now) = self.next_event(arrivals.peek().map(|job| job.job.submitted)) {
            self.end_due(now);
            self.correct_outlived(now);
            while let Some(job) = arrivals.next_if(|job| job.job.submitted <= now) {
                self.arrive(job, now);
            }
            self.start_due(now);
        }
        self.allocated
    }

    fn next_event(&self, arrival: Option<Time>) -> Option<Time> {
        let running = self.running.iter().map(|job| job.ends.min(job.planned_end()));
        running.chain(arrival).min()
    }

    fn arrive(&mut self, job: &MouldableTracedJob, now: Time) {
        self.revisions.clear();
        let planned = self.predictor.on_arrival(&job.traced.submission, now, &mut self.revisions);
        self.waiting.push_back(Waiting { job: *job, planned });
    }

    fn end_due(&mut self, now: Time) {
        let mut index = 0;
        while index < self.running.len() {
            if self.running[index].ends > now {
                index += 1;
                continue;
            }
            let Running { waiting, started, processors, .. } = self.running.remove(index);
            self.free += processors;
            let TracedJob { submission, recorded, .. } = &waiting.job.traced;
            let outcome = Outcome { started, ended: started + recorded.run, status: recorded.status };
            self.revisions.clear();
            self.predictor.on_end(submission, &outcome, &mut self.revisions);
        }
    }

    fn correct_outlived(&mut self, now: Time) {
        for job in self.running.iter_mut().filter(|job| job.planned_end() <= now) {
            let previous = job.waiting.planned;
            // The age on the processors asked for, at which the plan was outlived.
            let miss = Outlived { age: previous, first: job.first_planned, previous, earlier_misses: job.misses };
            self.revisions.clear();
            let submission = &job.waiting.job.traced.submission;
            job.waiting.planned = self.predictor.on_outlived(submission, &miss, now, &mut self.revisions);
            job.misses += 1;
            assert!(job.planned_end() > now, "a running job's plan exceeds its age");
        }
    }

    /// Plans the queue anew and starts whose time has come.
    fn start_due(&mut self, now: Time) {
        self.profile.reset(self.free, now);
        let mut released: BTreeMap<Time, u32> = BTreeMap::new();
        for job in &self.running {
            *released.entry(job.planned_end()).or_default() += job.processors;
        }
        for (time, processors) in released {
            self.profile.release_for_good(time, processors);
        }
        let most = match self.passing {
            Passing::Nobody => usize::MAX,
            Passing::Planned(most) => most,
        };
        let (mut index, mut planned) = (0, 0);
        while index < self.waiting.len() && planned < most {
            let (start, processors) = self.choose(&self.waiting[index], now);
            planned += 1;
            if start == now {
                self.start(index, processors, now);
            } else if self.passing == Passing::Nobody {
                return;
            } else {
                self.profile.reserve(start, self.waiting[index].planned_on(processors), processors);
                index += 1;
            }
        }
    }

    /// When the job should start, and on what.
    fn choose(&self, waiting: &Waiting, now: Time) -> (Time, u32) {
        let asked = waiting.job.traced.submission.request.processors;
        match self.moulding {
            Moulding::Rigid => (self.profile.earliest(asked, waiting.planned), asked),
            Moulding::Average if self.free > 0 => (now, self.free.min(asked)),
            Moulding::Average => (self.profile.earliest(1, waiting.planned_on(1)), 1),
            Moulding::Turnaround { pays_for_others } => {
                let cost_of_waiting = if pays_for_others { self.waiting.len() as f64 } else { 1.0 };
                let (mut best, mut least) = ((now, asked), f64::INFINITY);
                for processors in (1..=asked).rev() {
                    let planned = waiting.planned_on(processors);
                    // On fewer processors it only takes longer, even if it could start at once.
                    if planned.as_f64() >= least {
                        break;
                    }
                    let start = self.profile.earliest(processors, planned);
                    let cost = cost_of_waiting * (start - now).as_f64() + planned.as_f64();
                    if cost < least {
                        (best, least) = ((start, processors), cost);
                    }
                }
                best
            }
        }
    }

    fn start(&mut self, index: usize, processors: u32, now: Time) {
        let waiting = self.waiting.remove(index).expect("the place of a waiting job");
        self.free = self.free.checked_sub(processors).expect("only free processors are taken");
        self.profile.reserve(now, waiting.planned_on(processors), processors);
        let MouldableTracedJob { traced, job } = waiting.job;
        let run = stretched(traced.recorded.run.max(Seconds(1)), &waiting.job, processors);
        self.revisions.clear();
        self.predictor.on_start(&traced.submission, now, &mut self.revisions);
        self.running.push(Running {
            waiting,
            started: now,
            processors,
            ends: now + run,
            first_planned: waiting.planned,
            misses: 0,
        });
        self.allocated.push(AllocatedJob {
            job,
            started_seconds: (now - Time(0)).as_f64(),
            processors,
            run_seconds: run.as_f64(),
        });
    }
}
