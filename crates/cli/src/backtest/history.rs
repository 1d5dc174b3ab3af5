//! The history: from a log, an export, or a daemon's store.

use std::path::Path;

use queuecast_api::score::ScoreResponse;
use queuecast_daemon::api::answer::score::score_answer;
use queuecast_daemon::store::Store;
use queuecast_forecast::score::Scorekeeper;
use queuecast_site::backtest::{PastJobs, PastJobsBuilder};

use super::BacktestArgs;
use crate::failure::{Failure, OnSide};
use crate::input::source::{LoggedJob, SourceArgs};

/// So many forecasts are read from a store at once.
const FORECASTS_AT_ONCE: usize = 50_000;

/// What is played.
pub struct PastHistory {
    pub name: String,
    pub past: PastJobs,
    pub bad_lines: u64,
    /// How good the forecasts were that a daemon kept, beside what Slurm planned then.
    pub stored_forecasts: Option<ScoreResponse>,
}

impl PastHistory {
    pub fn read(arguments: &BacktestArgs) -> Result<Self, Failure> {
        match (&arguments.store, &arguments.file) {
            (Some(store), _) => Self::of_store(store),
            (None, Some(file)) => Self::of_log(&SourceArgs::with(file.clone(), arguments.problems, arguments.export)),
            (None, None) => Err(Failure::usage("no history given; pass a log, an export of sacct, or --store FILE")),
        }
    }

    fn of_log(source: &SourceArgs) -> Result<Self, Failure> {
        let mut source = source.open()?;
        let mut builder = PastJobsBuilder::new();
        while let Some(job) = source.next_job()? {
            match job {
                LoggedJob::Line(line) => builder.add_line(&line),
                LoggedJob::Record(record) => builder.add_record(&record),
            }
        }
        let (name, bad_lines) = (source.name().to_owned(), source.bad_lines());
        Ok(Self { name, past: builder.finish(), bad_lines, stored_forecasts: None })
    }

    fn of_store(path: &Path) -> Result<Self, Failure> {
        let store = Store::open_to_read(path).reading()?;
        let mut builder = PastJobsBuilder::new();
        store.history(usize::MAX, |_, record| builder.add_record(record)).reading()?;
        store.open_jobs().reading()?.iter().for_each(|open| builder.add_record(&open.record));
        let mut judge = Scorekeeper::new();
        let mut last = None;
        loop {
            let forecasts = store.scored(last, FORECASTS_AT_ONCE).reading()?;
            let Some((number, _)) = forecasts.last() else { break };
            last = Some(*number);
            for (_, forecast) in &forecasts {
                judge.add(forecast);
            }
        }
        let name = path.display().to_string();
        let kept = Some(score_answer(&judge.score())).filter(|kept| kept.overall.is_some());
        Ok(Self { name, past: builder.finish(), bad_lines: 0, stored_forecasts: kept })
    }
}
