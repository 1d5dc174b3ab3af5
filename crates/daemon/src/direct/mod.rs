//! Answers without a daemon: the daemon's own parts, started in the process of whoever asks, for one look at Slurm.
//!
//! For: people on clusters whose administrators do not run `qcast serve`. What they may see themselves is read once, forecast once
//! and answered by the same routes as the daemon's, in their own process, so that whoever asks need not know the difference. Slurm's answers are kept for a while ([`KeptAnswers`]): who asks again within half a minute costs it nothing.
//!
//! Not for: keeping score, which takes somebody who is there when jobs start; sites without `squeue --json`.
//!
//! What is worse than with a daemon: accounting is asked about the asker's own jobs only, since asking about everybody's is a burden
//! to the database; run times of others are guessed from these, and from what has ended in the last minutes.

mod folder;
mod hidden;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use queuecast_api::Client;
use queuecast_records::Hidden;
use queuecast_records::source::{AnswerLimits, Period};
use queuecast_slurm::source::{Commands, KeptAnswers};
use queuecast_workload::{Seconds, Time};

use self::folder::PrivateFolder;
use crate::api::{ApiSettings, InProcess, Past};
use crate::board::Board;
use crate::clock::{Clock, RunningClock};

use crate::store::{Store, StoreError};
use crate::watch::{Background, SourceChoice, WatchSettings, Watcher, World, connect};
use queuecast_site::published::{Published, PublishedJob};

/// The asker's own jobs of so long are learnt from.
const HISTORY: Seconds = Seconds(30 * 86_400);
/// Accounting is asked up to a multiple of this, so that the same question is asked again for a while and its answer is kept.
const ACCOUNTING_ROUNDED_TO: Seconds = Seconds(600);
/// The one asker has the machine's attention for as long as it takes.
const REQUEST_LIMIT: Duration = Duration::from_mins(1);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// There is no place for what Slurm answers.
    #[error("{}: {error}; set XDG_RUNTIME_DIR to a directory that belongs to you", path.display())]
    Folder {
        /// The place.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Somebody else could read or change what is there.
    #[error("{} is not private to you; remove the directory, or set XDG_RUNTIME_DIR to a directory that belongs to you", path.display())]
    NotPrivate {
        /// The place.
        path: PathBuf,
    },
    /// Slurm did not tell enough.
    #[error("Slurm did not return enough data: {why}")]
    NotTold {
        /// What is missing.
        why: String,
    },
    /// The facts could not be put together.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads.
    #[error("cannot start the forecast: {0}; check the limits on processes and open files")]
    System(#[from] std::io::Error),
}

/// One look at Slurm, which answers for as long as it is held.
pub struct Direct {
    answers: InProcess,
    jobs_of_history: u64,
}

impl Direct {
    /// Looks, unless somebody just has.
    pub fn look() -> Result<Self, DirectError> {
        let folder = PrivateFolder::of_this_process()?;
        let (published, store) = read(&folder)?;
        let jobs_of_history = published.health.training_jobs;
        let settings = ApiSettings {
            request_limit: REQUEST_LIMIT,
            advice_limit: REQUEST_LIMIT,
            past: Past::in_store(store),
            ..ApiSettings::default()
        };
        let answers = InProcess::new(Board::new(published), Clock::SYSTEM, settings, folder.user_id())?;
        Ok(Self { answers, jobs_of_history })
    }

    /// How many ended jobs the forecasts have learnt from.
    pub fn jobs_of_history(&self) -> u64 {
        self.jobs_of_history
    }

    /// Whom to ask.
    pub fn into_client(self) -> Client {
        Client::over(self.answers)
    }
}

/// Everything once. Of several who ask at once one asks Slurm, and the others read what it kept.
fn read(folder: &PrivateFolder) -> Result<(Published, Store), DirectError> {
    let lock = folder.lock()?;
    let kept = KeptAnswers::now_in(folder.path().to_owned());
    let asked = kept.queue_asked();
    let user_id = folder.user_id();
    let source = SourceChoice::CommandsForOne { user_id, kept: kept.clone() };
    let settings = WatchSettings { says_what_fails: false, ..WatchSettings::default() };
    let world = World {
        clock: Box::new(RunningClock::start(Clock::standing_at(asked))),
        connect: Box::new(move || connect(&source, AnswerLimits::default())),
        background: Background::in_place(),
    };
    let board = Board::new(Published::nothing_yet());
    let store = Watcher::new(Store::in_memory()?, board.clone(), world, settings)?.look(own_accounting(asked))?;
    let published = &board.read().published;
    if published.forecast.is_none() {
        return Err(DirectError::NotTold { why: what_is_missing(published) });
    }
    let mut unscored = Published { jobs: published.jobs.iter().map(not_kept).collect(), ..published.clone() };
    if unscored.people.names(user_id).is_empty()
        && let Some(name) = name_of_this_user()
    {
        Arc::make_mut(&mut unscored.people).add(user_id, &name);
    }
    let user = unscored.people.names(user_id).first();
    let sees_all = !published.private_data.hides(Hidden::Jobs)
        || user_id == 0
        || user.is_some_and(|user| {
            // Who cannot be told to be an operator is none.
            Commands::for_one(user_id, kept, AnswerLimits::default()).is_operator(user).unwrap_or(false)
        });
    drop(lock);
    let told = if sees_all { unscored } else { hidden::without_estimates(unscored) };
    Ok((told, store))
}

/// What this machine calls whoever runs this, by their number: a variable such as `USER` says what it likes.
fn name_of_this_user() -> Option<String> {
    let said = Command::new("id").arg("-un").output().ok().filter(|said| said.status.success())?;
    let name = String::from_utf8(said.stdout).ok()?.trim().to_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// Nobody is there when it starts.
fn not_kept(job: &PublishedJob) -> PublishedJob {
    PublishedJob { kept: false, ..job.clone() }
}

/// The asker's own history, as it is asked for at this time.
fn own_accounting(asked: SystemTime) -> Period {
    let seconds = asked.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let now = i64::try_from(seconds).unwrap_or(i64::MAX);
    let to = Time(now - now % ACCOUNTING_ROUNDED_TO.0);
    Period { from: to - HISTORY, to }
}

fn what_is_missing(published: &Published) -> String {
    let health = &published.health;
    let problems = [&health.queue, &health.nodes].into_iter().filter_map(|reading| reading.problem.clone());
    let problems: Vec<String> = problems.collect();
    if problems.is_empty() { "Slurm shows you no nodes".to_owned() } else { problems.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_site::published::ReadingHealth;

    #[test]
    fn accounting_is_asked_in_the_same_words_for_a_while() {
        let at = |seconds: u64| own_accounting(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(1_763_209_200), at(1_763_209_799));
        assert_eq!(at(1_763_209_200).to, Time(1_763_209_200));
        assert_ne!(at(1_763_209_200), at(1_763_209_800));
        assert_eq!(at(1_763_209_200).from, Time(1_763_209_200) - HISTORY);
    }

    #[test]
    fn what_slurm_did_not_tell_is_named() {
        let mut published = Published::nothing_yet();
        assert_eq!(what_is_missing(&published), "Slurm shows you no nodes");
        published.health.queue = ReadingHealth { problem: Some("squeue: down".to_owned()), ..ReadingHealth::default() };
        assert_eq!(what_is_missing(&published), "squeue: down");
    }
}
