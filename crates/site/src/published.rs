//! What the daemon says at one moment: made by the forecast loop, read by the interface.
//!
//! For: answers that ask nobody. Whoever asks reads the [`Published`] of the moment, so a thousand askers cost Slurm
//! nothing; it holds everything an answer needs, and how old that is.
//!
//! Not for: who may see what (`api`); how it is written (`api`); making it (`forecasting`).

use std::collections::BTreeMap;
use std::sync::Arc;

use queuecast_advise::Adviser;
use queuecast_forecast::estimate::JobForecast;
use queuecast_forecast::queue::PlayedEffort;
use queuecast_forecast::score::Score;
use queuecast_records::{JobPart, PrivateData};
use queuecast_workload::{Seconds, Time};

use crate::observed::Observed;
use crate::past_waits::PastWaits;
use crate::people::People;
use crate::roles::Roles;

/// Everything known and said at one moment.
#[derive(Clone)]
pub struct Published {
    /// The cluster's name.
    pub cluster: String,
    /// When the forecasts were made, if they were.
    pub forecast: Option<Time>,
    /// When each kind of reading last succeeded, and what is wrong with it now.
    pub health: Health,
    /// Who waits and who runs, in order of Slurm's number.
    pub jobs: Arc<[PublishedJob]>,
    /// Forecasts a job that does not exist yet.
    pub adviser: Option<Arc<dyn Adviser>>,
    /// How good the forecasts were that were given so far.
    pub score: Arc<Score>,
    /// What Slurm hides from users.
    pub private_data: PrivateData,
    /// Who is more than a user.
    pub roles: Arc<Roles>,
    /// Which names users' jobs bear and bore.
    pub people: Arc<People>,
    /// How well the model explains the starts Slurm made.
    pub replay_check: ReplayCheck,
    /// What has happened since the daemon began.
    pub observed: Arc<Observed>,
    /// How long jobs waited lately.
    pub past_waits: Arc<PastWaits>,
}

impl Published {
    /// What is published before anything is known. As long as nobody has said otherwise, everything is hidden that can be.
    pub fn nothing_yet() -> Self {
        Self {
            cluster: String::new(),
            forecast: None,
            health: Health::default(),
            jobs: Arc::from(Vec::new()),
            adviser: None,
            score: Arc::default(),
            private_data: PrivateData::EVERYTHING,
            roles: Arc::default(),
            people: Arc::default(),
            replay_check: ReplayCheck::default(),
            observed: Arc::new(Observed::since(Time(0))),
            past_waits: Arc::default(),
        }
    }
}

/// How the daemon's sight of Slurm is.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// The queue.
    pub queue: ReadingHealth,
    /// The nodes.
    pub nodes: ReadingHealth,
    /// Accounting.
    pub accounting: ReadingHealth,
    /// Partitions, reservations, qualities of service and settings.
    pub settings: ReadingHealth,
    /// Who is operator, administrator or coordinator. Without it everybody is a user.
    pub users: ReadingHealth,
    /// How deep backfill gets. Nothing is wrong if Slurm does not say: the configured depth stands.
    pub backfill: ReadingHealth,
    /// How many jobs a pass of backfill gets to; `None` if to the end of the queue, or if nobody says.
    pub backfill_reach_jobs: Option<u64>,
    /// Who has used how much. Nothing is wrong where priorities do not depend on it: it is not asked then.
    pub shares: ReadingHealth,
    /// Why the store cannot be written, while it cannot.
    pub store_problem: Option<String>,
    /// How often it could not.
    pub store_failures: u64,
    /// Jobs in the store.
    pub jobs_stored: u64,
    /// Ended jobs that forecasts have learnt from.
    pub training_jobs: u64,
    /// How long the last forecast of the whole queue took, in real seconds.
    pub forecast_seconds: f64,
    /// How much was played for it.
    pub effort: PlayedEffort,
}

impl Health {
    /// Each kind of reading, with its name.
    pub fn readings(&self) -> [(&'static str, &ReadingHealth); 7] {
        [
            ("queue", &self.queue),
            ("nodes", &self.nodes),
            ("accounting", &self.accounting),
            ("settings", &self.settings),
            ("users", &self.users),
            ("backfill", &self.backfill),
            ("shares", &self.shares),
        ]
    }
}

/// How one kind of reading is.
#[derive(Clone, Debug, Default)]
pub struct ReadingHealth {
    /// When it last succeeded, by the cluster's clock.
    pub succeeded: Option<Time>,
    /// Calls made since the daemon began.
    pub calls: u64,
    /// Calls that failed.
    pub failures: u64,
    /// The same by what was wrong, in a word.
    pub failures_by_error: BTreeMap<&'static str, u64>,
    /// How long the last call took, in real seconds.
    pub last_seconds: f64,
    /// What went wrong in the last call, if it did.
    pub problem: Option<String>,
    /// Records of the last call that could not be read.
    pub bad_records: u64,
}

/// A job that waits or runs.
#[derive(Clone, Debug)]
pub struct PublishedJob {
    /// Slurm's number.
    pub job_id: u64,
    /// Which part of an array or heterogeneous job.
    pub part: JobPart,
    /// Its name.
    pub name: String,
    /// Who submitted it.
    pub user: String,
    /// The submitter's number.
    pub user_id: Option<u32>,
    /// The account.
    pub account: String,
    /// The partition, or those it may run in.
    pub partitions: Vec<String>,
    /// The quality of service.
    pub qos: String,
    /// When it was submitted.
    pub submitted: Time,
    /// When it started, if it has.
    pub started: Option<Time>,
    /// Its limit.
    pub limit: Option<Seconds>,
    /// Nodes it asks for or has.
    pub nodes: Option<u64>,
    /// CPUs it asks for or has.
    pub cpus: Option<u64>,
    /// Why it waits, in Slurm's word.
    pub reason: String,
    /// When Slurm itself plans to start it, as `squeue --start` shows.
    pub slurm_estimated_start: Option<Time>,
    /// What is said of it.
    pub forecast: JobForecast,
    /// Whether the forecast is kept to be scored.
    pub kept: bool,
}

/// How well the model explains the starts that Slurm made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReplayCheck {
    /// Starts that were looked at.
    pub starts: u64,
    /// Of these, jobs that the model too would have started between the two readings.
    pub explained: u64,
    /// Jobs that the model would have started and Slurm did not.
    pub missing: u64,
}
