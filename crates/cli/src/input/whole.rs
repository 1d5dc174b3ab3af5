//! A log read whole, for what goes through it more than once.

use queuecast_workload::TracedJob;
use queuecast_workload::order::SubmissionOrder;

use super::dropped::Dropped;
use super::jobs::ReplayableJobs;
use super::source::{SourceArgs, TraceSource};
use crate::failure::Failure;

/// Everything in a log that can be replayed, in order of submission.
pub struct WholeTrace {
    pub name: String,
    pub jobs: Vec<TracedJob>,
    pub dropped: Dropped,
}

impl WholeTrace {
    /// Opens and reads a log of up to two million jobs.
    pub fn read(source: &SourceArgs) -> Result<Self, Failure> {
        Self::load(source.open()?)
    }

    /// Reads a log that is open.
    pub fn load(source: TraceSource) -> Result<Self, Failure> {
        let name = source.name().to_owned();
        let mut order = SubmissionOrder::new(ReplayableJobs::new(source));
        let Some(mut jobs) = order.load_whole()? else {
            return Err(Failure::usage(format_args!("{name} has more than two million jobs; this reads it whole"))
                .with_hint("take a part of it with `qcast trace cut`"));
        };
        let source = order.source();
        let before = jobs.len();
        jobs.retain(|job| job.recorded.run.0 > 0);
        let no_run_time = (before - jobs.len()) as u64;
        let dropped = Dropped::new(source, queuecast_simulate::Dropped { no_run_time, ..Default::default() });
        Ok(Self { name, jobs, dropped })
    }
}
