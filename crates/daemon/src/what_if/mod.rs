//! What if another policy, or another longest limit, had been in force: the last weeks of the store replayed beside the watching, one replay at a time.
//!
//! For: an administrator who thinks of letting backfill plan with predictions, before anything is touched.
//!
//! Not for: Slurm. Nothing is asked of it and nothing is told to it. Nor for research: `qcast compare` has every policy and predictor.

mod replay;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use queuecast_api::what_if::{WhatIfProgress, WhatIfRequest, WhatIfResponse, WhatIfResult};
use queuecast_workload::{Seconds, Time};
use tracing::{info, warn};

use self::replay::Replayed;
pub(crate) use self::replay::{POLICIES, PREDICTORS};
use crate::clock::Clock;
use crate::store::Store;

/// As far back as can be asked for.
pub(crate) const WEEKS_MOST: u32 = 12;
/// The latest so many jobs are read: enough for weeks, and replayed in minutes.
const JOBS_MOST: usize = 50_000;

/// Where replays are asked for and looked at.
pub(crate) struct WhatIfs {
    store: Option<PathBuf>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    running: Option<Running>,
    last: Option<WhatIfResult>,
}

struct Running {
    question: WhatIfRequest,
    progress: Arc<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    replayed: AtomicU64,
    of: AtomicU64,
}

/// Why none is begun.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotBegun {
    /// There is no store to read.
    NoStore,
    /// Another one runs.
    Busy,
    /// No thread is to be had.
    NoThread,
}

impl WhatIfs {
    /// Of the history in this store.
    pub fn of(store: Option<PathBuf>) -> Self {
        Self { store, state: Arc::default() }
    }

    /// Begins one, which must be one that there is.
    pub fn begin(&self, question: WhatIfRequest, clock: Clock) -> Result<(), NotBegun> {
        let file = self.store.clone().ok_or(NotBegun::NoStore)?;
        let progress = Arc::new(Progress::default());
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.running.is_some() {
                return Err(NotBegun::Busy);
            }
            state.running = Some(Running { question: question.clone(), progress: Arc::clone(&progress) });
        }
        let state = Arc::clone(&self.state);
        let work = move || {
            let played = || played(&file, &question, clock.now(), &progress);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(played));
            let result =
                result.unwrap_or_else(|_| Err("internal error: the replay panicked; please report this".to_owned()));
            if let Err(problem) = &result {
                warn!(%problem, "what-if replay failed");
            }
            let (problem, Replayed { jobs, processors, ended_early, compared }) = match result {
                Ok(replayed) => (None, replayed),
                Err(problem) => (Some(problem), Replayed::default()),
            };
            let finished = clock.now().into();
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.last =
                Some(WhatIfResult { request: question, finished, problem, jobs, processors, ended_early, compared });
            state.running = None;
        };
        if thread::Builder::new().name("what-if".to_owned()).spawn(work).is_err() {
            self.state.lock().unwrap_or_else(PoisonError::into_inner).running = None;
            return Err(NotBegun::NoThread);
        }
        info!("what-if replay started");
        Ok(())
    }

    /// How far it is, and what came out last.
    pub fn told(&self) -> WhatIfResponse {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        WhatIfResponse {
            policies: POLICIES.map(str::to_owned).into(),
            predictors: PREDICTORS.map(str::to_owned).into(),
            running: state.running.as_ref().map(|running| WhatIfProgress {
                request: running.question.clone(),
                replayed: running.progress.replayed.load(Ordering::Relaxed),
                of: running.progress.of.load(Ordering::Relaxed),
            }),
            last: state.last.clone(),
        }
    }
}

/// Reads the history and replays it, at the lowest priority.
fn played(
    file: &std::path::Path,
    question: &WhatIfRequest,
    now: Time,
    progress: &Progress,
) -> Result<Replayed, String> {
    let from = now - Seconds(i64::from(question.weeks) * 7 * 86_400);
    let store = Store::open_to_read(file).map_err(|error| error.to_string())?;
    let jobs = replay::jobs(&store, from, JOBS_MOST).map_err(|error| error.to_string())?;
    // One thread, which whatever is more urgent goes before: the watching must not be late for this.
    let yielding = |_| _ = rustix::process::nice(19);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).start_handler(yielding).build();
    let pool = pool.map_err(|error| error.to_string())?;
    progress.of.store(replay::REPLAYS, Ordering::Relaxed);
    pool.install(|| replay::replay(jobs, question, &|| _ = progress.replayed.fetch_add(1, Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ReadingKind;
    use crate::store::test_records::ended;
    use std::time::{Duration, Instant};

    fn question() -> WhatIfRequest {
        let (policy, predictor) = ("easy-sjbf".to_owned(), "recent:n=2,stat=mean".to_owned());
        WhatIfRequest { weeks: 1, policy, predictor, longest_limit_seconds: None }
    }

    #[test]
    fn a_history_is_replayed_beside_what_is_asked_and_what_came_out_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.sqlite");
        let mut store = Store::open(&path).expect("a store");
        let begin = 1_792_708_200;
        let records: Vec<_> = (0..200_i64)
            .map(|place| {
                let submitted = begin + place * 30;
                ended(place.cast_unsigned() + 1, submitted, submitted + 600, submitted + 700 + place % 7 * 400)
            })
            .collect();
        store.take_in(&records, ReadingKind::Queue, Time(begin + 20_000)).expect("taken in");
        let what_ifs = WhatIfs::of(Some(path));
        let clock = Clock::fast(0.0, (begin + 20_000) as f64, 0.0);
        what_ifs.begin(question(), clock).expect("nothing else runs");
        let until = Instant::now() + Duration::from_mins(1);
        let last = loop {
            let told = what_ifs.told();
            if let Some(last) = told.last {
                assert!(told.running.is_none());
                break last;
            }
            assert!(Instant::now() < until, "it does not end");
            thread::sleep(Duration::from_millis(5));
        };
        assert_eq!((last.problem.as_deref(), last.jobs, last.compared.len()), (None, 200, 3));
        assert!(last.processors > 0 && last.compared[0].wait_change_percent.is_none());
        assert!(last.compared[1].wait_change_percent.is_some());
    }

    #[test]
    fn one_runs_at_a_time() {
        let what_ifs = WhatIfs::of(Some(PathBuf::from("store.sqlite")));
        let running = Running { question: question(), progress: Arc::default() };
        what_ifs.state.lock().expect("ours").running = Some(running);
        assert_eq!(what_ifs.begin(question(), Clock::fast(0.0, 0.0, 0.0)), Err(NotBegun::Busy));
        assert_eq!(what_ifs.told().running.map(|running| running.request), Some(question()));
    }

    #[test]
    fn without_a_history_it_says_so() {
        assert_eq!(WhatIfs::of(None).begin(question(), Clock::fast(0.0, 0.0, 0.0)), Err(NotBegun::NoStore));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("store.sqlite");
        drop(Store::open(&path).expect("a store"));
        let found = played(&path, &question(), Time(1_792_708_200), &Progress::default());
        assert!(found.expect_err("nothing ran").contains("no jobs"));
    }
}
