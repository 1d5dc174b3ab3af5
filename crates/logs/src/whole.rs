//! A log read whole, for what goes through it more than once.

use queuecast_workload::order::SubmissionOrder;
use queuecast_workload::{Machine, TracedJob};

use crate::dropped::Dropped;
use crate::error::LogError;
use crate::jobs::ReplayableJobs;
use crate::trace::TraceSource;

/// Everything in a log that can be replayed, in order of submission.
#[derive(Debug)]
pub struct WholeTrace {
    /// The file's name for messages.
    pub name: String,
    /// The jobs.
    pub jobs: Vec<TracedJob>,
    /// What is not among them.
    pub dropped: Dropped,
}

impl WholeTrace {
    /// Reads a log of up to two million jobs, of which at least one can be replayed.
    pub fn load(source: TraceSource) -> Result<Self, LogError> {
        let name = source.name().to_owned();
        let mut order = SubmissionOrder::new(ReplayableJobs::new(source));
        let Some(mut jobs) = order.load_whole()? else {
            return Err(LogError::TooManyJobs { name });
        };
        let source = order.source();
        let before = jobs.len();
        jobs.retain(|job| job.recorded.run.0 > 0);
        let no_run_time = (before - jobs.len()) as u64;
        let dropped = Dropped::new(source, queuecast_simulate::Dropped { no_run_time, ..Default::default() });
        let dropped = dropped.leaving(jobs.len() as u64, &name)?;
        Ok(Self { name, jobs, dropped })
    }

    /// Only the jobs that have a limit and fit the machine, so that whatever is compared runs the same jobs; there must be
    /// one.
    pub fn limited(mut self, machine: Machine) -> Result<Self, LogError> {
        let mut left_out = queuecast_simulate::Dropped::default();
        self.jobs.retain(|job| {
            let (fits, has_limit) = (machine.can_hold(job.submission.request), job.submission.limit.is_some());
            left_out.over_wide += u64::from(!fits);
            left_out.no_limit += u64::from(fits && !has_limit);
            fits && has_limit
        });
        self.dropped = self.dropped.and(left_out).leaving(self.jobs.len() as u64, &self.name)?;
        Ok(self)
    }
}
