//! A log in either of the formats that are read: Standard Workload Format, or an export of Slurm's `sacct -P`.
//!
//! For: telling them apart by the first line (an export begins with the name of one of sacct's columns, a log in SWF
//! with `;` or a number) and giving out the same records for both.
//!
//! Not for: Slurm's JSON.

use std::fmt;
use std::io::{BufRead, Chain, Cursor, Read};

use queuecast_records::JobRecord;
use queuecast_records::history::History;
use queuecast_slurm::text::{Entry, HeaderError, SacctReader, UtcOffset, is_header};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Comment, Line, SwfHeader, SwfReader, SwfRecord};

use crate::failure::{Cause, Failure, OnSide, say};
use crate::output::grouped;

/// No header of sacct's is longer.
const FIRST_LINE_BYTES_MAX: u64 = 8 * 1024;

/// The first line put back in front of the rest.
type Whole = Chain<Cursor<Vec<u8>>, Input>;

/// A log of a format that has been found out.
#[derive(Debug)]
pub enum LogReader {
    /// Standard Workload Format.
    Swf(Box<SwfReader<Whole>>),
    /// An export of sacct.
    Sacct(Box<SacctLog>),
}

/// What a line or record turned out to be.
pub enum LogLine {
    /// A line of a log that is a job.
    Job(SwfRecord),
    /// A record of Slurm's that is a job.
    Record(Box<JobRecord>),
    /// A comment.
    Comment(Comment),
    /// Something else: `LINE:FIELD: reason`.
    Bad(Box<dyn fmt::Display>),
}

/// An export of sacct, read as a log whose times count from the Unix epoch.
#[derive(Debug)]
pub struct SacctLog {
    reader: SacctReader<Whole>,
    header: SwfHeader,
    history: History,
    steps: u64,
}

impl LogReader {
    /// Finds out the format and reads the header.
    pub fn open(mut input: Input, utc_offset: Option<UtcOffset>) -> Result<Self, Failure> {
        let name = input.name().to_owned();
        let mut first_line = Vec::new();
        input.by_ref().take(FIRST_LINE_BYTES_MAX).read_until(b'\n', &mut first_line).reading()?;
        let is_sacct = is_header(&first_line);
        let whole = Cursor::new(first_line).chain(input);
        if is_sacct {
            return SacctLog::open(whole, utc_offset, &name).map(|log| Self::Sacct(Box::new(log)));
        }
        Ok(Self::Swf(Box::new(SwfReader::new(whole).reading()?)))
    }

    /// The log's header; made up for an export.
    pub fn header(&self) -> &SwfHeader {
        match self {
            Self::Swf(reader) => reader.header(),
            Self::Sacct(log) => &log.header,
        }
    }

    /// What the format is called in messages.
    pub fn format(&self) -> &'static str {
        match self {
            Self::Swf(_) => "line of it is a job in Standard Workload Format",
            Self::Sacct(_) => "record of it is a job as sacct writes it",
        }
    }

    /// The next line, `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<LogLine>, Failure> {
        match self {
            Self::Swf(reader) => Ok(reader.next_line().reading()?.map(|line| match line {
                Line::Job(record) => LogLine::Job(record),
                Line::Comment(comment) => LogLine::Comment(comment),
                Line::Bad(bad_line) => LogLine::Bad(bad_line),
            })),
            Self::Sacct(log) => log.next_line(),
        }
    }

    /// A record as a line of a log; none of a sibling that ran elsewhere.
    pub fn line_of(&mut self, record: &JobRecord) -> Option<SwfRecord> {
        match self {
            Self::Swf(_) => None,
            Self::Sacct(log) => log.history.attempt(record).map(|attempt| attempt.swf()),
        }
    }

    /// Says what was left out on purpose.
    pub fn conclude(&self, name: &str) {
        let Self::Sacct(log) = self else { return };
        for (count, what) in [
            (log.steps, "steps of jobs left out; sacct -X does not write them"),
            (log.history.revoked(), "records left out that are REVOKED: those jobs ran on another cluster"),
        ] {
            if count > 0 {
                say(format_args!("{name}: {} {what}", grouped(count)));
            }
        }
    }
}

impl SacctLog {
    fn open(whole: Whole, utc_offset: Option<UtcOffset>, name: &str) -> Result<Self, Failure> {
        let reader = SacctReader::new(whole, utc_offset).map_err(|error| match error {
            HeaderError::Io(error) => Failure::new(Cause::Input, error),
            other => Failure::new(Cause::Input, anyhow::anyhow!("{name}:{other}")),
        })?;
        if let Some(missing) = reader.header().missing_for_history() {
            let error = anyhow::anyhow!("{name}:1: the export lacks {missing}");
            return Err(Failure::new(Cause::Input, error)
                .with_hint("docs/reading-slurm.md has a command line for sacct with all that is needed"));
        }
        let mut header = SwfHeader::default();
        header.set_directive("UnixStartTime", "0");
        if let Some(offset) = utc_offset {
            header.set_directive("TimeZone", &offset.seconds().to_string());
        }
        header.add_note("from an export of Slurm's sacct, one line an attempt, processors as allocated");
        Ok(Self { reader, header, history: History::new(), steps: 0 })
    }

    fn next_line(&mut self) -> Result<Option<LogLine>, Failure> {
        loop {
            match self.reader.next_entry().reading()? {
                Some(Entry::Job(job)) => return Ok(Some(LogLine::Record(job))),
                Some(Entry::Step) => self.steps += 1,
                Some(Entry::Bad(bad_record)) => return Ok(Some(LogLine::Bad(bad_record))),
                None => return Ok(None),
            }
        }
    }
}
