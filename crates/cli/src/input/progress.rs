//! A progress bar on standard error: only for people, and only for what takes longer than a second.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

#[derive(Clone, Copy, Debug)]
enum Unit {
    /// Of a file, as stored.
    Bytes,
    Replicates,
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

    /// The progress of this many replicates.
    pub fn of_replicates(total: u64) -> Self {
        Self { done: Arc::default(), total: Some(total), unit: Unit::Replicates, state: State::begin() }
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
        let (bar, template) = match (self.total, self.unit) {
            (Some(total), Unit::Bytes) => (ProgressBar::new(total), "{wide_bar} {bytes} of {total_bytes}, {eta} left"),
            (None, Unit::Bytes) => (ProgressBar::no_length(), "{spinner} {bytes} read"),
            (total, Unit::Replicates) => {
                (ProgressBar::new(total.unwrap_or(0)), "{wide_bar} {pos} of {len} replicates, {eta} left")
            }
        };
        bar.with_style(ProgressStyle::with_template(template).expect("the template is well formed"))
    }
}

impl State {
    fn begin() -> Self {
        if io::stderr().is_terminal() { Self::Waiting(Instant::now()) } else { Self::Unwatched }
    }
}
