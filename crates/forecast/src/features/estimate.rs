//! The estimate that a job is reckoned with: its limit or, where its user set none, the mean of all limits so far.
//!
//! The paper's logs have limits throughout and it says nothing of jobs without. The mean keeps the sums of processor-
//! seconds about right if limits are missing at random, and one absurd limit does not reach every job without one, as
//! it would if the largest were taken. An estimate is fixed when its job arrives and never revised, as a limit is not:
//! what has been said of a job stays true of it. Where no limit was ever set it is a day for every job, so that sums
//! still follow processors.

use queuecast_workload::{Seconds, Submission};

/// The estimate while no limit has been seen.
const ESTIMATE_UNHEARD_OF: Seconds = Seconds(86_400);

/// The limits of all jobs that have arrived.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LimitsSeen {
    jobs: i128,
    seconds: i128,
}

impl LimitsSeen {
    /// A job has arrived.
    pub(crate) fn note(&mut self, job: &Submission) {
        if let Some(limit) = job.limit {
            self.jobs += 1;
            self.seconds += i128::from(sound(limit).0);
        }
    }

    /// What a job that arrives now is reckoned with, in whole seconds; its own limit is not noted yet.
    pub(crate) fn estimate(&self, job: &Submission) -> Seconds {
        job.limit.map_or_else(|| self.mean().unwrap_or(ESTIMATE_UNHEARD_OF), sound)
    }

    /// Rounded down.
    fn mean(&self) -> Option<Seconds> {
        let mean = self.seconds.checked_div(self.jobs)?;
        i64::try_from(mean).ok().map(Seconds)
    }
}

/// No run lasts less than no time, whatever a log says.
fn sound(limit: Seconds) -> Seconds {
    limit.max(Seconds::ZERO)
}
