//! A trace against one cluster.

use queuecast_predict::{Foresight, RuntimePredictor};
use queuecast_schedule::Scheduler;
use queuecast_workload::{JobId, Machine, Time, TracedJob};

use crate::cluster::earliest;
use crate::{Observer, SimulatedCluster};

/// What happens to a job that reaches its limit (R-SIM-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overrun {
    /// It is killed: no job runs longer than its limit.
    #[default]
    Kill,
    /// It runs on for as long as the log says.
    RunOn,
}

/// The jobs of a trace that a replay can use, with consecutive handles; what it cannot use is counted.
#[derive(Clone, Debug)]
pub struct Replay<I> {
    jobs: I,
    machine: Machine,
    overrun: Overrun,
    needs_limit: bool,
    foresight: Option<Foresight>,
    next: u64,
    dropped: Dropped,
}

/// Jobs a replay left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Wider than the machine.
    pub over_wide: u64,
    /// Without a run time above zero.
    pub no_run_time: u64,
    /// Without the limit that the predictor needs.
    pub no_limit: u64,
}

impl<I: Iterator<Item = TracedJob>> Replay<I> {
    /// The jobs, in order of submission, for `machine`.
    pub fn new(jobs: I, machine: Machine, overrun: Overrun, needs_limit: bool) -> Self {
        Self { jobs, machine, overrun, needs_limit, foresight: None, next: 0, dropped: Dropped::default() }
    }

    /// Lends the oracle an ear, where there is one.
    #[must_use]
    pub fn overheard_by(mut self, foresight: Option<Foresight>) -> Self {
        self.foresight = foresight;
        self
    }

    /// What has been left out so far.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }
}

impl<I: Iterator<Item = TracedJob>> Iterator for Replay<I> {
    type Item = TracedJob;

    fn next(&mut self) -> Option<TracedJob> {
        loop {
            let mut job = self.jobs.next()?;
            let reason = if !self.machine.can_hold(job.submission.request) {
                &mut self.dropped.over_wide
            } else if job.recorded.run.0 <= 0 {
                &mut self.dropped.no_run_time
            } else if self.needs_limit && job.submission.limit.is_none() {
                &mut self.dropped.no_limit
            } else {
                if let (Overrun::Kill, Some(limit)) = (self.overrun, job.submission.limit) {
                    job.recorded.run = job.recorded.run.min(limit);
                }
                job.submission.job = JobId(self.next);
                self.next += 1;
                if let Some(foresight) = &self.foresight {
                    foresight.hear(&job);
                }
                return Some(job);
            };
            *reason += 1;
        }
    }
}

/// Plays the jobs, which must come in order of submission with consecutive handles, until the last has ended.
///
/// # Panics
/// If the jobs are out of order, ask for more than the machine has, or the predictor breaks its contract.
pub fn simulate<P: RuntimePredictor, S: Scheduler>(
    jobs: impl Iterator<Item = TracedJob>,
    cluster: &mut SimulatedCluster<P, S>,
    observer: &mut impl Observer,
) {
    let mut jobs = jobs;
    // Jobs that have been read and not submitted yet: between two moments the next job, and none after the last one.
    let mut read: Vec<TracedJob> = jobs.next().into_iter().collect();
    let mut clock: Option<Time> = None;
    while let Some(now) = earliest(read.first().map(|job| job.submission.submitted), cluster.next_event()) {
        assert!(clock.is_none_or(|before| now >= before), "time went back from {clock:?} to {now:?}");
        clock = Some(now);
        let mut arriving = 0;
        while read.get(arriving).is_some_and(|job| job.submission.submitted == now) {
            arriving += 1;
            if let Some(job) = jobs.next() {
                read.push(job);
            }
        }
        cluster.advance(now, &read[..arriving], observer);
        // By hand: `drain` here and `extend` above take 6 % more instructions of a replay under EASY.
        if arriving > 0 {
            if let Some(next) = read.get(arriving).copied() {
                read[0] = next;
            }
            read.truncate(read.len() - arriving);
        }
    }
    assert_eq!(cluster.waiting(), 0, "jobs were left waiting on an idle machine");
}
