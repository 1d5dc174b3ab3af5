//! A log in any of the formats that are read: Standard Workload Format, or a resource manager's accounting.
//!
//! For: telling them apart by the first line (`formats`) and giving out the same records for all.
//!
//! Not for: who is told of bad lines ([`crate::trace::TraceSource`]).

use std::fmt;
use std::io::{BufRead, Cursor, Read};

use queuecast_records::JobRecord;
use queuecast_records::history::History;
use queuecast_records::log::{LeftOut, LogOpenError, RecordEntry, RecordLog};
use queuecast_slurm::text::UtcOffset;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Comment, Line, SwfHeader, SwfReader, SwfRecord};

use crate::error::LogError;
use crate::formats::{FORMATS, Whole};

/// No first line that tells a format is longer.
const FIRST_LINE_BYTES_MAX: u64 = 8 * 1024;

/// A log of a format that has been found out.
#[derive(Debug)]
pub(crate) enum LogReader {
    /// Standard Workload Format.
    Swf(Box<SwfReader<Whole>>),
    /// Accounting of a resource manager.
    Records(Box<Records>),
}

/// What a line or record turned out to be.
pub(crate) enum LogLine {
    /// A line of a log that is a job.
    Job(SwfRecord),
    /// A record of a resource manager's that is a job.
    Record(Box<JobRecord>),
    /// A comment.
    Comment(Comment),
    /// Something else: `LINE:FIELD: reason`.
    Bad(Box<dyn fmt::Display>),
}

/// Accounting, read as a log whose times count from the Unix epoch.
#[derive(Debug)]
pub(crate) struct Records {
    log: Box<dyn RecordLog>,
    header: SwfHeader,
    history: History,
}

impl LogReader {
    /// Finds out the format and reads the header.
    pub fn open(mut input: Input, utc_offset: Option<UtcOffset>) -> Result<Self, LogError> {
        let name = input.name().to_owned();
        let mut first_line = Vec::new();
        input.by_ref().take(FIRST_LINE_BYTES_MAX).read_until(b'\n', &mut first_line)?;
        let format = FORMATS.iter().find(|format| (format.begins_with)(&first_line));
        let whole = Cursor::new(first_line).chain(input);
        let Some(format) = format else {
            return Ok(Self::Swf(Box::new(SwfReader::new(whole)?)));
        };
        let log = (format.open)(whole, utc_offset).map_err(|error| match error {
            LogOpenError::Io(error) => LogError::Io(error),
            LogOpenError::NotUsable { message, hint } => {
                LogError::NotUsable { message: format!("{name}:{message}"), hint }
            }
        })?;
        Ok(Self::Records(Box::new(Records::new(log, utc_offset))))
    }

    /// The log's header; made up for accounting.
    pub fn header(&self) -> &SwfHeader {
        match self {
            Self::Swf(reader) => reader.header(),
            Self::Records(records) => &records.header,
        }
    }

    /// What the log lacks if nothing in it is a job, behind the word "no".
    pub fn format(&self) -> &'static str {
        match self {
            Self::Swf(_) => "jobs in Standard Workload Format",
            Self::Records(records) => records.log.format(),
        }
    }

    /// The next line, `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<LogLine>, LogError> {
        Ok(match self {
            Self::Swf(reader) => reader.next_line()?.map(|line| match line {
                Line::Job(record) => LogLine::Job(record),
                Line::Comment(comment) => LogLine::Comment(comment),
                Line::Bad(bad_line) => LogLine::Bad(bad_line),
            }),
            Self::Records(records) => records.log.next_entry()?.map(|entry| match entry {
                RecordEntry::Job(record) => LogLine::Record(record),
                RecordEntry::Bad(bad_record) => LogLine::Bad(bad_record),
            }),
        })
    }

    /// A record as a line of a log; none of a sibling that ran elsewhere.
    pub fn line_of(&mut self, record: &JobRecord) -> Option<SwfRecord> {
        match self {
            Self::Swf(_) => None,
            Self::Records(records) => records.history.attempt(record).map(|attempt| attempt.swf()),
        }
    }

    /// What was left out on purpose.
    pub fn left_out(&self) -> Vec<LeftOut> {
        let Self::Records(records) = self else { return Vec::new() };
        let mut left_out = records.log.left_out();
        let what = "records in state REVOKED left out: these jobs ran on another cluster";
        left_out.push(LeftOut { count: records.history.revoked(), what });
        left_out.retain(|left_out| left_out.count > 0);
        left_out
    }
}

impl Records {
    fn new(log: Box<dyn RecordLog>, utc_offset: Option<UtcOffset>) -> Self {
        let mut header = SwfHeader::default();
        header.set_directive("UnixStartTime", "0");
        if let Some(offset) = utc_offset {
            header.set_directive("TimeZone", &offset.seconds().to_string());
        }
        header.add_note(log.note());
        Self { log, header, history: History::new() }
    }
}
