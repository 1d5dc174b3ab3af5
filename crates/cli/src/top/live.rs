//! The loop: keys and snapshots into the model, the model onto the terminal.
//!
//! For: a terminal that is as it was before, however this ends: by a key, a signal, an error or a panic.
//!
//! Not for: what keys do (`model`), how it snapshots (`view`).
//!
//! The daemon is asked on a thread of its own, so that keys work while it is slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTERM};

use super::model::{Model, Wish};
use super::snapshot::Snapshot;
use super::view::{self, Settings};
use crate::failure::{Cause, Failure, OnSide};
use crate::options::signals::take_signals;

/// A signal, a snapshot or a second that has passed is seen at the latest after this.
const BEAT: Duration = Duration::from_millis(200);

/// Runs until somebody has seen enough.
pub fn run(
    mut model: Model,
    settings: &Settings<'_>,
    interval: Duration,
    take: impl Fn() -> Result<Snapshot, Failure> + Send + 'static,
) -> Result<(), Failure> {
    let over = Arc::new(AtomicBool::new(false));
    // Not SIGHUP, which ends us at once: the terminal is gone and needs nothing back, and reading from one that is gone, crossterm
    // spins and would never get to look at a flag.
    take_signals();
    for signal in [SIGTERM, SIGINT, SIGQUIT] {
        signal_hook::flag::register(signal, Arc::clone(&over)).context("signals").reading()?;
    }
    let (snapshots, seen) = mpsc::channel();
    let (ask, asked) = mpsc::channel();
    let mut screen = Screen::take()?;
    std::thread::spawn(move || keep_asking(&take, interval, &snapshots, &asked));
    let mut last_seen = Instant::now();
    while !over.load(Ordering::Relaxed) {
        loop {
            match seen.try_recv() {
                Ok(Ok(snapshot)) => {
                    last_seen = Instant::now();
                    model.saw(snapshot);
                }
                Ok(Err(failure)) => model.missed(failure.told()),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    return Err(Failure::new(
                        Cause::Input,
                        anyhow!("internal error: the polling thread ended; please report this"),
                    ));
                }
            }
        }
        model.age = if model.snapshot.is_some() { last_seen.elapsed() } else { Duration::ZERO };
        screen.show(&mut model, settings)?;
        if event::poll(BEAT).context("the terminal").reading()? {
            match event::read().context("the terminal").reading()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => match model.press(key) {
                    Some(Wish::Leave) => break,
                    // Whoever asks has gone if this fails, and the next round says so.
                    Some(Wish::Refresh) => drop(ask.send(())),
                    None => {}
                },
                _ => {}
            }
        }
    }
    Ok(())
}

/// Looks every so often, and when asked; ends when nobody wants to see it.
fn keep_asking(
    take: &impl Fn() -> Result<Snapshot, Failure>,
    interval: Duration,
    snapshots: &Sender<Result<Snapshot, Failure>>,
    asked: &Receiver<()>,
) {
    while snapshots.send(take()).is_ok() {
        match asked.recv_timeout(interval) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The terminal, taken; given back when dropped. On a panic ratatui's hook gives it back before the message is printed.
struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    fn take() -> Result<Self, Failure> {
        ratatui::try_init().map(|terminal| Self { terminal }).context("the terminal").writing()
    }

    fn show(&mut self, model: &mut Model, settings: &Settings<'_>) -> Result<(), Failure> {
        let drawn = self.terminal.draw(|frame| {
            model.fit(view::page(frame.area()));
            view::draw(model, settings, frame.area(), frame.buffer_mut());
        });
        drawn.map(|_| ()).context("the terminal").writing()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Twice would put the cursor back to where it was before the panic's message.
        if !std::thread::panicking() {
            ratatui::restore();
        }
    }
}
