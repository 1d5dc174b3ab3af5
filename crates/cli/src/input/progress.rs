//! A progress bar on standard error: only for people, and only for what takes longer than a second.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use queuecast_workload::files::Input;

const PATIENCE: Duration = Duration::from_secs(1);

/// How far something has come.
#[derive(Debug)]
pub struct Progress {
    done: Arc<AtomicU64>,
    total: Option<u64>,
    unit: Unit,
    state: State,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    /// Of a file, as stored.
    Bytes,
    /// Shaken workloads.
    Replicates,
    /// Simulations.
    Replays,
    /// Of templates.
    Searches,
    /// Of one search.
    Generations,
    /// Of waits, one a job and method.
    Forecasts,
}

#[derive(Debug)]
enum State {
    /// Nobody looks at standard error.
    Unwatched,
    /// It may be over before anybody wonders.
    Waiting(Instant),
    Shown(ProgressBar),
}

impl Progress {
    /// The progress of reading this input.
    pub fn of(input: &Input) -> Self {
        Self { done: input.bytes_read(), total: input.bytes_total(), unit: Unit::Bytes, state: State::begin() }
    }

    /// The progress of this many of them.
    pub fn of_many(unit: Unit, total: u64) -> Self {
        Self { done: Arc::default(), total: Some(total), unit, state: State::begin() }
    }

    /// One more is done.
    pub fn advance(&mut self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.tick();
    }

    /// Shows how far it is, if it is time to.
    pub fn tick(&mut self) {
        match &self.state {
            State::Waiting(since) if since.elapsed() > PATIENCE => self.state = State::Shown(self.bar()),
            State::Shown(bar) => bar.set_position(self.done.load(Ordering::Relaxed)),
            State::Waiting(_) | State::Unwatched => {}
        }
    }

    /// Prints something without the bar in between.
    pub fn step_aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.state {
            State::Shown(bar) => bar.suspend(print),
            State::Waiting(_) | State::Unwatched => print(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&mut self) {
        if let State::Shown(bar) = &self.state {
            bar.finish_and_clear();
        }
        self.state = State::Unwatched;
    }

    fn bar(&self) -> ProgressBar {
        let (bar, template) = match (self.total, self.unit.name()) {
            (Some(total), "bytes") => {
                (ProgressBar::new(total), "{wide_bar} {bytes} of {total_bytes}, {eta} left".to_owned())
            }
            (None, "bytes") => (ProgressBar::no_length(), "{spinner} {bytes} read".to_owned()),
            (total, name) => {
                (ProgressBar::new(total.unwrap_or(0)), format!("{{wide_bar}} {{pos}} of {{len}} {name}, {{eta}} left"))
            }
        };
        bar.with_style(ProgressStyle::with_template(&template).expect("the template is well formed"))
    }
}

/// A progress bar that many threads advance.
pub struct SharedProgress(Mutex<Progress>);

impl SharedProgress {
    /// The progress of this many of them.
    pub fn new(unit: Unit, total: u64) -> Self {
        Self(Mutex::new(Progress::of_many(unit, total)))
    }

    /// One more is done.
    pub fn advance(&self) {
        self.lock().advance();
    }

    /// Does something that may print, without the bar in between.
    pub fn step_aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.lock().step_aside(print)
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.lock().finish();
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().expect("no thread panicked with the progress lock")
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Replicates => "replicates",
            Self::Replays => "replays",
            Self::Searches => "searches",
            Self::Generations => "generations",
            Self::Forecasts => "forecasts",
        }
    }
}

impl State {
    fn begin() -> Self {
        if io::stderr().is_terminal() { Self::Waiting(Instant::now()) } else { Self::Unwatched }
    }
}
