//! What was said of jobs that have not started, until it is learnt from.

use std::collections::BTreeMap;

use queuecast_workload::JobId;

use super::forecaster::Given;

/// Answers of one job that are learnt from.
const PER_JOB: usize = 8;
/// Of all jobs: some 100 MB at the most. The queue must be thousands of jobs long for that; then those that are kept say enough.
const IN_ALL: usize = 20_000;

/// An answer, and how many spans of waiting have passed since it was given.
#[derive(Clone, Debug)]
pub struct OpenAnswer {
    /// What it was made of.
    pub given: Given,
    /// Up to which span it was learnt from.
    pub passed: usize,
}

/// By job, from the first.
#[derive(Clone, Debug, Default)]
pub struct OpenAnswers {
    of_job: BTreeMap<JobId, Vec<OpenAnswer>>,
    count: usize,
}

impl OpenAnswers {
    /// One more, unless there are enough.
    pub fn keep(&mut self, job: JobId, given: Given) {
        let known = self.of_job.get(&job).map_or(0, Vec::len);
        if known < PER_JOB && self.count < IN_ALL {
            self.of_job.entry(job).or_default().push(OpenAnswer { given, passed: 0 });
            self.count += 1;
        }
    }

    /// Those of a job, which are not kept any longer.
    pub fn take(&mut self, job: JobId) -> Vec<OpenAnswer> {
        let taken = self.of_job.remove(&job).unwrap_or_default();
        self.count -= taken.len();
        taken
    }

    /// All.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut OpenAnswer> {
        self.of_job.values_mut().flatten()
    }
}
