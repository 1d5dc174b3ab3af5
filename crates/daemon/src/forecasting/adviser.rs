//! Jobs that do not exist: where one that came now would find room in the futures already played.

use std::sync::{Arc, PoisonError, RwLock};

use queuecast_forecast::queue::Openings;
use queuecast_predict::distribution::RuntimeDistributions;
use queuecast_slurm::history::History;
use queuecast_workload::{JobId, Request, Seconds, Submission};

use super::correction::Correction;
use super::estimate::start_times;
use super::learner::{Learner, SharedHistory};
use super::whole_queue::waiting_job;
use crate::cluster::Situation;
use crate::published::{Adviser, HypotheticalJob, JobForecast};

/// Answers from what the futures left over.
pub struct OpenAdviser {
    situation: Situation,
    openings: Openings,
    runs: SharedHistory,
    names: Arc<RwLock<History>>,
    correction: Correction,
}

impl OpenAdviser {
    pub fn new(situation: Situation, openings: Openings, learner: &Learner, correction: Correction) -> Self {
        Self { situation, openings, runs: learner.shared(), names: learner.shared_names(), correction }
    }

    fn submission(&self, job: &HypotheticalJob, planned: Seconds) -> Submission {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        Submission {
            job: JobId(u64::MAX),
            submitted: self.situation.core.now,
            request: Request { processors: job.cpus.or(job.nodes).unwrap_or(1) },
            limit: Some(planned),
            user: job.user.as_deref().and_then(|name| names.user(name)),
            group: None,
            program: job.name.as_deref().and_then(|name| names.program(name)),
            queue: None,
            partition: job.partition.as_deref().and_then(|name| names.partition(name)),
        }
    }
}

impl Adviser for OpenAdviser {
    fn forecast(&self, job: &HypotheticalJob) -> JobForecast {
        let (demand, planned) = match self.situation.hypothetical(job) {
            Ok(asked) => asked,
            Err(none) => return JobForecast::NoEstimate(none),
        };
        let now = self.situation.core.now;
        let from = job.begin.unwrap_or(now).max(now);
        let starts = self.openings.starts(&demand, planned, from);
        let horizon = self.openings.horizon;
        let raw = match start_times(&starts, horizon) {
            Ok(raw) => raw,
            Err(none) => return JobForecast::NoEstimate(none),
        };
        let submission = self.submission(job, planned);
        let distribution = self.runs.distribution(&submission, Seconds::ZERO, now);
        let futures = starts.len();
        let runs: Vec<Seconds> = (0..futures)
            .map(|future| distribution.sample((future as f64 + 0.5) / futures as f64).min(planned))
            .collect();
        JobForecast::Estimate(waiting_job(&raw, &self.correction, &starts, &runs, now, horizon))
    }
}
