//! The watcher: asks, takes in, learns, forecasts, keeps, publishes; in that order, again and again.
//!
//! What is told to anybody was kept first. What is learnt was taken into the store first. So a daemon that is killed at any
//! moment and started again knows everything it has said, and learns nothing twice.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use queuecast_forecast::score::{Score, Scorekeeper};
use queuecast_slurm::record::PrivateData;
use queuecast_slurm::source::{AnswerLimits, Commands, Period, Source, SourceError};
use queuecast_workload::{Seconds, Time};

use super::identities::Identities;
use super::kind::Kind;
use super::latest::Latest;
use super::publish::{can_be_scored, in_order, published};
use super::source::{SourceChoice, connect};
use super::turn::Turn;
use crate::clock::Clock;
use crate::cluster::{Situation, check};
use crate::forecasting::{Forecasting, ForecastingSettings};
use crate::ledger::{FactKind, Stage};
use crate::published::{Adviser, Board, Health, JobForecast, Published, PublishedJob, ReplayCheck};
use crate::roles::Roles;
use crate::store::{
    CatchUp, CatchUpSettings, Fact, KeptForecast, ReadingKind, Store, StoreError, StoredJobId, VanishingRules,
    should_keep,
};

/// So many ended jobs are learnt from again when the daemon starts.
const HISTORY_JOBS: usize = 50_000;
/// So many scored forecasts are taken at once.
const SCORED_AT_ONCE: usize = 10_000;
/// For so long an empty store catches up before the first forecasts are made, in real time.
const FIRST_CATCH_UP: Duration = Duration::from_secs(4);

/// How Slurm is watched. Intervals are in the cluster's seconds.
#[derive(Clone, Debug)]
pub struct WatchSettings {
    /// The cluster's name, where it is said by hand.
    pub cluster: Option<String>,
    /// Where it is asked.
    pub source: SourceChoice,
    /// How long and how much an answer may be.
    pub limits: AnswerLimits,
    /// How often the queue is read.
    pub queue_every: Seconds,
    /// How often the nodes are.
    pub nodes_every: Seconds,
    /// How often accounting is.
    pub accounting_every: Seconds,
    /// How often partitions, reservations, qualities of service and settings are.
    pub settings_every: Seconds,
    /// How often Slurm is asked how deep backfill gets.
    pub backfill_every: Seconds,
    /// How accounting is caught up with.
    pub catch_up: CatchUpSettings,
    /// How much is played.
    pub forecasting: ForecastingSettings,
    /// For how long ended jobs are kept.
    pub keep: Seconds,
    /// Whether what fails, and what works again, is said on standard error.
    pub says_what_fails: bool,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            cluster: None,
            source: SourceChoice::Commands,
            limits: AnswerLimits::default(),
            queue_every: Seconds(30),
            nodes_every: Seconds(60),
            accounting_every: Seconds(60),
            settings_every: Seconds(1_800),
            backfill_every: Seconds(300),
            catch_up: CatchUpSettings::default(),
            forecasting: ForecastingSettings::default(),
            keep: Seconds(400 * 86_400),
            says_what_fails: true,
        }
    }
}

/// Watches one cluster.
pub struct Watcher {
    settings: WatchSettings,
    clock: Clock,
    source: Option<Box<dyn Source + Send>>,
    store: Store,
    board: Board,
    forecasting: Forecasting,
    identities: Identities,
    /// When a forecast of a waiting job was last kept.
    last_kept: HashMap<StoredJobId, Time>,
    scorekeeper: Scorekeeper,
    score: Arc<Score>,
    /// Up to which number forecasts have been scored.
    scored: Option<i64>,
    catch_up: CatchUp,
    latest: Latest,
    health: Health,
    replay_check: ReplayCheck,
    jobs: Arc<[PublishedJob]>,
    adviser: Option<Arc<dyn Adviser>>,
    forecast_made: Option<Time>,
    turns: Turns,
}

struct Turns {
    queue: Turn,
    nodes: Turn,
    accounting: Turn,
    settings: Turn,
    users: Turn,
    backfill: Turn,
    /// Once a day: is the store what was written, and what is old in it.
    housekeeping: Turn,
}

impl Turns {
    fn new(settings: &WatchSettings, clock: &Clock) -> Self {
        let now = Instant::now();
        let turn = |every: Seconds| Turn::new(clock.real(every.as_f64()), now);
        Self {
            queue: turn(settings.queue_every),
            nodes: turn(settings.nodes_every),
            accounting: turn(settings.accounting_every),
            settings: turn(settings.settings_every),
            users: turn(settings.settings_every),
            backfill: turn(settings.backfill_every),
            housekeeping: turn(Seconds(86_400)),
        }
    }

    fn of(&mut self, kind: Kind) -> &mut Turn {
        match kind {
            Kind::Queue => &mut self.queue,
            Kind::Nodes => &mut self.nodes,
            Kind::Accounting => &mut self.accounting,
            Kind::Settings => &mut self.settings,
            Kind::Users => &mut self.users,
            Kind::Backfill => &mut self.backfill,
        }
    }

    fn next(&self) -> Instant {
        [self.queue, self.nodes, self.accounting, self.settings, self.users, self.backfill]
            .iter()
            .map(Turn::due)
            .min()
            .unwrap_or_else(Instant::now)
    }
}

impl Watcher {
    /// Takes up where the store left off.
    pub fn new(store: Store, board: Board, clock: Clock, settings: WatchSettings) -> Result<Self, StoreError> {
        let mut forecasting = Forecasting::new(settings.forecasting);
        let mut memories = Vec::new();
        store.history(HISTORY_JOBS, |job, record| memories.extend(forecasting.learner.memory(job, record)))?;
        forecasting.learner.recall(memories);
        let open = store.open_jobs()?;
        for job in &open {
            forecasting.learner.learn(job.job, FactKind::Arrived, &job.record);
            if let Stage::Running { started } = job.stage {
                forecasting.learner.learn(job.job, FactKind::Started { at: started }, &job.record);
            }
        }
        let mut watcher = Self {
            turns: Turns::new(&settings, &clock),
            catch_up: CatchUp::new(settings.catch_up),
            identities: Identities::of(&open),
            last_kept: store.last_given()?.into_iter().collect(),
            settings,
            clock,
            source: None,
            store,
            board,
            forecasting,
            scorekeeper: Scorekeeper::new(),
            score: Arc::default(),
            scored: None,
            latest: Latest::default(),
            health: Health::default(),
            replay_check: ReplayCheck::default(),
            jobs: Arc::from(Vec::new()),
            adviser: None,
            forecast_made: None,
        };
        watcher.settle()?;
        watcher.publish();
        Ok(watcher)
    }

    /// Reads everything once, and forecasts: for one person, who asks without a daemon. Where the queue is not answered nothing else is
    /// asked: every question to a Slurm that is down takes as long as its patience.
    pub fn look(mut self, accounting: Period) -> Result<(), StoreError> {
        if self.read_queue()? {
            self.read_settings();
            self.read_nodes();
            self.read_backfill();
            self.read_period(accounting)?;
            self.forecast()?;
        }
        self.publish();
        Ok(())
    }

    /// Watches until told to stop, or until the store fails.
    pub fn watch(mut self, stop: &Receiver<()>) -> Result<(), StoreError> {
        let begun = Instant::now();
        loop {
            let now = Instant::now();
            let mut news = false;
            if self.turns.settings.is_due(now) {
                self.read_settings();
            }
            if self.turns.users.is_due(now) {
                self.read_users();
            }
            if self.turns.nodes.is_due(now) {
                self.read_nodes();
            }
            if self.turns.backfill.is_due(now) {
                self.read_backfill();
            }
            if self.turns.queue.is_due(now) {
                news = self.read_queue()?;
            }
            while self.turns.accounting.is_due(Instant::now()) {
                let more = self.read_accounting()?;
                let is_first = self.forecast_made.is_none() && begun.elapsed() < FIRST_CATCH_UP;
                if !(more && is_first) {
                    break;
                }
            }
            if news {
                self.settle()?;
                self.forecast()?;
            }
            self.publish();
            if self.turns.housekeeping.is_due(Instant::now()) {
                self.store.check()?;
                self.store.forget(self.clock.now() - self.settings.keep)?;
                self.turns.housekeeping.succeeded(Instant::now(), Duration::ZERO);
            }
            let pause = self.turns.next().saturating_duration_since(Instant::now());
            match stop.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Asks one question. What it took and whether it failed is noted; that it begins to fail, and that it succeeds again, is said
    /// once on standard error.
    fn ask<T>(
        &mut self,
        kind: Kind,
        question: impl FnOnce(&dyn Source) -> Result<T, SourceError>,
    ) -> Result<(T, Duration), SourceError> {
        let begun = Instant::now();
        let source = match self.source.take() {
            Some(source) => Ok(source),
            None => connect(&self.settings.source, self.settings.limits),
        };
        let answer = source.and_then(|source| {
            let answer = question(&*source);
            // Who refuses may speak another version by now, which is found out anew.
            if !matches!(answer, Err(SourceError::Refused { .. })) {
                self.source = Some(source);
            }
            answer
        });
        let (now, took) = (Instant::now(), begun.elapsed());
        let (health, turn) = (kind.health(&mut self.health), self.turns.of(kind));
        health.calls += 1;
        health.last_seconds = took.as_secs_f64();
        match answer {
            Ok(answer) => {
                if health.problem.take().is_some() && self.settings.says_what_fails {
                    eprintln!("{}: Slurm answers again", kind.name());
                }
                turn.succeeded(now, took);
                Ok((answer, took))
            }
            Err(error) => {
                if health.problem.replace(error.to_string()).is_none() && self.settings.says_what_fails {
                    eprintln!(
                        "{}: {error}; what was known is told with its age, and Slurm is asked again",
                        kind.name()
                    );
                }
                health.failures += 1;
                turn.failed(now, took);
                Err(error)
            }
        }
    }

    /// Reads the queue. Says whether it was answered.
    fn read_queue(&mut self) -> Result<bool, StoreError> {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Queue, |source| source.queue());
        let Ok((reading, _)) = answer else { return Ok(false) };
        self.health.queue.bad_records = reading.problems.len() as u64;
        let facts = self.store.take_in(&reading.records, ReadingKind::Queue, asked)?;
        self.learn(&facts);
        let before = self.latest.queue.take().map(|(_, jobs)| check::running(&jobs));
        self.latest.queue = Some((asked, reading.records));
        self.health.queue.succeeded = Some(asked);
        let vanished = self.store.vanished(asked, VanishingRules::default())?;
        self.learn(&vanished);
        if let (Some(before), Some(reading)) = (before, self.latest.reading()) {
            let (learner, identities) = (&mut self.forecasting.learner, &self.identities);
            let checked = check::check(&reading, &before, |record| learner.described(identities.row(record), record));
            self.replay_check.starts += checked.starts;
            self.replay_check.explained += checked.explained;
            self.replay_check.missing += checked.missing;
        }
        Ok(true)
    }

    fn read_nodes(&mut self) {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Nodes, |source| source.nodes());
        if let Ok((reading, _)) = answer {
            self.health.nodes.succeeded = Some(asked);
            self.health.nodes.bad_records = reading.problems.len() as u64;
            self.latest.nodes = reading.records;
        }
    }

    /// Reads the next piece of accounting. Says whether there is more to catch up with.
    fn read_accounting(&mut self) -> Result<bool, StoreError> {
        let asked = self.clock.now();
        let mark = self.store.accounting_read_up_to()?;
        let Some(period) = self.catch_up.next_window(mark, asked) else {
            self.turns.accounting.succeeded(Instant::now(), Duration::ZERO);
            return Ok(false);
        };
        let Some((records, took)) = self.read_period(period)? else { return Ok(false) };
        self.catch_up.answered(period, records);
        let more = !self.catch_up.is_keeping_up();
        if more {
            self.turns.accounting.again_soon(Instant::now(), took);
        }
        Ok(more)
    }

    /// Reads a piece of accounting. Says how many records it had and how long that took, if it was answered.
    fn read_period(&mut self, period: Period) -> Result<Option<(usize, Duration)>, StoreError> {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Accounting, |source| source.accounting(period));
        let (reading, took) = match answer {
            Ok(answer) => answer,
            Err(SourceError::TooMuch { .. } | SourceError::TooLate { .. }) => {
                self.catch_up.too_large();
                return Ok(None);
            }
            Err(_) => return Ok(None),
        };
        self.health.accounting.succeeded = Some(asked);
        self.health.accounting.bad_records = reading.problems.len() as u64;
        let facts = self.store.take_in(&reading.records, ReadingKind::Accounting(period), asked)?;
        self.learn(&facts);
        Ok(Some((reading.records.len(), took)))
    }

    /// Reads what seldom changes. What is not to be had is done without, and the last answer stands.
    fn read_settings(&mut self) {
        let asked = self.clock.now();
        let configuration = self.ask_settings(|source| match source.configuration() {
            // slurmrestd does not say how Slurm is set up; its command does.
            Err(SourceError::NotOffered { .. }) => Commands::on_path(AnswerLimits::default()).configuration(),
            answer => answer,
        });
        let partitions = self.ask_settings(|source| source.partitions());
        let reservations = self.ask_settings(|source| source.reservations());
        let qos = self.ask_settings(|source| source.qos());
        if [configuration.is_some(), partitions.is_some(), reservations.is_some(), qos.is_some()].contains(&true) {
            self.health.settings.succeeded = Some(asked);
        }
        let latest = &mut self.latest;
        latest.configuration = configuration.or(latest.configuration.take());
        if let Some(partitions) = partitions {
            latest.partitions = partitions.records;
        }
        if let Some(reservations) = reservations {
            latest.reservations = reservations.records;
        }
        if let Some(qos) = qos {
            latest.qos = qos.records;
        }
    }

    /// Reads who is more than a user. Who was one is one no longer while it fails: nobody can say that they still are.
    fn read_users(&mut self) {
        let asked = self.clock.now();
        let answer = self.ask(Kind::Users, |source| source.users());
        self.latest.roles = Arc::new(match answer {
            Ok((reading, _)) => {
                self.health.users.succeeded = Some(asked);
                self.health.users.bad_records = reading.problems.len() as u64;
                Roles::of(reading.records)
            }
            Err(_) => Roles::default(),
        });
    }

    fn read_backfill(&mut self) {
        let asked = self.clock.now();
        if let Ok((said, _)) = self.ask(Kind::Backfill, |source| source.diagnostics()) {
            self.health.backfill.succeeded = Some(asked);
            self.latest.reach.see(&said);
            self.health.backfill_reach_jobs = self.latest.reach.jobs().map(|jobs| jobs as u64);
        }
    }

    fn ask_settings<T>(&mut self, question: impl FnOnce(&dyn Source) -> Result<T, SourceError>) -> Option<T> {
        let answer = self.ask(Kind::Settings, question);
        answer.ok().map(|(answer, _)| answer)
    }

    fn learn(&mut self, facts: &[Fact]) {
        for fact in facts {
            self.forecasting.learner.learn(fact.job, fact.kind, &fact.record);
            self.identities.note(fact);
            if !matches!(fact.kind, FactKind::Arrived | FactKind::Returned) {
                self.last_kept.remove(&fact.job);
            }
        }
    }

    /// Scores the forecasts whose jobs have started, and learns from how far off they were.
    fn settle(&mut self) -> Result<(), StoreError> {
        loop {
            let scored = self.store.scored(self.scored, SCORED_AT_ONCE)?;
            for (number, forecast) in &scored {
                self.scored = Some(*number);
                self.scorekeeper.add(forecast);
                self.forecasting.correction.learn(&forecast.raw, forecast.made, forecast.started);
            }
            if !scored.is_empty() {
                self.score = Arc::new(self.scorekeeper.score());
            }
            if scored.len() < SCORED_AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Forecasts everybody, and keeps what is to be scored.
    fn forecast(&mut self) -> Result<(), StoreError> {
        let begun = Instant::now();
        let Some(reading) = self.latest.reading() else { return Ok(()) };
        let now = reading.now;
        let (learner, identities) = (&mut self.forecasting.learner, &self.identities);
        let situation = Situation::of(&reading, |record| learner.described(identities.row(record), record));
        self.health.queue.bad_records += situation.problems.len() as u64;
        let (waiting, running) = (situation.waiting.clone(), situation.running.clone());
        let forecasts = self.forecasting.forecast(situation);
        let mut kept = Vec::new();
        let mut jobs = Vec::with_capacity(waiting.len() + running.len());
        for (job, said) in waiting.iter().zip(forecasts.waiting) {
            let record = &reading.jobs[job.record];
            let row = self.identities.row(record);
            let due = |row: &StoredJobId| should_keep(record.key.submitted, self.last_kept.get(row).copied(), now);
            let keep = match (&said.forecast, said.raw, row.filter(due).filter(|_| can_be_scored(record))) {
                (JobForecast::Estimate(estimate), Some(raw), Some(row)) => Some(KeptForecast {
                    job: row,
                    made: now,
                    start: estimate.start.times,
                    raw,
                    run_median: Some(estimate.run.spans[4]),
                    completion_median: Some(estimate.completion.times[4]),
                    slurm_planned: record.planned_start,
                }),
                _ => None,
            };
            let is_kept = keep.is_some();
            kept.extend(keep);
            jobs.push(published(record, said.forecast, is_kept));
        }
        for ((record, _), forecast) in running.iter().zip(forecasts.running) {
            jobs.push(published(&reading.jobs[*record], forecast, false));
        }
        self.store.give(&kept)?;
        self.last_kept.extend(kept.iter().map(|forecast| (forecast.job, now)));
        self.jobs = in_order(jobs);
        self.adviser = Some(forecasts.adviser);
        self.forecast_made = Some(now);
        self.health.forecast_seconds = begun.elapsed().as_secs_f64();
        Ok(())
    }

    fn cluster(&self) -> String {
        let said = self.latest.configuration.as_ref().map(|configuration| configuration.cluster_name.clone());
        self.settings.cluster.clone().or(said).unwrap_or_default()
    }

    fn publish(&mut self) {
        self.health.jobs_stored = self.store.job_count();
        self.health.jobs_learnt = self.forecasting.learner.learnt();
        let configuration = self.latest.configuration.as_ref();
        self.board.publish(Published {
            cluster: self.cluster(),
            forecast: self.forecast_made,
            health: self.health.clone(),
            jobs: Arc::clone(&self.jobs),
            adviser: self.adviser.clone(),
            score: Arc::clone(&self.score),
            // As long as nobody has said otherwise, everything is hidden that can be.
            private_data: configuration.map_or(PrivateData::EVERYTHING, |configuration| configuration.private_data),
            roles: Arc::clone(&self.latest.roles),
            replay_check: self.replay_check,
        });
    }
}
