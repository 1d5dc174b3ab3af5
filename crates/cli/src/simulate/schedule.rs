//! `--schedule`: the simulated schedule as a log, one line a job in order of ends, under the header of the log it was
//! made from: whose the jobs are and how they may be used stays true of them.

use std::ffi::OsStr;
use std::path::Path;

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::files::Output;
use queuecast_workload::swf::{SwfHeader, SwfRecord, SwfWriter};
use queuecast_workload::{Recorded, TracedJob};

use crate::failure::{Failure, OnSide};
use crate::input::source::TraceSource;
use crate::options::replay::overrun_in_words;
use crate::provenance::Provenance;
use queuecast_evaluate::Configuration;

/// What a header says of the log's lines and is not so of the schedule's, from which jobs may be missing.
const NO_LONGER_TRUE: [&str; 3] = ["MaxJobs", "MaxRecords", "EndTime"];

/// Writes every job that ended. What goes wrong is told at the end, because an observer cannot fail.
pub struct ScheduleWriter {
    writer: SwfWriter<Output>,
    failure: Option<Failure>,
}

impl ScheduleWriter {
    pub fn create(
        path: &Path,
        source: &TraceSource,
        configuration: &Configuration,
        provenance: &Provenance,
    ) -> Result<Self, Failure> {
        let mut writer = SwfWriter::new(Output::create(path).writing()?);
        writer.write_header(&header(source, configuration, provenance)).writing()?;
        Ok(Self { writer, failure: None })
    }

    pub fn finish(self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.writer.into_inner().finish().writing(),
        }
    }
}

/// The source's, with what made the schedule.
fn header(source: &TraceSource, configuration: &Configuration, provenance: &Provenance) -> SwfHeader {
    let mut header = source.header().clone();
    for name in NO_LONGER_TRUE {
        header.remove_directive(name);
    }
    let Configuration { machine, policy, predictor, correction, propagate, rules, overrun, .. } = configuration;
    if header.max_procs() != Some(machine.processors) {
        header.set_directive("MaxProcs", &machine.processors.to_string());
    }
    // Where the log lies on this machine is nobody's business, and would make the same input give other bytes.
    let log = Path::new(source.name()).file_name().map_or(source.name().into(), OsStr::to_string_lossy);
    header.add_note(&format!(
        "simulated from {log} by {} on {} processors: policy {policy}, predictor {predictor}, correction \
         {correction}, propagate {propagate}, rules {rules}, overrun {}; waits are simulated, and notes above about a \
         schedule refer to the source log",
        provenance.program(),
        machine.processors,
        overrun_in_words(*overrun),
    ));
    provenance.logs_in_words().iter().for_each(|log| header.add_note(&format!("read: {log}")));
    header
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
