//! The daemon, put together: one thread that watches, one interface that answers, one signal that ends both.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use queuecast_records::source::AnswerLimits;
use queuecast_slurm::source::end_commands;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{info, warn};

use crate::api::{self, ApiError, ApiSettings, Listen, Listener, LiveSettings, Past};
use crate::board::Board;
use crate::clock::{Clock, RunningClock};
use crate::import::{ImportError, import};
use crate::notices::NoticeSettings;
use crate::service_manager::{Inherited, State, stay_alive, tell as tell_service_manager};
use crate::store::{Store, StoreError};
use crate::watch::{Background, Event, Pulse, SourceChoice, WatchSettings, Watcher, World, connect};
use queuecast_site::published::Published;

/// Everything the daemon is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file it keeps everything in.
    pub store: PathBuf,
    /// Exports of accounting to take in first.
    pub imports: Vec<PathBuf>,
    /// Where it answers. A socket that systemd has opened takes the place of one of its kind.
    pub listen: Vec<Listen>,
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

/// What came of reading the configuration again.
#[derive(Debug)]
pub struct Reloaded {
    /// All of it, as it is now.
    pub settings: Settings,
    /// Which keys changed that count at once.
    pub changed: Vec<String>,
    /// And which only count after a restart.
    pub needs_restart: Vec<String>,
}

/// Reads the configuration again; or says why it cannot be used.
pub type ReadAgain = Box<dyn Fn() -> Result<Reloaded, String> + Send + Sync>;

/// The folder beside the store in which notices are kept.
const NOTICES: &str = "notifications";

/// So many files may be open at once: connections, and a few more. `packaging/units` allow as many.
const OPEN_FILES: u64 = 8_192;

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
    #[error("cannot start the daemon: {0}; check its limits on processes and open files")]
    System(#[from] io::Error),
    /// The watcher broke.
    #[error("internal error: the polling thread panicked; please report this with the log lines above")]
    WatcherDied,
}

/// Runs until a signal (TERM or INT) or until it cannot go on. On another (HUP) its configuration is read again.
pub fn run(settings: Settings, read_again: ReadAgain) -> Result<(), RunError> {
    let begun = Instant::now();
    allow_open_files();
    let inherited = Inherited::take();
    let store = with_imports(Store::open(&settings.store)?, &settings)?;
    let board = Board::new(Published::nothing_yet());
    let (tell, events) = mpsc::channel();
    let source = settings.source.clone();
    let world = World {
        clock: Box::new(RunningClock::start(settings.clock)),
        connect: Box::new(move || connect(&source, settings.limits)),
        background: Background::Threads(tell.clone()),
    };
    let watcher = Watcher::new(store, board.clone(), world, settings.watch)?;
    let (ended, watcher_ended) = tokio::sync::oneshot::channel();
    let pulse = Arc::new(Pulse::default());
    let beating = Arc::clone(&pulse);
    let watching = thread::Builder::new().name("watch".to_owned()).spawn(move || {
        let outcome = watcher.watch(&events, &beating);
        // Nobody hears it if the interface has ended first.
        let _ = ended.send(());
        outcome
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    // Before "started" is logged: supervisors that read that line may send a signal, and without a handler it kills the process.
    let (reload, stop) = runtime.block_on(async { listen_for_signals() })?;
    let answered = runtime.block_on(async {
        let listeners = opened(&settings.listen, inherited, &settings.api).await?;
        let places: Vec<_> = listeners.iter().map(Listener::place).collect();
        info!(
            version = env!("CARGO_PKG_VERSION"),
            store = %settings.store.display(),
            listen = %places.join(", "),
            source = asked_by(&settings.source),
            "started"
        );
        let live = LiveSettings::from(beside_the_store(settings.api, &settings.store));
        let (changing, tell_watcher) = (live.clone(), tell.clone());
        tokio::spawn(reload_on_hangup(reload, read_again, move |settings| {
            changing.change(&settings.api);
            // Nobody hears it if the watcher has ended; then we end too.
            let _ = tell_watcher.send(Event::Change(Box::new(settings.watch)));
        }));
        tokio::spawn(stay_alive(pulse));
        tell_service_manager(State::Ready);
        let until = async {
            tokio::select! {
                () = stop => {}
                _ = watcher_ended => {}
            }
            tell_service_manager(State::Stopping);
            // A question that hangs must not outlive us, nor hold us up.
            end_commands();
        };
        api::serve(listeners, board, settings.clock, live, until).await
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
        warn!("stopped before the current polling step finished; the next start reads the remaining data");
    }
    answered?;
    info!(seconds = begun.elapsed().as_secs(), "stopped");
    Ok(())
}

/// Each connection is an open file, and systems allow a thousand unless a program asks for more. Where the system allows no more, connections wait.
fn allow_open_files() {
    let limits = getrlimit(Resource::Nofile);
    let wanted = limits.maximum.map_or(OPEN_FILES, |most| most.min(OPEN_FILES));
    if limits.current.is_some_and(|now| now < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum: limits.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            warn!(%error, "cannot raise the limit on open files; keeping the current limit");
        }
    }
}

/// The store, with the exports that it is to learn from first.
fn with_imports(mut store: Store, settings: &Settings) -> Result<Store, RunError> {
    for path in &settings.imports {
        let imported = import(&mut store, path, settings.clock.now())?;
        let file = path.display();
        info!(%file, records = imported.records, bad_records = imported.bad_records, "export imported");
        for problem in &imported.problems {
            warn!(%file, %problem, "unreadable record skipped");
        }
    }
    Ok(store)
}

/// The interface finds jobs that have ended in the store, may replay them, and keeps notices beside it.
fn beside_the_store(api: ApiSettings, store: &Path) -> ApiSettings {
    let folder = store.parent().map(|folder| folder.join(NOTICES));
    let notices = NoticeSettings { folder, ..api.notices };
    ApiSettings { past: Past::in_file(store.to_owned()), history: Some(store.to_owned()), notices, ..api }
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

/// Opens all of them; where systemd has opened one of a kind, that one.
async fn opened(places: &[Listen], inherited: Inherited, settings: &ApiSettings) -> Result<Vec<Listener>, ApiError> {
    let Inherited { unix, tcp } = inherited;
    let mut listeners = Vec::new();
    for place in places {
        match place {
            Listen::Unix(_) if unix.is_some() => {}
            Listen::Tcp(_) if tcp.is_some() => {}
            place => listeners.push(Listener::open(place, settings).await?),
        }
    }
    listeners.extend(unix.map(|socket| Listener::on_unix(socket, settings)).transpose()?);
    listeners.extend(tcp.map(|socket| Listener::on_tcp(socket, settings)).transpose()?);
    Ok(listeners)
}

/// Installs handlers, so that these signals no longer kill the process: HUP reloads the configuration, TERM and INT stop the daemon.
fn listen_for_signals() -> io::Result<(Signal, impl Future<Output = ()>)> {
    let reload = signal(SignalKind::hangup())?;
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    Ok((reload, stop))
}

/// Reloads the configuration at every SIGHUP, as long as the daemon runs.
async fn reload_on_hangup(mut reload: Signal, read_again: ReadAgain, take_over: impl Fn(Settings) + Send) {
    while reload.recv().await.is_some() {
        tell_service_manager(State::Reloading);
        match read_again() {
            Ok(Reloaded { settings, changed, needs_restart }) => {
                take_over(settings);
                info!(changed = changed.join(","), needs_restart = needs_restart.join(","), "configuration reloaded");
            }
            Err(error) => warn!(error, "configuration reload failed; keeping the previous configuration"),
        }
        tell_service_manager(State::Ready);
    }
}
