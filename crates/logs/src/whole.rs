//! A log read whole, for what goes through it more than once.

use queuecast_workload::TracedJob;
use queuecast_workload::order::SubmissionOrder;

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
    /// Reads a log of up to two million jobs.
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
        Ok(Self { name, jobs, dropped })
    }
}
