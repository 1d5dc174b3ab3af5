//! A machine with jobs on it whose ends the simulation knows and the scheduler does not.

use queuecast_schedule::mouldable::queue_time::RunningJob;

/// A running job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Busy {
    /// The processors it holds.
    pub processors: u32,
    /// When it started.
    pub started: f64,
    /// When it will end.
    pub ends: f64,
}

/// Processors, and who holds them.
#[derive(Clone, Debug)]
pub struct BusyMachine {
    processors: u32,
    free: u32,
    /// By end.
    running: Vec<Busy>,
}

impl BusyMachine {
    /// With nobody on it.
    pub fn new(processors: u32) -> Self {
        Self { processors, free: processors, running: Vec::new() }
    }

    /// All processors.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Those nobody holds.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Lets time pass; who has ended is told `ended`.
    pub fn advance(&mut self, now: f64, mut ended: impl FnMut(Busy)) {
        let gone = self.running.partition_point(|job| job.ends <= now);
        for job in self.running.drain(..gone) {
            self.free += job.processors;
            ended(job);
        }
    }

    /// A job starts. Its processors must be free.
    pub fn start(&mut self, job: Busy) {
        assert!(job.processors <= self.free, "{} processors are free, {} are taken", self.free, job.processors);
        self.free -= job.processors;
        let place = self.running.partition_point(|other| other.ends <= job.ends);
        self.running.insert(place, job);
    }

    /// When so many processors will be free if nobody else starts; `None` if the machine has fewer.
    pub fn time_of(&self, processors: u32, now: f64) -> Option<f64> {
        let mut free = self.free;
        if free >= processors {
            return Some(now);
        }
        self.running.iter().find_map(|job| {
            free += job.processors;
            (free >= processors).then_some(job.ends)
        })
    }

    /// What a scheduler may see of the running jobs.
    pub fn seen(&self, now: f64) -> impl Iterator<Item = RunningJob> + '_ {
        self.running.iter().map(move |job| RunningJob { processors: job.processors, age_seconds: now - job.started })
    }
}
