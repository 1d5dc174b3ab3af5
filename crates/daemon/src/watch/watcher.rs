//! The watcher: asks, takes in, learns, forecasts, keeps, publishes; in that order, again and again.
//!
//! What is told to anybody was kept first. What is learnt was taken into the store first. So a daemon that is killed at any
//! moment and started again knows everything it has said, and learns nothing twice.
//!
//! Everything it knows of the world it is given: the clock, a way to ask Slurm, a store, a place for long work. With a simulated
//! Slurm and a clock that is turned by hand it does the same (`tests/box`).

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jiff::tz::TimeZone;
use queuecast_forecast::score::{Score, Scorekeeper};
use queuecast_records::PrivateData;
use queuecast_records::source::{Period, Source, SourceError};
use queuecast_workload::{Seconds, Time};

use super::background::{Background, Done, Event};
use super::first_sight::FirstSight;
use super::forecasts::Making;
use super::identities::Identities;
use super::latest::Latest;
use super::learning::{self, Learning};
use super::pulse::Pulse;
use super::timers::Timers;
use super::without_store::StoreNow;
use crate::board::Board;
use crate::clock::WatchClock;
use crate::store::{CatchUp, CatchUpSettings, Store, StoreError};
use queuecast_advise::Adviser;
use queuecast_advise::limit::LimitRecord;
use queuecast_site::cluster::check::Suspects;
use queuecast_site::forecasting::{Forecasting, ForecastingSettings};
use queuecast_site::ledger::StoredJobId;
use queuecast_site::ledger::{FactKind, Stage};
use queuecast_site::observed::Observed;
use queuecast_site::past_waits::PastWaits;
use queuecast_site::people::People;
use queuecast_site::published::{Health, Published, PublishedJob, ReplayCheck};

/// So many ended jobs are learnt from again when the daemon starts.
const HISTORY_JOBS: usize = 50_000;
/// So many settled forecasts are scored again when the daemon starts.
const SCORED_AGAIN: usize = 300_000;
/// For so long an empty store catches up before the first forecasts are made, in real time.
const FIRST_CATCH_UP: Duration = Duration::from_secs(4);

/// How Slurm is watched. Intervals are in the cluster's seconds.
#[derive(Clone, Debug)]
pub struct WatchSettings {
    /// The cluster's name, where it is said by hand.
    pub cluster: Option<String>,
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
    /// How often it is asked who has used how much, where that counts.
    pub shares_every: Seconds,
    /// How accounting is caught up with.
    pub catch_up: CatchUpSettings,
    /// How much is played.
    pub forecasting: ForecastingSettings,
    /// For how long, in real time, a queue is played.
    pub deadlines: ForecastDeadlines,
    /// Where the cluster is, for hours of the day.
    pub zone: TimeZone,
    /// For how long ended jobs are kept.
    pub keep: Seconds,
    /// How large the store may grow, if that is bounded.
    pub store_bytes: Option<u64>,
    /// Whether what fails, and what works again, is said on standard error.
    pub says_what_fails: bool,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            cluster: None,
            queue_every: Seconds(30),
            nodes_every: Seconds(60),
            accounting_every: Seconds(60),
            settings_every: Seconds(1_800),
            backfill_every: Seconds(300),
            shares_every: Seconds(300),
            catch_up: CatchUpSettings::default(),
            forecasting: ForecastingSettings::default(),
            deadlines: ForecastDeadlines::default(),
            zone: TimeZone::UTC,
            keep: Store::KEPT,
            store_bytes: None,
            says_what_fails: true,
        }
    }
}

/// For how long, in real time, a queue is played. What is not played by then is told coarsely, and that it is so is told too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForecastDeadlines {
    /// For the first forecast after a start.
    pub first: Duration,
    /// For all later ones.
    pub later: Duration,
}

impl Default for ForecastDeadlines {
    /// A third of the time between two readings of the queue, and all of it.
    fn default() -> Self {
        Self { first: Duration::from_secs(10), later: Duration::from_secs(30) }
    }
}

/// Makes a way to ask Slurm ready. Asked again whenever the last way has failed for good.
pub type Connect = Box<dyn FnMut() -> Result<Box<dyn Source + Send>, SourceError> + Send>;

/// What the watcher is given of the world.
pub struct World {
    /// What time it is.
    pub clock: Box<dyn WatchClock>,
    /// How Slurm is asked.
    pub connect: Connect,
    /// Where long work is done.
    pub background: Background,
}

/// How much the watcher remembers. All of it is to be of jobs that wait or run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Jobs that wait or run.
    pub open_jobs: usize,
    /// Those whose run times are learnt when they end.
    pub jobs_learnt_of: usize,
    /// Those of them that are taken to run.
    pub jobs_taken_to_run: usize,
    /// Jobs that are gone and of which a kept forecast is still remembered. There must be none.
    pub kept_of_jobs_gone: usize,
}

/// Watches one cluster.
pub struct Watcher {
    pub(super) settings: WatchSettings,
    pub(super) clock: Box<dyn WatchClock>,
    pub(super) connect: Connect,
    pub(super) source: Option<Box<dyn Source + Send>>,
    pub(super) background: Background,
    pub(super) store: Store,
    board: Board,
    pub(super) forecasting: Forecasting,
    pub(super) identities: Identities,
    /// Whose jobs bear and bore which names, as far back as is learnt from.
    pub(super) people: Arc<People>,
    /// When a forecast of a waiting job was last kept.
    pub(super) last_kept: HashMap<StoredJobId, Time>,
    pub(super) scorekeeper: Scorekeeper,
    pub(super) score: Arc<Score>,
    /// Up to which number forecasts have been scored.
    pub(super) scored: Option<i64>,
    pub(super) catch_up: CatchUp,
    pub(super) latest: Latest,
    pub(super) health: Health,
    pub(super) replay_check: ReplayCheck,
    /// What has happened since watching began.
    pub(super) observed: Arc<Observed>,
    /// How long jobs waited lately.
    pub(super) past_waits: Arc<PastWaits>,
    pub(super) suspects: Suspects,
    pub(super) jobs: Arc<[PublishedJob]>,
    pub(super) adviser: Option<Arc<dyn Adviser>>,
    pub(super) forecast_made: Option<Time>,
    pub(super) making: Making,
    is_checking: bool,
    pub(super) first_sight: FirstSight,
    pub(super) learning: Learning,
    pub(super) is_to_forget: bool,
    /// Whether something is known that is not on the board.
    pub(super) has_news: bool,
    pub(super) timers: Timers,
    /// What is to be expected of the store in this step.
    pub(super) store_now: StoreNow,
    /// The newest time that the manager has told of since watching began.
    pub(super) confirmed: Option<Time>,
}

impl Watcher {
    /// Takes up where the store left off.
    pub fn new(store: Store, board: Board, world: World, settings: WatchSettings) -> Result<Self, StoreError> {
        let World { clock, connect, background } = world;
        store.limit_bytes(settings.store_bytes)?;
        let mut forecasting = Forecasting::new(settings.forecasting);
        let mut memories = Vec::new();
        let mut people = People::default();
        store.history(HISTORY_JOBS, |job, record| {
            people.see(record);
            memories.extend(forecasting.learner.memory(job, record));
        })?;
        forecasting.learner.recall(memories);
        let open = store.open_jobs()?;
        for job in &open {
            people.see(&job.record);
            forecasting.learner.learn(job.job, FactKind::Arrived, &job.record);
            if let Stage::Running { started } = job.stage {
                forecasting.learner.learn(job.job, FactKind::Started { at: started }, &job.record);
            }
        }
        learning::recall(&store, &forecasting.learner)?;
        let housekept = store.checked()?.map(|checked| clock.now() - checked);
        let scored = store.before_the_last(SCORED_AGAIN)?;
        let begun = clock.now();
        let mut watcher = Self {
            timers: Timers::new(&settings, &*clock, housekept),
            catch_up: CatchUp::new(settings.catch_up),
            identities: Identities::of(&open),
            people: Arc::new(people),
            last_kept: store.last_given()?.into_iter().collect(),
            settings,
            clock,
            connect,
            source: None,
            background,
            store,
            board,
            forecasting,
            scorekeeper: Scorekeeper::new(),
            score: Arc::default(),
            scored,
            latest: Latest::default(),
            health: Health::default(),
            replay_check: ReplayCheck::default(),
            observed: Arc::new(Observed::since(begun)),
            past_waits: Arc::default(),
            suspects: Suspects::default(),
            jobs: Arc::from(Vec::new()),
            adviser: None,
            forecast_made: None,
            making: Making::default(),
            is_checking: false,
            first_sight: FirstSight::ToTell,
            learning: Learning::default(),
            is_to_forget: false,
            has_news: true,
            store_now: StoreNow::default(),
            confirmed: None,
        };
        watcher.settle()?;
        watcher.publish();
        Ok(watcher)
    }

    /// Reads everything once, and forecasts: for one person, who asks without a daemon. Gives back what was kept. Where the queue is not answered nothing else is
    /// asked: every question to a Slurm that is down takes as long as its patience.
    pub fn look(mut self, accounting: Period) -> Result<Store, StoreError> {
        if self.read_queue()? {
            self.read_settings();
            self.read_nodes();
            self.read_backfill();
            self.read_shares();
            self.read_period(accounting)?;
            self.begin_forecast();
            self.take_what_is_done()?;
        }
        self.publish();
        Ok(self.store)
    }

    /// Watches until told to stop, or until the store fails.
    pub fn watch(mut self, events: &Receiver<Event>, pulse: &Pulse) -> Result<(), StoreError> {
        loop {
            pulse.begin();
            let pause = self.step()?;
            pulse.rest();
            let event = events.recv_timeout(pause);
            pulse.begin();
            match event {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Done(done)) => self.done(done)?,
                Ok(Event::Change(settings)) => self.change(&settings)?,
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return self.keep_learning(),
            }
        }
    }

    /// Takes over how often Slurm is asked, and for how long and in how much space things are kept. The rest stays.
    fn change(&mut self, to: &WatchSettings) -> Result<(), StoreError> {
        self.settings.queue_every = to.queue_every;
        self.settings.nodes_every = to.nodes_every;
        self.settings.accounting_every = to.accounting_every;
        self.settings.keep = to.keep;
        self.settings.store_bytes = to.store_bytes;
        self.timers.change(&self.settings, &*self.clock);
        self.store.limit_bytes(self.settings.store_bytes)
    }

    /// Does whatever is due, and publishes if there is news. Says for how long nothing will be due.
    pub fn step(&mut self) -> Result<Duration, StoreError> {
        self.background.step();
        self.store_now = StoreNow::Works;
        let now = self.clock.watched();
        if self.timers.settings.is_due(now) {
            self.read_settings();
        }
        if self.timers.users.is_due(now) {
            self.read_users();
        }
        if self.timers.nodes.is_due(now) {
            self.read_nodes();
        }
        if self.timers.backfill.is_due(now) {
            self.read_backfill();
        }
        if self.timers.shares.is_due(now) {
            self.read_shares();
        }
        let is_read = self.timers.queue.is_due(now) && self.read_queue()?;
        while self.timers.accounting.is_due(self.clock.watched()) {
            let more = self.read_accounting()?;
            let is_first = self.forecast_made.is_none() && self.clock.watched() < FIRST_CATCH_UP;
            if !(more && is_first) {
                break;
            }
        }
        if is_read {
            self.settle()?;
            self.begin_forecast();
            self.begin_learning();
            self.keep_learning_now_and_then()?;
        }
        self.begin_looking_back();
        self.take_what_is_done()?;
        self.publish();
        self.keep_house()?;
        Ok(self.timers.next().saturating_sub(self.clock.watched()))
    }

    /// Takes in what was done beside the watching.
    pub fn done(&mut self, done: Done) -> Result<(), StoreError> {
        self.store_now = StoreNow::Works;
        match done {
            Done::Forecast(finished) => {
                self.forecast_finished(*finished)?;
                self.say_what_is_seen();
            }
            Done::Learnt(forest) => self.learning_finished(*forest)?,
            Done::LookedBack(found) => self.looked_back(found),
            Done::Checked(found) => {
                self.is_checking = false;
                found?;
                let now = self.clock.now();
                self.stored(|store| store.note_checked(now))?;
            }
            // Watching ends as if it had happened here.
            Done::Died(fault) => resume_unwind(fault),
        }
        self.publish();
        Ok(())
    }

    /// How much is remembered.
    pub fn footprint(&self) -> Footprint {
        let (jobs_learnt_of, jobs_taken_to_run) = self.forecasting.learner.jobs_open();
        let open = self.identities.rows();
        let kept_of_jobs_gone = self.last_kept.keys().filter(|job| !open.contains(job)).count();
        Footprint { open_jobs: open.len(), kept_of_jobs_gone, jobs_learnt_of, jobs_taken_to_run }
    }

    /// How each promise of a limit has been kept, of every job that came, asked about or not: the risk accepted, and what came of it.
    pub fn limits_kept(&self) -> Vec<(f64, LimitRecord)> {
        let limits = self.forecasting.learner.shared_limits();
        let limits = limits.read().unwrap_or_else(PoisonError::into_inner);
        limits.accepted().zip(limits.kept()).collect()
    }

    fn take_what_is_done(&mut self) -> Result<(), StoreError> {
        while let Some(done) = self.background.take() {
            self.done(done)?;
        }
        Ok(())
    }

    /// Once a day: is the store what was written, and what is old in it.
    fn keep_house(&mut self) -> Result<(), StoreError> {
        let now = self.clock.watched();
        if !self.timers.housekeeping.is_due(now) || self.is_checking {
            return Ok(());
        }
        self.timers.housekeeping.succeeded(now, Duration::ZERO);
        self.is_to_forget = true;
        self.forget()?;
        if let Some(file) = self.store.file().map(ToOwned::to_owned) {
            self.is_checking = true;
            let check = move || Done::Checked(Store::open_to_read(&file).and_then(|store| store.check()));
            self.background.begin("check", check);
        }
        self.take_what_is_done()
    }

    pub(super) fn cluster(&self) -> String {
        let said = self.latest.configuration.as_ref().map(|configuration| configuration.cluster_name.clone());
        self.settings.cluster.clone().or(said).unwrap_or_default()
    }

    /// Puts what is known on the board, if it is not there.
    fn publish(&mut self) {
        if !std::mem::take(&mut self.has_news) {
            return;
        }
        self.health.jobs_stored = self.store.job_count();
        self.health.training_jobs = self.forecasting.learner.learnt();
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
            people: Arc::clone(&self.people),
            replay_check: self.replay_check,
            observed: Arc::clone(&self.observed),
            past_waits: Arc::clone(&self.past_waits),
        });
    }
}
