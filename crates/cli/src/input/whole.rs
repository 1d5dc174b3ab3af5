//! A log read whole, for what goes through it more than once.

use queuecast_workload::TracedJob;
use queuecast_workload::order::SubmissionOrder;
use serde::Serialize;

use super::jobs::ReplayableJobs;
use super::source::SourceArgs;
use crate::failure::Failure;

/// Everything in a log that can be replayed, in order of submission.
pub struct WholeTrace {
    pub name: String,
    pub jobs: Vec<TracedJob>,
    pub dropped: WholeDropped,
}

/// What is in the log but not in the jobs, by reason; and what had to be assumed of those that are.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WholeDropped {
    pub bad_lines: u64,
    pub no_submit_time: u64,
    pub no_processors: u64,
    pub no_run_time: u64,
    pub out_of_range: u64,
    #[serde(skip)]
    pub waits_unknown: u64,
}

impl WholeTrace {
    /// Reads a log of up to two million jobs.
    pub fn read(source: &SourceArgs) -> Result<Self, Failure> {
        let source = source.open()?;
        let name = source.name().to_owned();
        let mut order = SubmissionOrder::new(ReplayableJobs::new(source));
        let Some(mut jobs) = order.load_whole()? else {
            return Err(Failure::usage(format_args!("{name} has more than two million jobs; this reads it whole"))
                .with_hint("take a part of it with `qcast trace cut`"));
        };
        let source = order.source();
        let before = jobs.len();
        jobs.retain(|job| job.recorded.run.0 > 0);
        let dropped = WholeDropped {
            bad_lines: source.bad_lines(),
            no_submit_time: source.no_submit_time,
            no_processors: source.no_processors,
            no_run_time: source.no_run_time + (before - jobs.len()) as u64,
            out_of_range: source.out_of_range,
            waits_unknown: jobs.iter().filter(|job| job.recorded.wait.is_none()).count() as u64,
        };
        Ok(Self { name, jobs, dropped })
    }
}
