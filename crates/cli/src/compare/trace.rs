//! A log as a comparison takes it: whole, and with only the jobs that every configuration can replay.

use queuecast_evaluate::{Configuration, comparable_jobs};
use queuecast_logs::{Dropped, WholeTrace};
use queuecast_workload::TracedJob;

use crate::failure::{Failure, say};
use crate::input::reasons;
use crate::input::source::TraceSource;
use crate::output::grouped;

/// A log that is ready to be compared on.
pub struct LoadedTrace {
    pub name: String,
    pub jobs: Vec<TracedJob>,
    pub dropped: Dropped,
}

impl LoadedTrace {
    /// Reads the log and says what was left out for all the configurations.
    pub fn load(source: TraceSource, configurations: &[Configuration]) -> Result<Self, Failure> {
        let WholeTrace { name, jobs, dropped } = WholeTrace::load(source)?;
        let (jobs, left_out) = comparable_jobs(jobs, configurations);
        let dropped = dropped.and(left_out).leaving(jobs.len() as u64, &name)?;
        if dropped.total() > 0 {
            let left_out = grouped(dropped.total());
            say(format_args!(
                "warning: {name}: {left_out} jobs left out for all configurations: {}",
                reasons(&dropped)
            ));
        }
        Ok(Self { name, jobs, dropped })
    }
}
