//! What a scheduler is told and what it answers.

use queuecast_workload::{Request, Seconds, Time};

use crate::{Backfilling, Conservative};

/// The caller's index of a job in the system. Keys are small and reused after a job ended, so that schedulers can
/// keep what they know of a job in a plain table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey(pub u32);

impl JobKey {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A job as a scheduler sees it: what it asks for and how long it is planned to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedJob {
    /// The caller's index.
    pub key: JobKey,
    /// When it was submitted.
    pub submitted: Time,
    /// What it asks for.
    pub request: Request,
    /// How long it is planned to run, from its start.
    pub planned: Seconds,
}

/// A job to be started now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Which.
    pub key: JobKey,
    /// Whether it overtook a job that was before it in the queue order.
    pub backfilled: bool,
}

/// The start time a job was first promised, when it first held a reservation. Without backfilling nobody holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromisedStart {
    /// Which job.
    pub key: JobKey,
    /// The reserved start.
    pub start: Time,
}

/// What one scheduling pass decided; cleared and reused by the caller.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Who starts now, in the order decided.
    pub starts: Vec<Start>,
    /// Reservations given to jobs that had none before.
    pub promised_starts: Vec<PromisedStart>,
}

impl Decisions {
    /// Forgets the last pass, keeping the memory.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.promised_starts.clear();
    }
}

/// Who starts now?
///
/// The caller reports submissions, ends and new plans as they happen, then asks for a pass; jobs the pass starts
/// are running from then on. Nothing is decided outside [`pass`](Scheduler::pass).
pub trait Scheduler {
    /// A job arrived.
    fn submit(&mut self, job: PlannedJob, now: Time);

    /// A running job ended and gives its processors back.
    fn end(&mut self, key: JobKey, now: Time);

    /// A waiting or running job is now planned to run for `planned` seconds from its start.
    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time);

    /// A waiting job leaves without having started: it was cancelled, or started elsewhere.
    fn withdraw(&mut self, key: JobKey, now: Time);

    /// Decides who starts.
    fn pass(&mut self, now: Time, decisions: &mut Decisions);

    /// Whether the job just submitted can make any difference now: rule (b) of R-SIM-1, by which the simulator of
    /// the golden schedules skips the pass after a submission. The default never skips.
    fn submission_matters(&mut self, _key: JobKey, _now: Time) -> bool {
        true
    }

    /// The earliest reserved start, for schedulers whose reservations are appointments: a pass is due then even
    /// if nothing ends or arrives.
    fn next_appointment(&self) -> Option<Time> {
        None
    }

    /// How many jobs wait.
    fn waiting(&self) -> usize;
}

impl<S: Scheduler + ?Sized> Scheduler for Box<S> {
    fn submit(&mut self, job: PlannedJob, now: Time) {
        (**self).submit(job, now);
    }
    fn end(&mut self, key: JobKey, now: Time) {
        (**self).end(key, now);
    }
    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time) {
        (**self).replan(key, planned, now);
    }
    fn withdraw(&mut self, key: JobKey, now: Time) {
        (**self).withdraw(key, now);
    }
    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        (**self).pass(now, decisions);
    }
    fn submission_matters(&mut self, key: JobKey, now: Time) -> bool {
        (**self).submission_matters(key, now)
    }
    fn next_appointment(&self) -> Option<Time> {
        (**self).next_appointment()
    }
    fn waiting(&self) -> usize {
        (**self).waiting()
    }
}

/// Any of the schedulers, as a value that can be cloned.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one to a cluster, and it is called in the innermost loop")]
pub enum AnyScheduler {
    /// FCFS, EASY and their relatives.
    Backfilling(Backfilling),
    /// Conservative backfilling.
    Conservative(Conservative),
}

macro_rules! whichever {
    ($self:ident, $scheduler:ident => $call:expr) => {
        match $self {
            AnyScheduler::Backfilling($scheduler) => $call,
            AnyScheduler::Conservative($scheduler) => $call,
        }
    };
}

// Inlined into replays in other crates: without LTO each would be a call more for every event.
impl Scheduler for AnyScheduler {
    #[inline]
    fn submit(&mut self, job: PlannedJob, now: Time) {
        whichever!(self, scheduler => scheduler.submit(job, now));
    }
    #[inline]
    fn end(&mut self, key: JobKey, now: Time) {
        whichever!(self, scheduler => scheduler.end(key, now));
    }
    #[inline]
    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time) {
        whichever!(self, scheduler => scheduler.replan(key, planned, now));
    }
    #[inline]
    fn withdraw(&mut self, key: JobKey, now: Time) {
        whichever!(self, scheduler => scheduler.withdraw(key, now));
    }

    #[inline]
    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        whichever!(self, scheduler => scheduler.pass(now, decisions));
    }
    #[inline]
    fn submission_matters(&mut self, key: JobKey, now: Time) -> bool {
        whichever!(self, scheduler => scheduler.submission_matters(key, now))
    }
    #[inline]
    fn next_appointment(&self) -> Option<Time> {
        whichever!(self, scheduler => scheduler.next_appointment())
    }
    #[inline]
    fn waiting(&self) -> usize {
        whichever!(self, scheduler => scheduler.waiting())
    }
}
