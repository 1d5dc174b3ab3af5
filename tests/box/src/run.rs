//! One life of a daemon, or many in a row, under one seed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use queuecast_daemon::board::Board;
use queuecast_daemon::store::{CatchUpSettings, Store, StoreError};
use queuecast_daemon::watch::{Background, ForecastDeadlines, WatchSettings, Watcher, World as WatcherWorld};
use queuecast_site::forecasting::ForecastingSettings;
use queuecast_site::published::Published;
use queuecast_workload::Seconds;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rusqlite::Connection;

use crate::clock::HandClock;
use crate::disk::{Cut, DiskHandle};
use crate::invariants::{
    Told, Violation, all_are_scored_once, all_told_are_stored, memory_is_bounded, open_in_store,
    the_store_is_the_truth, told,
};
use crate::source::BoxSource;

/// At least so many events make a run: things that happen to jobs, questions asked, faults.
pub const EVENTS_LEAST: u64 = 2_000;
/// When every run begins.
const BEGIN: i64 = 1_763_000_000;
/// The clock is put wrong by at most this.
const WRONG_MOST: i64 = 6 * 3_600;
/// A life that is cut off at a write is at this one at most; the next begins with none again.
const WRITES_MOST: u64 = 150;
/// A run that takes more steps than this does not come to an end.
const STEPS_MOST: u32 = 20_000;

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Events.
    pub events: u64,
    /// Times that the daemon was started again.
    pub restarts: u64,
    /// Cuts in the middle of writing.
    pub cuts: u64,
    /// Ends because the disk was full.
    pub full: u64,
    /// Jobs there were.
    pub jobs: u64,
    /// Forecasts told and kept.
    pub told: u64,
    /// Forecasts scored.
    pub scored: u64,
}

/// When the daemon is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kills {
    /// Now and then, in either way.
    Seldom,
    /// In every life, in this way: after no write, after one, after two, and so on, the opening of the store included.
    AtEveryWrite(Cut),
}

struct Daemon {
    watcher: Watcher,
    board: Board,
}

struct Run {
    random: Pcg64,
    clock: HandClock,
    source: BoxSource,
    disk: DiskHandle,
    path: PathBuf,
    daemon: Option<Daemon>,
    told: Arc<Mutex<Told>>,
    kills: Kills,
    /// After so many writes the next life is cut off, if each is.
    cut_after: u64,
    /// What the daemon of now tells, for whoever sees the cut.
    board: Arc<Mutex<Option<Board>>>,
    is_full: bool,
    report: Report,
}

/// Runs a seed in a folder for its lock. The same seed does the same.
pub fn run(seed: u64, folder: &Path) -> Result<Report, Violation> {
    run_with(seed, folder, Kills::Seldom)
}

/// Runs a seed with kills of this kind.
pub fn run_with(seed: u64, folder: &Path, kills: Kills) -> Result<Report, Violation> {
    let path = folder.join(format!("{seed}-{kills:?}.sqlite"));
    let name = path.to_string_lossy().into_owned();
    let clock = HandClock::at(BEGIN);
    let mut life = Run {
        random: Pcg64::seed_from_u64(seed),
        source: BoxSource::new(clock.clone(), Pcg64::seed_from_u64(seed.wrapping_add(1 << 32))),
        disk: DiskHandle::new(&name, seed.wrapping_add(1 << 33)),
        clock,
        path,
        daemon: None,
        told: Arc::default(),
        kills,
        // Not every seed begins where the others do.
        cut_after: seed.wrapping_mul(37) % WRITES_MOST,
        board: Arc::default(),
        is_full: false,
        report: Report { events: 0, restarts: 0, cuts: 0, full: 0, jobs: 0, told: 0, scored: 0 },
    };
    let outcome = life.whole();
    life.daemon = None;
    DiskHandle::remove(&name);
    outcome.map(|()| life.report)
}

impl Run {
    fn whole(&mut self) -> Result<(), Violation> {
        let mut steps = 0;
        while self.events() < EVENTS_LEAST {
            steps += 1;
            if steps > STEPS_MOST {
                return Err(Violation("it does not come to an end".to_owned()));
            }
            self.draw_faults();
            let seconds = self.turn()?;
            self.source.world().pass(seconds);
            if steps % 25 == 0 {
                self.check_memory()?;
            }
        }
        self.quiet_end()
    }

    fn events(&self) -> u64 {
        let world = self.source.world();
        world.events + world.manager.events + self.report.restarts + self.report.full
    }

    /// What happens to the daemon's machine.
    fn draw_faults(&mut self) {
        match self.kills {
            Kills::Seldom => {
                if self.random.random_bool(0.012) && self.daemon.is_some() {
                    let cut = if self.random.random_bool(0.5) { Cut::Power } else { Cut::Process };
                    let after = self.random.random_range(0..80);
                    self.plan_cut(after, cut);
                }
            }
            Kills::AtEveryWrite(cut) => {
                if self.daemon.is_none() {
                    self.plan_cut(self.cut_after, cut);
                    self.cut_after = (self.cut_after + 1) % WRITES_MOST;
                }
            }
        }
        if self.random.random_bool(0.01) {
            self.clock.put_wrong(self.random.random_range(-WRONG_MOST..WRONG_MOST));
        } else if self.random.random_bool(0.2) {
            self.clock.put_wrong(0);
        }
        if self.is_full {
            self.is_full = self.random.random_bool(0.8);
        } else if self.random.random_bool(0.003) {
            self.is_full = true;
            let room = self.random.random_range(0..60_000);
            self.disk.limit_room(Some(room));
        }
        if !self.is_full {
            self.disk.limit_room(None);
        }
        if self.random.random_bool(0.004) {
            // Told to stop, or killed between two steps.
            let is_told = self.random.random_bool(0.5);
            if is_told {
                self.daemon = None;
            }
            self.end(Cut::Process);
        }
    }

    /// Cuts the disk off after so many writes, with a witness of what had been told by then.
    fn plan_cut(&self, after: u64, cut: Cut) {
        let (board, all) = (Arc::clone(&self.board), Arc::clone(&self.told));
        self.disk.plan_cut(after, cut, move || {
            if let Some(board) = &*board.lock().unwrap_or_else(PoisonError::into_inner) {
                told(&board.read(), &mut all.lock().unwrap_or_else(PoisonError::into_inner));
            }
        });
    }

    /// One step of the daemon, which is started if it is not there. Says how long until the next.
    fn turn(&mut self) -> Result<i64, Violation> {
        if self.daemon.is_none() {
            match self.start() {
                Ok(()) => {}
                Err(_) if self.is_full => {
                    self.end(Cut::Process);
                    return Ok(60);
                }
                Err(error) => return Err(Violation(format!("it cannot be started: {error}"))),
            }
            self.check_told()?;
        }
        let Some(daemon) = &mut self.daemon else { return Ok(60) };
        let stepped = daemon.watcher.step();
        if self.disk.is_cut() {
            // Whatever it did after the cut was done by nobody. What had been told by then was witnessed.
            self.report.cuts += 1;
            self.end(Cut::Process);
            return Ok(self.random.random_range(5..120));
        }
        told(&daemon.board.read(), &mut self.told.lock().unwrap_or_else(PoisonError::into_inner));
        match stepped {
            Ok(pause) => Ok(i64::try_from(pause.as_secs()).unwrap_or(60).max(1) + self.random.random_range(0..20)),
            Err(_) if self.is_full => {
                self.report.full += 1;
                self.end(Cut::Process);
                Ok(60)
            }
            Err(error) => Err(Violation(format!("it ended by itself: {error}"))),
        }
    }

    fn start(&mut self) -> Result<(), StoreError> {
        let store = Store::open(&self.path)?;
        let board = Board::new(Published::nothing_yet());
        *self.board.lock().unwrap_or_else(PoisonError::into_inner) = Some(board.clone());
        let source = self.source.clone();
        let world = WatcherWorld {
            clock: Box::new(self.clock.clone()),
            connect: Box::new(move || Ok(Box::new(source.clone()))),
            background: if self.random.random_bool(0.5) { Background::late() } else { Background::in_place() },
        };
        let settings = WatchSettings {
            // What is played may not depend on how fast this machine is.
            deadlines: ForecastDeadlines { first: Duration::MAX, later: Duration::MAX },
            catch_up: CatchUpSettings { history: Seconds(86_400), ..CatchUpSettings::default() },
            forecasting: ForecastingSettings { futures: 1, futures_least: 1, ..ForecastingSettings::default() },
            says_what_fails: false,
            ..WatchSettings::default()
        };
        let watcher = Watcher::new(store, board.clone(), world, settings)?;
        self.daemon = Some(Daemon { watcher, board });
        self.report.restarts += 1;
        Ok(())
    }

    /// The daemon is gone, and the disk is whoever's comes next.
    fn end(&mut self, cut: Cut) {
        self.disk.pass_on(cut);
        self.daemon = None;
        *self.board.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn store(&self) -> Result<Connection, Violation> {
        Connection::open(&self.path).map_err(|error| Violation(format!("the store cannot be opened: {error}")))
    }

    fn check_told(&self) -> Result<(), Violation> {
        all_told_are_stored(&self.store()?, &self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn check_memory(&self) -> Result<(), Violation> {
        let Some(daemon) = &self.daemon else { return Ok(()) };
        memory_is_bounded(daemon.watcher.footprint(), open_in_store(&self.store()?)?)
    }

    /// Nothing fails any more and nobody comes: everything becomes known, and is checked.
    fn quiet_end(&mut self) -> Result<(), Violation> {
        self.report.events = self.events();
        self.disk.call_off();
        self.disk.limit_room(None);
        self.is_full = false;
        self.clock.put_wrong(0);
        {
            let mut world = self.source.world();
            (world.has_faults, world.is_closed) = (false, true);
        }
        let mut steps = 0;
        while self.source.world().manager.open() > 0 {
            steps += 1;
            if steps > STEPS_MOST {
                return Err(Violation("jobs never end".to_owned()));
            }
            let seconds = self.turn()?;
            self.source.world().pass(seconds);
        }
        // Longer than the clock was wrong, accounting was late, and the vanished are waited for.
        for _ in 0..40 {
            self.turn()?;
            self.source.world().pass(1_800);
        }
        self.check_memory()?;
        self.check_told()?;
        self.check_the_end()
    }

    fn check_the_end(&mut self) -> Result<(), Violation> {
        let Some(daemon) = &self.daemon else { return Err(Violation("it is not there at the end".to_owned())) };
        let scored = daemon.board.read().published.score.all.overall.forecasts;
        let store = self.store()?;
        the_store_is_the_truth(&store, &self.source.world().manager.jobs)?;
        all_are_scored_once(&store, scored)?;
        self.report.jobs = self.source.world().manager.jobs.len() as u64;
        self.report.told = self.told.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
        self.report.scored = scored;
        let checked = Store::open_to_read(&self.path).and_then(|store| store.check());
        checked.map_err(|error| Violation(format!("the store is not what was written: {error}")))
    }
}
