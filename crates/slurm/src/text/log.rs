//! An export of sacct as a log: its jobs, without the steps.
//!
//! Not for: what is in a record (`read`).

use std::io::{self, BufRead};

use queuecast_records::log::{LeftOut, LogOpenError, RecordEntry, RecordLog};

use super::bad_record::HeaderError;
use super::read::{Entry, SacctReader};
use super::value::UtcOffset;

/// An export being read.
#[derive(Debug)]
pub struct SacctLog<R> {
    reader: SacctReader<R>,
    steps: u64,
}

impl<R: BufRead> SacctLog<R> {
    /// Reads the header, which must have all that a history needs.
    pub fn open(source: R, utc_offset: Option<UtcOffset>) -> Result<Self, LogOpenError> {
        let reader = SacctReader::new(source, utc_offset).map_err(|error| match error {
            HeaderError::Io(error) => LogOpenError::Io(error),
            other => LogOpenError::NotUsable { message: other.to_string(), hint: None },
        })?;
        if let Some(missing) = reader.header().missing_for_history() {
            return Err(LogOpenError::NotUsable {
                message: format!("1: the export lacks {missing}"),
                hint: Some("docs/guides/reading-slurm.md has a command line for sacct with all that is needed"),
            });
        }
        Ok(Self { reader, steps: 0 })
    }
}

impl<R: BufRead + std::fmt::Debug + Send> RecordLog for SacctLog<R> {
    fn next_entry(&mut self) -> io::Result<Option<RecordEntry>> {
        loop {
            match self.reader.next_entry()? {
                Some(Entry::Job(job)) => return Ok(Some(RecordEntry::Job(job))),
                Some(Entry::Step) => self.steps += 1,
                Some(Entry::Bad(bad_record)) => return Ok(Some(RecordEntry::Bad(bad_record))),
                None => return Ok(None),
            }
        }
    }

    fn format(&self) -> &'static str {
        "jobs in the format of sacct"
    }

    fn note(&self) -> &'static str {
        "from an export of Slurm's sacct, one line an attempt, processors as allocated"
    }

    fn left_out(&self) -> Vec<LeftOut> {
        vec![LeftOut { count: self.steps, what: "job steps left out; sacct -X exports only jobs" }]
    }
}
