//! A log being read: its jobs one by one, bad lines counted and told on the way.

use std::fmt;
use std::path::Path;

use queuecast_records::JobRecord;
use queuecast_slurm::text::UtcOffset;
use queuecast_workload::Machine;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Comment, SwfHeader, SwfRecord};
use serde::Serialize;

use crate::catalogue::{self, KnownLog};
use crate::error::LogError;
use crate::listener::Listener;
use crate::log::{LogLine, LogReader};

/// So many bad lines are kept in words.
const BAD_LINES_KEPT: usize = 20;

/// A job as its log has it.
#[derive(Debug)]
pub enum LoggedJob {
    /// A line of a log in Standard Workload Format.
    Line(SwfRecord),
    /// A record of a resource manager's.
    Record(Box<JobRecord>),
}

/// How large the machine is, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineSize {
    /// The machine.
    pub machine: Machine,
    /// Who says so.
    pub from: SizeFrom,
}

/// Who says how large a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SizeFrom {
    /// Whoever gave the command.
    Option,
    /// The catalogue, which knows the log by its hash.
    Catalogue,
    /// The log's header.
    Header,
}

impl fmt::Display for SizeFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Option => "option",
            Self::Catalogue => "catalogue",
            Self::Header => "header",
        })
    }
}

/// A log being read. It iterates over the jobs; comments met on the way are put aside for
/// [`TraceSource::take_comments`], so that whoever writes them before the job just returned keeps their place.
#[derive(Debug)]
pub struct TraceSource {
    reader: LogReader,
    name: String,
    known: Option<&'static KnownLog>,
    listener: Box<dyn Listener>,
    comments: Vec<Comment>,
    jobs: u64,
    bad_lines: u64,
    first_bad_lines: Vec<String>,
}

impl TraceSource {
    /// Opens a log, `-` for standard input, and reads its header.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        Self::read(Input::open(path)?, None, Box::new(()))?.recognised(path)
    }

    /// Reads the header of a log that is open. Local times in it are this far ahead of UTC; without an offset they are bad. The listener
    /// hears of every bad line.
    pub fn read(input: Input, utc_offset: Option<UtcOffset>, listener: Box<dyn Listener>) -> Result<Self, LogError> {
        let name = input.name().to_owned();
        let reader = LogReader::open(input, utc_offset)?;
        Ok(Self {
            reader,
            name,
            known: None,
            listener,
            comments: Vec::new(),
            jobs: 0,
            bad_lines: 0,
            first_bad_lines: Vec::new(),
        })
    }

    /// The file's name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same, looked up in the catalogue as the file of this path.
    pub fn recognised(mut self, path: &Path) -> Result<Self, LogError> {
        self.known = catalogue::recognise(path)?;
        Ok(self)
    }

    /// What the catalogue has on this log.
    pub fn known(&self) -> Option<&'static KnownLog> {
        self.known
    }

    /// How many processors the machine has: by the catalogue, or else by the header.
    pub fn machine_size(&self) -> Option<MachineSize> {
        let of = |processors, from| MachineSize { machine: Machine { processors }, from };
        let by_catalogue = self.known.map(|log| of(log.processors, SizeFrom::Catalogue));
        by_catalogue.or_else(|| self.header().max_procs().map(|processors| of(processors, SizeFrom::Header)))
    }

    /// The log's header.
    pub fn header(&self) -> &SwfHeader {
        self.reader.header()
    }

    /// The comments met since this was last asked.
    pub fn take_comments(&mut self) -> Vec<Comment> {
        std::mem::take(&mut self.comments)
    }

    /// Bad lines so far.
    pub fn bad_lines(&self) -> u64 {
        self.bad_lines
    }

    /// The first twenty of them: `FILE:LINE:FIELD: reason`.
    pub fn first_bad_lines(&self) -> &[String] {
        &self.first_bad_lines
    }

    /// The next job, as the log has it.
    pub fn next_job(&mut self) -> Result<Option<LoggedJob>, LogError> {
        loop {
            let job = match self.reader.next_line()? {
                Some(LogLine::Job(line)) => LoggedJob::Line(line),
                Some(LogLine::Record(record)) => LoggedJob::Record(record),
                Some(LogLine::Comment(comment)) => {
                    self.comments.push(comment);
                    continue;
                }
                Some(LogLine::Bad(bad_line)) => {
                    self.listener.bad_line(&self.name, &bad_line);
                    if self.first_bad_lines.len() < BAD_LINES_KEPT {
                        self.first_bad_lines.push(format!("{}:{bad_line}", self.name));
                    }
                    self.bad_lines += 1;
                    continue;
                }
                None => return self.conclude().map(|()| None),
            };
            self.jobs += 1;
            self.listener.job();
            return Ok(Some(job));
        }
    }

    fn next_record(&mut self) -> Result<Option<SwfRecord>, LogError> {
        while let Some(job) = self.next_job()? {
            let line = match job {
                LoggedJob::Line(line) => Some(line),
                LoggedJob::Record(record) => self.reader.line_of(&record),
            };
            if line.is_some() {
                return Ok(line);
            }
        }
        Ok(None)
    }

    /// At the end of the file. One in which nothing is a job is not a log, and is not taken for an empty one.
    fn conclude(&mut self) -> Result<(), LogError> {
        self.listener.end(&self.name, &self.reader.left_out());
        if self.jobs == 0 && self.bad_lines > 0 {
            return Err(LogError::NotALog { name: self.name.clone(), format: self.reader.format() });
        }
        Ok(())
    }
}

impl Iterator for TraceSource {
    type Item = Result<SwfRecord, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}
