//! What is learnt of run times and waits, fact by fact: the same predictors as offline, fed with the same four events.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use queuecast_advise::limit::LimitAdvisers;
use queuecast_advise::width::ScalingMemory;
use queuecast_forecast::forward::HistorySampler;
use queuecast_forecast::pooled::{Answer, Forest, LearntWaits, Lesson};
use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters, Workspace,
};
use queuecast_records::JobRecord;
use queuecast_records::history::{Attempt, History};
use queuecast_workload::{JobId, Outcome, Request, Seconds, Submission, Time};

use super::waits::WaitLearner;
use crate::cluster::is_running;
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

/// What is known of waits, learnt in one place and asked in others.
#[derive(Clone)]
pub struct SharedWaits(Arc<RwLock<WaitLearner>>);

impl SharedWaits {
    /// Says when a job starts that waits so long in the futures, sorted.
    pub fn ask(&self, job: &Submission, futures: &[f64], now: Time) -> Answer {
        let waits = self.0.read().unwrap_or_else(PoisonError::into_inner);
        waits.ask(job, futures, None, 0, now)
    }
}

/// Decides the draws in growing forests.
const WAITS_SEED: u64 = 1;

/// Limits are advised at these risks, whether anybody asks or not: so every promise is checked on every job.
const ACCEPTED_RISKS: [f64; 5] = [0.005, 0.01, 0.02, 0.05, 0.1];
/// Of the jobs remembered at the start, the last so many are advised again: what a risk is worth is learnt from those alone.
const ADVISED_AGAIN: usize = 100_000;

/// Learns from facts. A clone reads what the original learns: one forecasts while the other goes on learning.
#[derive(Clone)]
pub struct Learner {
    names: Arc<RwLock<History>>,
    shared: SharedHistory,
    limits: Arc<RwLock<LimitAdvisers>>,
    scaling: Arc<RwLock<ScalingMemory>>,
    waits: Arc<RwLock<WaitLearner>>,
    learnt: u64,
}

/// An ended job of long ago.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    submission: Submission,
    eligible: Time,
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
            waits: Arc::new(RwLock::new(WaitLearner::of_told_order(0, WAITS_SEED))),
            learnt: 0,
        }
    }

    /// How many ended jobs it has learnt from.
    pub fn learnt(&self) -> u64 {
        self.learnt
    }

    /// How many jobs that wait or run are remembered, and how many of them are taken to run.
    pub fn jobs_open(&self) -> (usize, usize) {
        let history = self.shared.0.read().unwrap_or_else(PoisonError::into_inner);
        (history.jobs_remembered().count(), history.jobs_running().count())
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
        let attempt = self.names().attempt(record);
        let submission = attempt.map_or_else(|| unknown(job, record), |attempt| submission(job, record, &attempt));
        match (kind, attempt) {
            (FactKind::Ended { started, ended }, Some(Attempt { run: Some(run), status, .. })) if says_run(record) => {
                self.ended(&submission, &Outcome { started, ended: started + run, status }, ended);
            }
            // Whoever is gone is forgotten, however it went: also a sibling that ran elsewhere, and a run of unknown length.
            (
                FactKind::Ended { .. }
                | FactKind::Withdrawn { .. }
                | FactKind::Lost { .. }
                | FactKind::Dissolved { .. },
                _,
            ) => self.left(&submission),
            (_, None) => {}
            (FactKind::Arrived, _) => self.arrived(&submission, true),
            (FactKind::Started { at }, _) => self.found_started(&submission, eligible_since(record, at), at),
            (FactKind::Returned, _) => self.returned(&submission, record),
        }
    }

    /// An ended job of long ago, if enough is known of it.
    pub fn memory(&self, job: StoredJobId, record: &JobRecord) -> Option<Memory> {
        let attempt = self.names().attempt(record)?;
        let (started, run) = (record.started?, attempt.run?);
        let outcome = Outcome { started, ended: started + run, status: attempt.status };
        let eligible = eligible_since(record, started);
        Some(Memory { submission: submission(job, record, &attempt), eligible, outcome })
    }

    /// Learns from jobs of long ago, in the order in which things happened: nobody is advised from what was not known yet.
    pub fn recall(&mut self, mut memories: Vec<Memory>) {
        memories.sort_by_key(|memory| (memory.submission.submitted, memory.submission.job.0));
        let advised_from = memories.len().saturating_sub(ADVISED_AGAIN);
        let mut events: Vec<(Time, Event, usize)> = Vec::with_capacity(3 * memories.len());
        for (place, Memory { submission, outcome, .. }) in memories.iter().enumerate() {
            // The second part of a resized job keeps the first's start, which is before its own submission.
            let started = outcome.started.max(submission.submitted);
            events.push((submission.submitted, Event::Arrived, place));
            events.push((started, Event::Started, place));
            events.push((outcome.ended.max(started + Seconds(1)), Event::Ended, place));
        }
        events.sort_unstable();
        for (now, event, place) in events {
            let Memory { submission, eligible, outcome } = &memories[place];
            match event {
                Event::Ended => self.ended(submission, outcome, now),
                Event::Arrived => self.arrived(submission, place >= advised_from),
                Event::Started => self.started(submission, *eligible, now),
            }
        }
    }

    fn arrived(&mut self, job: &Submission, is_advised: bool) {
        if is_advised {
            self.desk().on_arrival(job, job.submitted);
        }
        self.shared.on_arrival(job, job.submitted);
        self.waits().arrived(job);
    }

    /// Who had vanished while it waited may be heard of again only by its start.
    fn found_started(&mut self, job: &Submission, eligible: Time, at: Time) {
        let is_remembered = self.shared.0.read().unwrap_or_else(PoisonError::into_inner).is_remembered(job.job);
        if !is_remembered {
            self.arrived(job, false);
        }
        self.started(job, eligible, at);
    }

    fn started(&mut self, job: &Submission, eligible: Time, now: Time) {
        self.shared.on_start(job, now);
        self.desk().on_start(job, now);
        self.waits().started(&Submission { submitted: eligible, ..*job }, now);
    }

    fn ended(&mut self, job: &Submission, outcome: &Outcome, now: Time) {
        self.shared.on_end(job, outcome);
        self.desk().on_end(job, outcome.ended - outcome.started, now);
        self.scaling.write().unwrap_or_else(PoisonError::into_inner).learn(job, outcome);
        self.waits().ended(job, &Outcome { ended: now, ..*outcome });
        self.learnt += 1;
    }

    fn left(&mut self, job: &Submission) {
        self.shared.on_withdrawn(job);
        self.desk().on_withdrawn(job);
        self.waits().left(job);
    }

    /// Who had vanished is there again. What was advised is forgotten: half a run is no test of it.
    fn returned(&mut self, job: &Submission, record: &JobRecord) {
        self.arrived(job, false);
        if let Some(at) = record.started.filter(|_| is_running(record)) {
            self.started(job, eligible_since(record, at), at);
        }
    }

    fn desk(&self) -> RwLockWriteGuard<'_, LimitAdvisers> {
        self.limits.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn waits(&self) -> RwLockWriteGuard<'_, WaitLearner> {
        self.waits.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of waits, to be asked.
    pub fn shared_waits(&self) -> SharedWaits {
        SharedWaits(Arc::clone(&self.waits))
    }

    /// What was said of a job that waits is learnt from while it does, and when it starts.
    pub fn keep(&self, job: StoredJobId, answer: Answer) {
        self.waits().keep(handle(job), answer);
    }

    /// Time has passed: who still waits teaches, too. To be told before anything is asked.
    pub fn advance(&self, now: Time) {
        self.waits().advance(now);
    }

    /// What a new forest is to be grown from, if it is time.
    pub fn lesson(&self) -> Option<Lesson> {
        self.waits().lesson()
    }

    /// A new forest was grown.
    pub fn take(&self, forest: Forest) {
        self.waits().take(forest);
    }

    /// What was learnt of waits, to be kept over a restart.
    pub fn learnt_waits(&self) -> LearntWaits {
        self.waits.read().unwrap_or_else(PoisonError::into_inner).learnt()
    }

    /// Goes on from what was learnt before a restart; `false` if it does not fit.
    pub fn recall_waits(&self, learnt: LearntWaits) -> bool {
        self.waits().recall(learnt)
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

/// Whether a record says how long its job ran. From start to end it may have been suspended, which is no run time.
fn says_run(record: &JobRecord) -> bool {
    record.elapsed.or(record.suspended).is_some()
}

fn unknown(job: StoredJobId, record: &JobRecord) -> Submission {
    Submission {
        job: handle(job),
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

/// Since when a job that started could have: a hold, a begin time or a dependency is no waiting for others.
fn eligible_since(record: &JobRecord, started: Time) -> Time {
    let submitted = record.key.submitted;
    record.eligible.map_or(submitted, |eligible| eligible.max(submitted)).min(started.max(submitted))
}

/// The handle of a job.
fn handle(job: StoredJobId) -> JobId {
    JobId(job.0.unsigned_abs())
}

/// Jobs are compared by what they asked for: what they were given is known only of those that started.
fn submission(job: StoredJobId, record: &JobRecord, attempt: &Attempt) -> Submission {
    let asked = record.requested.cpus.and_then(|cpus| u32::try_from(cpus).ok()).filter(|cpus| *cpus > 0);
    Submission {
        job: handle(job),
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use queuecast_records::{BaseState, JobState, StateFlag};

    use super::*;
    use crate::cluster::test_cluster::{running, waiting};

    /// A job that ended, with its run time if Slurm said it.
    fn ended(number: u64, elapsed: Option<Seconds>) -> JobRecord {
        let mut job = running(number, "a1", 1, 2_000);
        job.state = JobState { base: BaseState::Completed, ..JobState::default() };
        (job.ended, job.elapsed) = (Some(Time(9_000)), elapsed);
        job
    }

    fn revoked(number: u64) -> JobRecord {
        let mut job = waiting(number, 1);
        job.state = JobState::from_words(["REVOKED"]);
        assert!(job.state.flags.has(StateFlag::Revoked));
        job
    }

    const ENDED: FactKind = FactKind::Ended { started: Time(2_000), ended: Time(9_000) };

    #[test]
    fn time_spent_suspended_is_not_learnt_as_run_time() {
        let mut learner = Learner::new();
        learner.learn(StoredJobId(1), ENDED, &ended(1, None));
        assert_eq!(learner.learnt(), 0, "from start to end it may have been suspended");
        learner.learn(StoredJobId(2), ENDED, &ended(2, Some(Seconds(400))));
        assert_eq!(learner.learnt(), 1);
    }

    #[test]
    fn who_was_lost_and_is_found_by_its_start_is_learnt_from_again() {
        let mut learner = Learner::new();
        learner.learn(StoredJobId(1), FactKind::Arrived, &waiting(1, 1));
        learner.learn(StoredJobId(1), FactKind::Lost { at: Time(3_000) }, &waiting(1, 1));
        learner.learn(StoredJobId(1), FactKind::Started { at: Time(3_500) }, &running(1, "a1", 1, 3_500));
        assert_eq!(learner.jobs_open(), (1, 1));
    }

    #[test]
    fn a_second_part_that_ended_with_its_resize_takes_no_place() {
        let mut learner = Learner::new();
        let mut part = ended(1, Some(Seconds(0)));
        (part.key.submitted, part.ended) = (Time(9_000), Some(Time(9_000)));
        let memory = learner.memory(StoredJobId(1), &part).expect("it ran");
        learner.recall(vec![memory]);
        assert_eq!(learner.open(), (BTreeSet::new(), BTreeSet::new()));
    }

    impl Learner {
        /// Who is remembered, and who is taken to run.
        fn open(&self) -> (BTreeSet<u64>, BTreeSet<u64>) {
            let history = self.shared.0.read().expect("nobody panics");
            let numbers = |jobs: &mut dyn Iterator<Item = JobId>| jobs.map(|job| job.0).collect();
            (numbers(&mut history.jobs_remembered()), numbers(&mut history.jobs_running()))
        }
    }

    /// A fact of a kind, and the record that tells it.
    fn told(number: u64, kind: u8) -> (FactKind, JobRecord) {
        let at = Time(3_000);
        let hidden = JobRecord { user: String::new(), ..ended(number, Some(Seconds(10))) };
        match kind {
            0 => (FactKind::Arrived, waiting(number, 1)),
            1 => (FactKind::Started { at }, running(number, "a1", 1, 3_000)),
            2 => (FactKind::Returned, waiting(number, 1)),
            3 => (FactKind::Returned, running(number, "a1", 1, 3_000)),
            4 => (ENDED, ended(number, Some(Seconds(10)))),
            5 => (ENDED, ended(number, None)),
            6 => (ENDED, hidden),
            7 => (FactKind::Withdrawn { at }, waiting(number, 1)),
            8 => (FactKind::Withdrawn { at }, revoked(number)),
            9 => (FactKind::Lost { at }, running(number, "a1", 1, 3_000)),
            _ => (FactKind::Dissolved { at }, waiting(number, 1)),
        }
    }

    proptest! {
        /// Whatever comes in whatever order: who came or started and has not gone is remembered, who started and has not gone runs, and nobody else.
        #[test]
        fn what_is_remembered_is_who_is_open(facts in proptest::collection::vec((1_u64..5, 0_u8..11), 0..60)) {
            let mut learner = Learner::new();
            let (mut open, mut runs) = (BTreeSet::new(), BTreeSet::new());
            for (number, kind) in facts {
                let (fact, record) = told(number, kind);
                learner.learn(StoredJobId(number.cast_signed()), fact, &record);
                match kind {
                    0 | 2 => { open.insert(number); }
                    1 | 3 => { open.insert(number); runs.insert(number); }
                    _ => { open.remove(&number); runs.remove(&number); }
                }
                prop_assert_eq!(learner.open(), (open.clone(), runs.clone()), "after {:?}", fact);
            }
        }
    }
}
