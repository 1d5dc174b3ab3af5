//! What is learnt of run times, fact by fact: the same predictor as offline, fed with the same four events.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use queuecast_forecast::forward::HistorySampler;
use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters, Workspace,
};
use queuecast_slurm::history::{Attempt, History};
use queuecast_slurm::record::JobRecord;
use queuecast_workload::{JobId, Outcome, Request, Seconds, Submission, Time};

use crate::ledger::FactKind;
use crate::store::StoredJobId;

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

/// Learns from facts.
pub struct Learner {
    names: Arc<RwLock<History>>,
    shared: SharedHistory,
    learnt: u64,
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
            FactKind::Arrived => self.shared.on_arrival(&submission, submission.submitted),
            FactKind::Started { at } => self.shared.on_start(&submission, at),
            FactKind::Ended { started, .. } => {
                // Time spent suspended is no run time.
                let Some(run) = attempt.run else { return };
                let outcome = Outcome { started, ended: started + run, status: attempt.status };
                self.shared.on_end(&submission, &outcome);
                self.learnt += 1;
            }
            FactKind::Withdrawn { .. } | FactKind::Lost { .. } | FactKind::Dissolved { .. } => {
                self.shared.on_withdrawn(&submission);
            }
            FactKind::Returned => {}
        }
    }

    /// An ended job of long ago, whole.
    pub fn remember(&mut self, job: StoredJobId, record: &JobRecord) {
        let (Some(started), Some(ended)) = (record.started, record.ended) else { return };
        for kind in [FactKind::Arrived, FactKind::Started { at: started }, FactKind::Ended { started, ended }] {
            self.learn(job, kind, record);
        }
    }

    fn names(&self) -> RwLockWriteGuard<'_, History> {
        self.names.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of names, to read.
    pub fn shared_names(&self) -> Arc<RwLock<History>> {
        Arc::clone(&self.names)
    }
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
