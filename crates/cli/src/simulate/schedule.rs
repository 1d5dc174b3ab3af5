//! `--schedule`: the simulated schedule as a log, one line a job in order of ends.

use std::path::Path;

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::files::Output;
use queuecast_workload::swf::{SwfHeader, SwfRecord, SwfWriter};
use queuecast_workload::{Recorded, TracedJob};

use crate::failure::{Failure, OnSide};
use queuecast_evaluate::Configuration;

/// Writes every job that ended. What goes wrong is told at the end, because an observer cannot fail.
pub struct ScheduleWriter {
    writer: SwfWriter<Output>,
    failure: Option<Failure>,
}

impl ScheduleWriter {
    pub fn create(path: &Path, configuration: &Configuration) -> Result<Self, Failure> {
        let mut writer = SwfWriter::new(Output::create(path).writing()?);
        let mut header = SwfHeader::default();
        let Configuration { machine, policy, predictor, correction, propagate, rules, .. } = configuration;
        header.set_directive("Computer", &format!("simulated by qcast {}", env!("CARGO_PKG_VERSION")));
        header.set_directive("MaxProcs", &machine.processors.to_string());
        header.add_note(&format!(
            "policy {policy}, predictor {predictor}, correction {correction}, propagate {propagate}, rules {rules}"
        ));
        writer.write_header(&header).writing()?;
        Ok(Self { writer, failure: None })
    }

    pub fn finish(self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.writer.into_inner().finish().writing(),
        }
    }
}

impl Observer for ScheduleWriter {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        if self.failure.is_some() {
            return;
        }
        let recorded = Recorded { wait: Some(job.wait()), run: job.outcome.run(), status: job.outcome.status };
        let traced = TracedJob { number: job.number, submission: *job.submission, recorded };
        self.failure = self.writer.write_record(&SwfRecord::from_traced(&traced, job.wait())).writing().err();
    }
}
