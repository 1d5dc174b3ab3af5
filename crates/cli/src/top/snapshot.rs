//! What the daemon says at one time: how it is, the asker's own jobs, and as many of the others as anybody scrolls through.
//!
//! For: `qcast top`, every few seconds; one request for health, one for a page of own jobs, one for each page of others.
//!
//! Not for: asking Slurm; nothing here does.

use queuecast_api::Client;
use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::health::{HealthResponse, HealthStatus};
use queuecast_api::queue::ListedState;
use queuecast_api::time::Moment;

use crate::failure::Failure;
use crate::queue::gather::gather;
use crate::queue::selection::Selection;

/// So many pages of a thousand jobs are asked for at most: nobody scrolls further, and the daemon has others to answer.
const PAGES: usize = 3;

/// What was seen.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The cluster's name.
    pub cluster: String,
    /// The cluster's time.
    pub now: Moment,
    /// How long before that the queue was read.
    pub data_age_seconds: Option<i64>,
    /// What is wrong, if something is: a word, and why.
    pub complaint: Option<(&'static str, String)>,
    /// Jobs that wait and run in the whole cluster.
    pub load: Load,
    /// The jobs.
    pub jobs: Vec<ForecastResponse>,
    /// Whether there are more jobs than these.
    pub is_cut: bool,
}

/// How many jobs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// That wait.
    pub waiting: u64,
    /// That run.
    pub running: u64,
}

/// Looks.
pub fn take(service: &Client, selection: &Selection) -> Result<Snapshot, Failure> {
    let health = service.health()?;
    // Whoever names a job wants to see it, also when it runs.
    let state = if selection.jobs.is_empty() { ListedState::Waiting } else { ListedState::All };
    let mut gathered = gather(service, selection, state, PAGES)?;
    if selection.jobs.is_empty() {
        // The asker's own jobs are there wherever in the queue they are, and while they run.
        let own = gather(service, &selection.own(), ListedState::All, 1)?;
        let known: Vec<Option<u64>> = gathered.jobs.iter().map(|job| job.job.job_id).collect();
        gathered.jobs.extend(own.jobs.into_iter().filter(|job| known.binary_search(&job.job.job_id).is_err()));
    }
    Ok(Snapshot {
        cluster: gathered.cluster,
        now: gathered.now,
        data_age_seconds: gathered.data_age_seconds,
        complaint: complaint(&health),
        load: load(&health, &gathered.jobs),
        jobs: gathered.jobs,
        is_cut: gathered.is_cut,
    })
}

/// Where it is not told how many there are, those that are seen.
fn load(health: &HealthResponse, seen: &[ForecastResponse]) -> Load {
    let running = seen.iter().filter(|job| job.state == StateResponse::Running).count() as u64;
    let waiting = seen.len() as u64 - running;
    Load { waiting: health.jobs_waiting.unwrap_or(waiting), running: health.jobs_running.unwrap_or(running) }
}

fn complaint(health: &HealthResponse) -> Option<(&'static str, String)> {
    let word = match health.status {
        HealthStatus::Ok => return None,
        HealthStatus::Degraded => "degraded",
        HealthStatus::Stale => "stale",
    };
    Some((word, health.reasons.join(" ")))
}
