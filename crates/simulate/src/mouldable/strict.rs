//! A strict queue of mouldable jobs, turned forward: first come, first served, and nobody passes the head.

use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_workload::mouldable::MouldableJob;

use super::head::{Head, Started, Witness};
use super::knowledge::{Knowledge, PredictedQueueTime, QueueTimeModel};
use super::machine::{Busy, BusyMachine};

/// A job with what it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllocatedJob {
    /// The job.
    pub job: MouldableJob,
    /// When it started.
    pub started_seconds: f64,
    /// On how many processors.
    pub processors: u32,
    /// How long it runs there.
    pub run_seconds: f64,
}

impl AllocatedJob {
    /// From submission to end.
    pub fn turnaround_seconds(&self) -> f64 {
        self.ended_seconds() - self.job.submitted_seconds()
    }

    /// When it ends.
    pub fn ended_seconds(&self) -> f64 {
        self.started_seconds + self.run_seconds
    }
}

/// A machine whose jobs all choose by one strategy, which learns as it goes.
#[derive(Clone, Debug)]
pub struct StrictQueue {
    processors: u32,
    strategy: AllocationStrategy,
    knowledge: Knowledge,
}

impl StrictQueue {
    /// Nothing has happened yet.
    pub fn new(processors: u32, strategy: AllocationStrategy, model: QueueTimeModel) -> Self {
        Self { processors, strategy, knowledge: Knowledge::new(model) }
    }

    /// Runs these jobs, which are in order of submission, on an empty machine. What was learnt earlier is kept.
    pub fn run(&mut self, jobs: &[MouldableJob]) -> Vec<AllocatedJob> {
        let arrivals: Vec<f64> = jobs.iter().map(MouldableJob::submitted_seconds).collect();
        let mut machine = BusyMachine::new(self.processors);
        let mut free_head_at = f64::NEG_INFINITY;
        let mut seen = Seen::default();
        let mut allocated = Vec::with_capacity(jobs.len());
        for (index, job) in jobs.iter().enumerate() {
            let from = arrivals[index].max(free_head_at);
            let arrivals = &arrivals[index + 1..];
            let head = Head { job, strategy: &self.strategy, knowledge: &self.knowledge, arrivals };
            let started = head.wait(from, &mut machine, &mut seen);
            seen.teach(&mut self.knowledge);
            self.knowledge.advance(started.at);
            let Started { at: started_seconds, processors, .. } = started;
            let run_seconds = job.run_seconds(processors);
            machine.start(Busy { processors, started: started_seconds, ends: started_seconds + run_seconds });
            free_head_at = started_seconds;
            allocated.push(AllocatedJob { job: *job, started_seconds, processors, run_seconds });
        }
        machine.advance(f64::INFINITY, |job| seen.ended(job));
        seen.teach(&mut self.knowledge);
        self.knowledge.advance(f64::INFINITY);
        allocated
    }
}

/// What was seen while a job was at the head, to be learnt when it has left.
#[derive(Debug, Default)]
pub struct Seen {
    runs_seconds: Vec<f64>,
    /// The queue times it was told, and when.
    pub told: Vec<(f64, PredictedQueueTime)>,
}

impl Witness for Seen {
    fn ended(&mut self, job: Busy) {
        self.runs_seconds.push(job.ends - job.started);
    }

    fn told(&mut self, now: f64, queue_time: PredictedQueueTime) {
        self.told.push((now, queue_time));
    }
}

impl Seen {
    /// Hands over what was seen, and forgets it.
    pub fn teach(&mut self, knowledge: &mut Knowledge) {
        for run_seconds in self.runs_seconds.drain(..) {
            knowledge.ended(run_seconds);
        }
        for (now, queue_time) in self.told.drain(..) {
            knowledge.predicted(now, queue_time);
        }
    }
}
