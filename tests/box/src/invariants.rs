//! What must hold, whatever happens.
//!
//! * **Nobody is lost or doubled.** Every attempt of which accounting tells is in the store once, with accounting's times; nobody is
//!   there who never was; at the end nobody is open.
//! * **Nothing is told that is not stored.** Whatever was on the board as kept is in the store, after any cut.
//! * **Every kept forecast is scored once, or given up with a reason.** Once if its job started; never if it left or vanished without a
//!   start, which the store says; and the score that is told counts just these.
//! * **Bounded memory.** What the daemon remembers is of jobs that wait or run.

use std::collections::{BTreeMap, BTreeSet};

use queuecast_daemon::board::BoardIndex;
use queuecast_daemon::watch::Footprint;
use queuecast_records::JobPart;
use rusqlite::Connection;

use crate::manager::TrueJob;

/// What tells one attempt from all others, as the store writes it: number, part, submission.
pub type Attempt = (i64, String, i64);

/// Forecasts that somebody may have been told of and that were said to be kept: whose, and when they were made.
pub type Told = BTreeSet<(Attempt, i64)>;

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

/// Fails with this unless it holds.
fn holds(is_so: bool, otherwise: impl FnOnce() -> String) -> Result<(), Violation> {
    if is_so { Ok(()) } else { Err(Violation(otherwise())) }
}

/// An attempt as the store writes it.
fn attempt(job_id: u64, part: &JobPart, submitted: i64) -> Attempt {
    let part = match part {
        JobPart::Whole => String::new(),
        JobPart::ArrayTask { array_job_id, task } => format!("{array_job_id}_{task}"),
        JobPart::ArrayRemainder { array_job_id, .. } => format!("{array_job_id}_[]"),
        JobPart::HetComponent { het_job_id, offset } => format!("{het_job_id}+{offset}"),
    };
    (job_id.cast_signed(), part, submitted)
}

/// What is on the board as kept.
pub fn told(board: &BoardIndex, told: &mut Told) {
    let published = &board.published;
    let Some(made) = published.forecast else { return };
    let kept = published.jobs.iter().filter(|job| job.kept);
    told.extend(kept.map(|job| (attempt(job.job_id, &job.part, job.submitted.0), made.0)));
}

/// Everything that was told is in the store.
pub fn all_told_are_stored(store: &Connection, told: &Told) -> Result<(), Violation> {
    let stored: Told = rows(
        store,
        "SELECT job_id, part, submitted, made FROM forecasts JOIN jobs ON jobs.id = forecasts.job",
        |row| Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?)),
    )?;
    let missing: Vec<_> = told.difference(&stored).take(3).collect();
    holds(missing.is_empty(), || format!("told and not stored: {missing:?}"))
}

/// What is remembered is of jobs that wait or run.
pub fn memory_is_bounded(footprint: Footprint, open_in_store: usize) -> Result<(), Violation> {
    let Footprint { open_jobs, kept_of_jobs_gone, jobs_learnt_of, jobs_taken_to_run } = footprint;
    holds(
        open_jobs == open_in_store
            && kept_of_jobs_gone == 0
            && jobs_learnt_of == open_jobs
            && jobs_taken_to_run <= jobs_learnt_of,
        || format!("{open_in_store} are open in the store, and remembered are {footprint:?}"),
    )
}

/// How many are open in the store, and how many of these run.
pub fn open_in_store(store: &Connection) -> Result<usize, Violation> {
    let open: Vec<i64> = rows(store, "SELECT id FROM jobs WHERE stage IN ('waiting', 'running')", |row| row.get(0))?;
    Ok(open.len())
}

/// A job as the store has it.
#[derive(Debug)]
struct StoredJob {
    attempt: Attempt,
    stage: String,
    started: Option<i64>,
    ended: Option<i64>,
}

/// At the end the store is the truth.
pub fn the_store_is_the_truth(store: &Connection, jobs: &[TrueJob]) -> Result<(), Violation> {
    let stored: Vec<StoredJob> =
        rows(store, "SELECT job_id, part, submitted, stage, started, ended FROM jobs", |row| {
            Ok(StoredJob {
                attempt: (row.get(0)?, row.get(1)?, row.get(2)?),
                stage: row.get(3)?,
                started: row.get(4)?,
                ended: row.get(5)?,
            })
        })?;
    let mut by_attempt: BTreeMap<&Attempt, &StoredJob> = BTreeMap::new();
    for job in &stored {
        let is_new = by_attempt.insert(&job.attempt, job).is_none();
        holds(is_new, || format!("there twice: {job:?}"))?;
        holds(!matches!(&*job.stage, "waiting" | "running"), || format!("open at the end: {job:?}"))?;
    }
    let mut known: BTreeSet<Attempt> = BTreeSet::new();
    for job in jobs {
        let attempt = if job.is_rest {
            (job.job_id.cast_signed(), format!("{}_[]", job.job_id), job.submitted)
        } else {
            attempt(job.job_id, &job.part(), job.submitted)
        };
        if job.is_in_accounting() {
            let (started, ended) = job.accounted();
            let stage = if started.is_some() { "ended" } else { "withdrawn" };
            let found = by_attempt.get(&attempt);
            let is_right =
                found.is_some_and(|kept| (&*kept.stage, kept.started, kept.ended) == (stage, started, ended));
            holds(is_right, || format!("{job:?} is kept as {found:?}"))?;
        }
        known.insert(attempt);
    }
    let made_up = stored.iter().find(|job| !known.contains(&job.attempt));
    holds(made_up.is_none(), || format!("never was: {made_up:?}"))
}

/// Every kept forecast of a job that started was scored once, and no other.
pub fn all_are_scored_once(store: &Connection, scored_as_told: u64) -> Result<(), Violation> {
    let wrong: Vec<(i64, i64, Option<i64>, String)> = rows(
        store,
        "SELECT forecasts.id, count(settlements.forecast), jobs.started, jobs.stage FROM forecasts \
         JOIN jobs ON jobs.id = forecasts.job LEFT JOIN settlements ON settlements.forecast = forecasts.id \
         GROUP BY forecasts.id HAVING count(settlements.forecast) <> (jobs.started IS NOT NULL) LIMIT 3",
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    holds(wrong.is_empty(), || format!("forecast, times scored, start and stage of its job: {wrong:?}"))?;
    let scored: Vec<i64> = rows(store, "SELECT forecast FROM settlements", |row| row.get(0))?;
    holds(scored.len() as u64 == scored_as_told, || {
        format!("{} forecasts are scored in the store, and {scored_as_told} in what is told", scored.len())
    })
}

fn rows<T, C: FromIterator<T>>(
    store: &Connection,
    query: &str,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<C, Violation> {
    let asked = |error: rusqlite::Error| Violation(format!("the store cannot be read: {error}"));
    let mut query = store.prepare(query).map_err(asked)?;
    query.query_map([], read).map_err(asked)?.collect::<rusqlite::Result<C>>().map_err(asked)
}
