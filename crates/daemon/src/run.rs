//! The daemon, put together: one thread that watches, one interface that answers, one signal that ends both.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use queuecast_forecast::score::Score;
use queuecast_records::PrivateData;
use queuecast_records::source::AnswerLimits;
use queuecast_slurm::source::end_commands;
use tracing::{info, warn};

use crate::api::{self, ApiError, ApiSettings, Listen, Listener, Past};
use crate::board::Board;
use crate::clock::{Clock, RunningClock};
use crate::import::{ImportError, import};
use crate::store::{Store, StoreError};
use crate::watch::{Background, Event, SourceChoice, WatchSettings, Watcher, World, connect};
use queuecast_site::published::{Health, Published, ReplayCheck};

/// Everything the daemon is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file it keeps everything in.
    pub store: PathBuf,
    /// Exports of accounting to take in first.
    pub imports: Vec<PathBuf>,
    /// Where it answers.
    pub listen: Listen,
    /// How it answers.
    pub api: ApiSettings,
    /// Where Slurm is asked.
    pub source: SourceChoice,
    /// How long and how much an answer of Slurm's may be.
    pub limits: AnswerLimits,
    /// How it watches.
    pub watch: WatchSettings,
    /// The cluster's time.
    pub clock: Clock,
}

/// So long the watching may take to finish its step when the daemon is told to end.
const LAST_STEP: Duration = Duration::from_secs(1);

/// Why the daemon ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An export.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The interface.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Threads or signals.
    #[error("the system refused what a daemon needs: {0}")]
    System(#[from] std::io::Error),
    /// The watcher broke.
    #[error("the watching thread ended by itself; this is a fault of qcast's, please report it with what stands above")]
    WatcherDied,
}

/// Runs until a signal (TERM or INT) or until it cannot go on.
pub fn run(settings: Settings) -> Result<(), RunError> {
    let mut store = Store::open(&settings.store)?;
    for path in &settings.imports {
        let imported = import(&mut store, path, settings.clock.now())?;
        let file = path.display();
        info!(%file, records = imported.records, bad_records = imported.bad_records, "export taken in");
        for problem in &imported.problems {
            warn!(%file, %problem, "record not read");
        }
    }
    let board = Board::new(nothing_yet());
    let (tell, events) = mpsc::channel();
    let source = settings.source.clone();
    let world = World {
        clock: Box::new(RunningClock::start(settings.clock)),
        connect: Box::new(move || connect(&source, settings.limits)),
        background: Background::Threads(tell.clone()),
    };
    let watcher = Watcher::new(store, board.clone(), world, settings.watch)?;
    let (ended, watcher_ended) = tokio::sync::oneshot::channel();
    let watching = thread::Builder::new().name("watch".to_owned()).spawn(move || {
        let outcome = watcher.watch(&events);
        // Nobody hears it if the interface has ended first.
        let _ = ended.send(());
        outcome
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let answered = runtime.block_on(async {
        let listener = Listener::open(&settings.listen, &settings.api).await?;
        info!(
            version = env!("CARGO_PKG_VERSION"),
            store = %settings.store.display(),
            listen = %listener.place(),
            source = asked_by(&settings.source),
            "started"
        );
        let until = async {
            tokio::select! {
                () = told_to_end() => {}
                _ = watcher_ended => {}
            }
            // A question that hangs must not outlive us, nor hold us up.
            end_commands();
        };
        let past = Past::in_file(settings.store.clone());
        api::serve(listener, board, settings.clock, ApiSettings { past, ..settings.api }, until).await
    });
    end_commands();
    // Nobody hears it if the watcher has ended first.
    let _ = tell.send(Event::Stop);
    runtime.shutdown_background();
    let until = Instant::now() + LAST_STEP;
    while !watching.is_finished() && Instant::now() < until {
        thread::sleep(Duration::from_millis(5));
    }
    if watching.is_finished() {
        watching.join().map_err(|_| RunError::WatcherDied)??;
    } else {
        // It waits for somebody else's lock, or for a disk. What was kept is kept, and the rest is read again.
        warn!("stopped in the middle of a step");
    }
    answered?;
    info!("stopped");
    Ok(())
}

/// How Slurm is asked, in a word for the log.
fn asked_by(source: &SourceChoice) -> &'static str {
    match source {
        SourceChoice::Commands | SourceChoice::CommandsForOne { .. } => "commands",
        SourceChoice::TextCommands => "text commands",
        SourceChoice::RestSocket(_) => "slurmrestd by socket",
        SourceChoice::RestAddress { .. } => "slurmrestd by address",
    }
}

/// What is published before anything is known.
pub(crate) fn nothing_yet() -> Published {
    Published {
        cluster: String::new(),
        forecast: None,
        health: Health::default(),
        jobs: Arc::from(Vec::new()),
        adviser: None,
        score: Arc::new(Score::default()),
        private_data: PrivateData::EVERYTHING,
        roles: Arc::default(),
        people: Arc::default(),
        replay_check: ReplayCheck::default(),
    }
}

async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        // Without signals there is only the watcher's end, or being killed, which the store survives.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
