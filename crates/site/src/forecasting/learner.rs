//! What is learnt of run times, fact by fact: the same predictor as offline, fed with the same four events.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use queuecast_advise::limit::LimitAdvisers;
use queuecast_advise::width::ScalingMemory;
use queuecast_forecast::forward::HistorySampler;
use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters, Workspace,
};
use queuecast_records::JobRecord;
use queuecast_records::history::{Attempt, History};
use queuecast_workload::{JobId, Outcome, Request, Seconds, Submission, Time};

use crate::ledger::FactKind;
use crate::ledger::StoredJobId;

/// Run-time distributions that are learnt in one place and read in others: whoever asks about a job that does not exist reads
/// while the next forecast is made.
#[derive(Clone)]
pub struct SharedHistory(Arc<RwLock<WeightedHistory>>);

impl SharedHistory {
    fn write(&self, change: impl FnOnce(&mut WeightedHistory)) {
        change(&mut self.0.write().unwrap_or_else(PoisonError::into_inner));
    }
}

impl RuntimeDistributions for SharedHistory {
    fn on_arrival(&mut self, job: &Submission, now: Time) {
        self.write(|history| history.on_arrival(job, now));
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        self.write(|history| history.on_start(job, now));
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.write(|history| history.on_end(job, outcome));
    }
    fn on_withdrawn(&mut self, job: &Submission) {
        self.write(|history| history.on_withdrawn(job));
    }
    fn distribution_into(
        &self,
        job: &Submission,
        age: Seconds,
        now: Time,
        workspace: &mut Workspace,
        distribution: &mut RuntimeDistribution,
    ) {
        let history = self.0.read().unwrap_or_else(PoisonError::into_inner);
        history.distribution_into(job, age, now, workspace, distribution);
    }
}

/// Limits are advised at these risks, whether anybody asks or not: so every promise is checked on every job.
const ACCEPTED_RISKS: [f64; 5] = [0.005, 0.01, 0.02, 0.05, 0.1];
/// Of the jobs remembered at the start, the last so many are advised again: enough for the promises to be kept.
const ADVISED_AGAIN: usize = 10_000;

/// Learns from facts. A clone reads what the original learns: one forecasts while the other goes on learning.
#[derive(Clone)]
pub struct Learner {
    names: Arc<RwLock<History>>,
    shared: SharedHistory,
    limits: Arc<RwLock<LimitAdvisers>>,
    scaling: Arc<RwLock<ScalingMemory>>,
    learnt: u64,
}

/// An ended job of long ago.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    submission: Submission,
    outcome: Outcome,
}

impl Default for Learner {
    fn default() -> Self {
        Self::new()
    }
}

impl Learner {
    /// Nothing learnt yet.
    pub fn new() -> Self {
        let history = WeightedHistory::new(WeightedHistoryParameters::default());
        Self {
            names: Arc::new(RwLock::new(History::new())),
            shared: SharedHistory(Arc::new(RwLock::new(history))),
            limits: Arc::new(RwLock::new(LimitAdvisers::new(&ACCEPTED_RISKS))),
            scaling: Arc::default(),
            learnt: 0,
        }
    }

    /// How many ended jobs it has learnt from.
    pub fn learnt(&self) -> u64 {
        self.learnt
    }

    /// The distributions, to read.
    pub fn shared(&self) -> SharedHistory {
        self.shared.clone()
    }

    /// Draws run times as they are known now.
    pub fn sampler(&self) -> HistorySampler<SharedHistory> {
        HistorySampler::new(self.shared())
    }

    /// What was known of a job at its submission. One that is not in the store, which can be for a moment, is taken for a job
    /// of which nothing else is known.
    pub fn described(&mut self, job: Option<StoredJobId>, record: &JobRecord) -> Submission {
        let job = job.unwrap_or(StoredJobId(i64::MAX));
        let attempt = self.names().attempt(record);
        attempt.map_or_else(|| unknown(job, record), |attempt| submission(job, record, &attempt))
    }

    /// Something became known.
    pub fn learn(&mut self, job: StoredJobId, kind: FactKind, record: &JobRecord) {
        let Some(attempt) = self.names().attempt(record) else { return };
        let submission = submission(job, record, &attempt);
        match kind {
            FactKind::Arrived => self.arrived(&submission, true),
            FactKind::Started { at } => self.started(&submission, at),
            FactKind::Ended { started, ended } => {
                // Time spent suspended is no run time.
                let Some(run) = attempt.run else { return };
                let outcome = Outcome { started, ended: started + run, status: attempt.status };
                self.ended(&submission, &outcome, ended);
            }
            FactKind::Withdrawn { .. } | FactKind::Lost { .. } | FactKind::Dissolved { .. } => {
                self.shared.on_withdrawn(&submission);
                self.desk().on_withdrawn(&submission);
            }
            FactKind::Returned => {}
        }
    }

    /// An ended job of long ago, if enough is known of it.
    pub fn memory(&self, job: StoredJobId, record: &JobRecord) -> Option<Memory> {
        let attempt = self.names().attempt(record)?;
        let (started, run) = (record.started?, attempt.run?);
        let outcome = Outcome { started, ended: started + run, status: attempt.status };
        Some(Memory { submission: submission(job, record, &attempt), outcome })
    }

    /// Learns from jobs of long ago, in the order in which things happened: nobody is advised from what was not known yet.
    pub fn recall(&mut self, mut memories: Vec<Memory>) {
        memories.sort_by_key(|memory| (memory.submission.submitted, memory.submission.job.0));
        let advised_from = memories.len().saturating_sub(ADVISED_AGAIN);
        let mut events: Vec<(Time, Event, usize)> = Vec::with_capacity(3 * memories.len());
        for (place, Memory { submission, outcome }) in memories.iter().enumerate() {
            events.push((submission.submitted, Event::Arrived, place));
            events.push((outcome.started, Event::Started, place));
            events.push((outcome.ended.max(outcome.started + Seconds(1)), Event::Ended, place));
        }
        events.sort_unstable();
        for (now, event, place) in events {
            let Memory { submission, outcome } = &memories[place];
            match event {
                Event::Ended => self.ended(submission, outcome, now),
                Event::Arrived => self.arrived(submission, place >= advised_from),
                Event::Started => self.started(submission, now),
            }
        }
    }

    fn arrived(&mut self, job: &Submission, is_advised: bool) {
        if is_advised {
            let runs = self.shared.distribution(job, Seconds::ZERO, job.submitted);
            self.desk().on_arrival(job, &runs);
        }
        self.shared.on_arrival(job, job.submitted);
    }

    fn started(&mut self, job: &Submission, now: Time) {
        self.shared.on_start(job, now);
        self.desk().on_start(job, now);
    }

    fn ended(&mut self, job: &Submission, outcome: &Outcome, now: Time) {
        self.shared.on_end(job, outcome);
        self.desk().on_end(job, outcome.ended - outcome.started, now);
        self.scaling.write().unwrap_or_else(PoisonError::into_inner).learn(job, outcome);
        self.learnt += 1;
    }

    fn desk(&self) -> RwLockWriteGuard<'_, LimitAdvisers> {
        self.limits.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Limits, to be advised.
    pub fn shared_limits(&self) -> Arc<RwLock<LimitAdvisers>> {
        Arc::clone(&self.limits)
    }

    /// How programs scale, to read.
    pub fn shared_scaling(&self) -> Arc<RwLock<ScalingMemory>> {
        Arc::clone(&self.scaling)
    }

    fn names(&self) -> RwLockWriteGuard<'_, History> {
        self.names.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of names, to read.
    pub fn shared_names(&self) -> Arc<RwLock<History>> {
        Arc::clone(&self.names)
    }
}

/// What happens to a job; of what happens in one second, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Ended,
    Arrived,
    Started,
}

fn unknown(job: StoredJobId, record: &JobRecord) -> Submission {
    Submission {
        job: JobId(job.0.unsigned_abs()),
        submitted: record.key.submitted,
        request: Request { processors: 1 },
        limit: record.limit.seconds(),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

/// Jobs are compared by what they asked for: what they were given is known only of those that started.
fn submission(job: StoredJobId, record: &JobRecord, attempt: &Attempt) -> Submission {
    let asked = record.requested.cpus.and_then(|cpus| u32::try_from(cpus).ok()).filter(|cpus| *cpus > 0);
    Submission {
        job: JobId(job.0.unsigned_abs()),
        submitted: attempt.submitted,
        request: Request { processors: asked.or(attempt.processors).unwrap_or(1) },
        limit: attempt.limit,
        user: attempt.user,
        group: attempt.group,
        program: attempt.program,
        queue: attempt.queue,
        partition: attempt.partition,
    }
}
