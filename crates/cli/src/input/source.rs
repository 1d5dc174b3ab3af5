//! Which log a subcommand reads, as the command line says it.
//!
//! Not for: reading it ([`TraceSource`]).

use std::path::{Path, PathBuf};

use clap::Args;
pub use queuecast_logs::{LoggedJob, TraceSource};
use queuecast_slurm::text::UtcOffset;
use queuecast_workload::Machine;
use queuecast_workload::files::Input;
use queuecast_workload::swf::SwfHeader;

use super::problems::ProblemLimit;
use super::terminal::Terminal;

use crate::failure::{Failure, OnSide};

/// The logs to read.
#[derive(Clone, Debug, Args)]
pub struct SourcesArgs {
    /// The logs, in Standard Workload Format or as `sacct -P` or PBS's accounting writes them, plain or packed with gzip or zstd; -
    /// for standard input.
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
        self.files.iter().map(|file| self.export.open(file, Some(self.problems))).collect()
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

impl ExportArgs {
    /// Opens a log and reads its header; the terminal shows how far it is and so many bad lines, or is silent about them.
    pub fn open(self, path: &Path, problems: Option<ProblemLimit>) -> Result<TraceSource, Failure> {
        let input = Input::open(path).reading()?;
        let terminal = Terminal::new(&input, problems);
        Ok(TraceSource::read(input, self.utc_offset, Box::new(terminal))?)
    }
}

/// The log to read.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// The log, in Standard Workload Format or as `sacct -P` or PBS's accounting writes it, plain or packed with gzip or zstd; -
    /// for standard input.
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
        self.export.open(&self.file, Some(self.problems))
    }

    /// Opens a log that has been read before: its bad lines are known.
    pub fn open_again(&self) -> Result<TraceSource, Failure> {
        self.export.open(&self.file, None)
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
