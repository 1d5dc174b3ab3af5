//! Jobs that wait or run, as far as the log has been read.
//!
//! For: what becomes known only from records before the last: that a job waits anew after it was requeued, that it was suspended, or that
//! somebody deleted it.
//!
//! Not for: more jobs than [`OPEN_JOBS_MAX`] at a time, so that no log takes all memory.

use std::collections::HashMap;

use queuecast_records::{BaseState, JobRecord, JobState};
use queuecast_workload::Time;

use crate::bad_line::{Problem, Reason};

/// No server holds as many.
pub(crate) const OPEN_JOBS_MAX: usize = 1_000_000;

/// A job that is not over.
#[derive(Debug)]
pub(crate) struct OpenJob {
    pub record: JobRecord,
    pub so_far: SoFar,
}

/// What records before said of a job's attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SoFar {
    /// When the attempt before ended, if there was one.
    pub requeued: Option<Time>,
    pub is_deleted: bool,
    pub was_suspended: bool,
}

/// All of them, by their names.
#[derive(Debug, Default)]
pub(crate) struct OpenJobs(HashMap<Vec<u8>, OpenJob>);

impl OpenJobs {
    /// What is known of a job so far.
    pub fn so_far(&self, name: &[u8]) -> SoFar {
        self.0.get(name).map_or_else(SoFar::default, |job| job.so_far)
    }

    pub fn get_mut(&mut self, name: &[u8]) -> Option<&mut OpenJob> {
        self.0.get_mut(name)
    }

    pub fn put(&mut self, name: &[u8], job: OpenJob) -> Result<(), Problem> {
        if self.0.len() >= OPEN_JOBS_MAX && !self.0.contains_key(name) {
            return Err(Problem::new(Some("job"), Reason::TooManyJobs, name));
        }
        self.0.insert(name.to_vec(), job);
        Ok(())
    }

    pub fn take(&mut self, name: &[u8]) -> Option<OpenJob> {
        self.0.remove(name)
    }

    /// All that are left, in order of submission.
    pub fn into_records(self) -> Vec<JobRecord> {
        let mut jobs: Vec<(Vec<u8>, OpenJob)> = self.0.into_iter().collect();
        jobs.sort_unstable_by(|(name, job), (other_name, other)| {
            (job.record.key.submitted, name).cmp(&(other.record.key.submitted, other_name))
        });
        jobs.into_iter().map(|(_, job)| job.record).collect()
    }
}

impl OpenJob {
    pub fn is_running(&self) -> bool {
        self.record.state.base == BaseState::Running
    }

    /// The same job, waiting anew since then.
    pub fn requeued(mut record: JobRecord, at: Time) -> Self {
        record.key.submitted = at;
        record.state = JobState::from_words(["PENDING"]);
        record.eligible = Some(at);
        (record.started, record.ended, record.elapsed, record.suspended) = (None, None, None, None);
        record.exit_code = None;
        record.allocated = queuecast_records::Tres::default();
        record.nodes = String::new();
        Self { record, so_far: SoFar { requeued: Some(at), ..SoFar::default() } }
    }
}
