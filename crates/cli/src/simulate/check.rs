//! `--check-against`: every simulated wait compared with a stored schedule's.

use std::path::Path;

use queuecast_evaluate::{ScheduleCheck, WaitDifference};
use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::Seconds;
use serde::Serialize;

use crate::failure::{Cause, Failure};
use crate::input::problems::ProblemLimit;
use crate::input::source::ExportArgs;
use crate::output::grouped;

/// A comparison under way.
pub struct Check {
    name: String,
    waits: ScheduleCheck,
}

/// How the comparison ended.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CheckResult {
    pub identical: u64,
    pub total: u64,
    pub first_difference: Option<WaitDifference>,
}

impl Check {
    /// Reads the waits to compare with.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let mut source = ExportArgs::default().open(path, Some(ProblemLimit::default()))?;
        let mut waits = ScheduleCheck::default();
        for record in &mut source {
            let record = record?;
            if record.wait_time >= 0 {
                waits.expect(record.job_number, Seconds(record.wait_time));
            }
        }
        Ok(Self { name: source.name().to_owned(), waits })
    }

    pub fn result(&self) -> CheckResult {
        CheckResult {
            identical: self.waits.identical(),
            total: self.waits.total(),
            first_difference: self.waits.first_difference(),
        }
    }

    /// Fails the command if any wait differed.
    pub fn verdict(self) -> Result<(), Failure> {
        let CheckResult { identical, total, first_difference } = self.result();
        if identical == total {
            return Ok(());
        }
        let first = first_difference.map_or(String::new(), |difference| {
            let WaitDifference { number, expected, simulated } = difference;
            format!("; first difference: job {number}, {simulated} simulated, {expected} expected")
        });
        let message = format!("{} of {} waits equal those of {}{first}", grouped(identical), grouped(total), self.name);
        Err(Failure::new(Cause::Check, anyhow::anyhow!(message)))
    }
}

impl Observer for Check {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.waits.finished(job);
    }
}
