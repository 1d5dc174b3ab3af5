//! A log as the subcommands read it: its jobs one by one, bad lines reported on the way, progress shown.

use std::path::{Path, PathBuf};

use clap::Args;
use queuecast_records::JobRecord;
use queuecast_slurm::text::UtcOffset;
use queuecast_workload::Machine;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Comment, SwfHeader, SwfRecord};

use super::log::{LogLine, LogReader};
use super::problems::{ProblemLimit, Problems};
use super::progress::Progress;
use crate::failure::{Cause, Failure, OnSide};

const RECORDS_PER_TICK: u64 = 4096;

/// The logs to read.
#[derive(Clone, Debug, Args)]
pub struct SourcesArgs {
    /// The logs, in Standard Workload Format or as `sacct -P` writes them, plain or packed with gzip or zstd; - for
    /// standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How many bad lines of each log to report one by one: a number, or `all`.
    #[arg(long, value_name = "COUNT", default_value_t)]
    problems: ProblemLimit,
    #[command(flatten)]
    export: ExportArgs,
}

impl SourcesArgs {
    /// Opens the logs and reads their headers, so that a missing one is known before hours have passed.
    pub fn open(&self) -> Result<Vec<TraceSource>, Failure> {
        self.files.iter().map(|file| TraceSource::open(file, self.problems, self.export)).collect()
    }
}

/// What an export of sacct does not say of itself.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ExportArgs {
    /// How far local times in an export of sacct are ahead of UTC, such as +01:00. Not needed if it was made with
    /// `SLURM_TIME_FORMAT=%s`.
    #[arg(long, value_name = "OFFSET", allow_hyphen_values = true)]
    utc_offset: Option<UtcOffset>,
}

/// The log to read.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// The log, in Standard Workload Format or as `sacct -P` writes it, plain or packed with gzip or zstd; - for
    /// standard input.
    file: PathBuf,
    /// How many bad lines to report one by one: a number, or `all`.
    #[arg(long, value_name = "COUNT", default_value_t)]
    problems: ProblemLimit,
    #[command(flatten)]
    export: ExportArgs,
}

impl SourceArgs {
    /// This file, with so many bad lines reported.
    pub fn with(file: PathBuf, problems: ProblemLimit, export: ExportArgs) -> Self {
        Self { file, problems, export }
    }

    /// This file, with the usual number of bad lines reported.
    pub fn of(file: PathBuf) -> Self {
        Self { file, problems: ProblemLimit::default(), export: ExportArgs::default() }
    }

    /// Opens the log and reads its header.
    pub fn open(&self) -> Result<TraceSource, Failure> {
        TraceSource::open(&self.file, self.problems, self.export)
    }

    /// Opens a log that has been read before: its bad lines are known.
    pub fn open_again(&self) -> Result<TraceSource, Failure> {
        let mut source = self.open()?;
        source.problems = None;
        Ok(source)
    }

    /// Whether the log is a file, which can be read again, and not a pipe.
    pub fn is_file(&self) -> bool {
        self.file.is_file()
    }
}

/// The size of the machine, where the log does not say or says it wrongly.
#[derive(Clone, Copy, Debug, Args)]
pub struct MachineArgs {
    /// Processors of the machine, instead of `MaxProcs` in the log's header.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub processors: Option<u32>,
}

impl MachineArgs {
    /// The machine of this option or else of this header.
    pub fn machine(self, header: &SwfHeader) -> Option<Machine> {
        self.processors.or_else(|| header.max_procs()).map(|processors| Machine { processors })
    }

    /// The machine to replay this log on, which must be known.
    pub fn machine_for_replay(self, source: &TraceSource) -> Result<Machine, Failure> {
        self.machine(source.header()).ok_or_else(|| {
            let name = source.name();
            Failure::usage(format_args!(
                "{name}: the header has neither MaxProcs nor MaxNodes, so the size of the machine is not known"
            ))
            .with_hint("say how large the machine is with --processors")
        })
    }
}

/// A job as its log has it.
pub enum LoggedJob {
    /// A line of a log in Standard Workload Format.
    Line(SwfRecord),
    /// A record of Slurm's.
    Record(Box<JobRecord>),
}

/// A log being read. It iterates over the jobs; comments met on the way are put aside for
/// [`TraceSource::take_comments`], so that whoever writes them before the job just returned keeps their place.
#[derive(Debug)]
pub struct TraceSource {
    reader: LogReader,
    name: String,
    /// None if bad lines are passed over in silence.
    problems: Option<Problems>,
    progress: Progress,
    comments: Vec<Comment>,
    records: u64,
}

impl TraceSource {
    /// Opens a log and reads its header.
    pub fn open(path: &Path, problem_limit: ProblemLimit, export: ExportArgs) -> Result<Self, Failure> {
        let input = Input::open(path).reading()?;
        let name = input.name().to_owned();
        let progress = Progress::of(&input);
        let reader = LogReader::open(input, export.utc_offset)?;
        let problems = Some(Problems::new(problem_limit));
        Ok(Self { reader, name, problems, progress, comments: Vec::new(), records: 0 })
    }

    /// The file's name for messages.
    pub fn name(&self) -> &str {
        &self.name
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
        self.problems.as_ref().map_or(0, Problems::count)
    }

    /// The next job, as the log has it.
    pub fn next_job(&mut self) -> Result<Option<LoggedJob>, Failure> {
        loop {
            let job = match self.reader.next_line()? {
                Some(LogLine::Job(line)) => LoggedJob::Line(line),
                Some(LogLine::Record(record)) => LoggedJob::Record(record),
                Some(LogLine::Comment(comment)) => {
                    self.comments.push(comment);
                    continue;
                }
                Some(LogLine::Bad(bad_line)) => {
                    let Self { progress, problems, name, .. } = self;
                    if let Some(problems) = problems {
                        progress.step_aside(|| problems.add(name, &bad_line));
                    }
                    continue;
                }
                None => return self.conclude().map(|()| None),
            };
            self.records += 1;
            if self.records.is_multiple_of(RECORDS_PER_TICK) {
                self.progress.tick();
            }
            return Ok(Some(job));
        }
    }

    fn next_record(&mut self) -> Result<Option<SwfRecord>, Failure> {
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
    fn conclude(&mut self) -> Result<(), Failure> {
        self.progress.finish();
        if let Some(problems) = &self.problems {
            problems.conclude(&self.name);
            self.reader.conclude(&self.name);
        }
        if self.records == 0 && self.bad_lines() > 0 {
            let error = anyhow::anyhow!("{}: no {}", self.name, self.reader.format());
            return Err(Failure::new(Cause::Input, error));
        }
        Ok(())
    }
}

impl Iterator for TraceSource {
    type Item = Result<SwfRecord, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}
