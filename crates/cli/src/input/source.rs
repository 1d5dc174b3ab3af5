//! Which log a subcommand reads, as the command line says it.
//!
//! Not for: reading it ([`TraceSource`]).

use std::path::{Path, PathBuf};

use clap::Args;
pub use queuecast_logs::{LoggedJob, TraceSource};
use queuecast_logs::{MachineSize, SizeFrom};
use queuecast_slurm::text::UtcOffset;
use queuecast_workload::Machine;
use queuecast_workload::files::Input;
use serde::Serialize;

use super::problems::ProblemLimit;
use super::terminal::Terminal;

use crate::failure::{Failure, OnSide, say};
use crate::output::grouped;
use crate::provenance::LogRead;

/// The logs to read.
#[derive(Clone, Debug, Args)]
pub struct SourcesArgs {
    /// Workload logs: Standard Workload Format, exports of `sacct -P` or PBS accounting logs; - is standard input.
    ///
    /// The files may be compressed with gzip or zstd.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Maximum number of bad lines to report for each log, or `all`.
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
    /// UTC offset of the local times in an export of sacct, such as +01:00.
    ///
    /// The offset is not needed for exports made with `SLURM_TIME_FORMAT=%s`.
    #[arg(long, value_name = "OFFSET", allow_hyphen_values = true)]
    utc_offset: Option<UtcOffset>,
}

impl ExportArgs {
    /// Opens a log and reads its header; the terminal shows how far it is and so many bad lines, or is silent about them.
    pub fn open(self, path: &Path, problems: Option<ProblemLimit>) -> Result<TraceSource, Failure> {
        let input = Input::open(path).reading()?;
        let terminal = Terminal::new(&input, problems);
        Ok(TraceSource::read(input, self.utc_offset, Box::new(terminal))?.recognised(path)?)
    }
}

/// The log to read.
#[derive(Clone, Debug, Args)]
pub struct SourceArgs {
    /// Workload log: Standard Workload Format, export of `sacct -P` or PBS accounting log; - is standard input.
    ///
    /// The file may be compressed with gzip or zstd.
    file: PathBuf,
    /// Maximum number of bad lines to report, or `all`.
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

    /// The log, for the provenance of what comes of it.
    pub fn log_read(&self) -> LogRead {
        LogRead::new(&self.file)
    }

    /// Whether the log is a file, which can be read again, and not a pipe.
    pub fn is_file(&self) -> bool {
        self.file.is_file()
    }
}

/// The size of the machine, where the log does not say or says it wrongly.
#[derive(Clone, Copy, Debug, Args)]
pub struct MachineArgs {
    /// Number of processors of the machine [default: from the catalogue, or from `MaxProcs` in the log's header].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub processors: Option<u32>,
}

/// The machine a result is about, who says how large it is, and which log of the catalogue was read.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MachineUsed {
    /// Its size.
    pub processors: u32,
    /// Who says so.
    pub processors_from: SizeFrom,
    /// The log's name in the catalogue, if it is known by its hash.
    pub known_log: Option<&'static str>,
}

impl MachineUsed {
    /// The machine.
    pub fn machine(self) -> Machine {
        Machine { processors: self.processors }
    }

    /// For people: the size, and who says so where the log does not.
    pub fn in_words(self) -> String {
        let processors = grouped(self.processors);
        match self.processors_from {
            SizeFrom::Catalogue => format!("{processors}, by the catalogue"),
            SizeFrom::Option | SizeFrom::Header => processors,
        }
    }
}

impl MachineArgs {
    /// The machine of this option, or else the one this log ran on.
    pub fn machine(self, source: &TraceSource) -> Option<MachineUsed> {
        let by_option =
            self.processors.map(|processors| MachineSize { machine: Machine { processors }, from: SizeFrom::Option });
        let size = by_option.or_else(|| source.machine_size())?;
        Some(MachineUsed {
            processors: size.machine.processors,
            processors_from: size.from,
            known_log: source.known().map(|log| log.name),
        })
    }

    /// The machine to replay this log on, which must be known. Whoever replays a known log is told that there are traps.
    pub fn machine_for_replay(self, source: &TraceSource) -> Result<MachineUsed, Failure> {
        if let Some(log) = source.known().filter(|log| !log.traps.is_empty()) {
            let (file, name, traps) = (source.name(), log.name, log.traps.len());
            let things = if traps == 1 { "problem" } else { "problems" };
            say(format_args!(
                "note: {file} is {name}, which has {traps} known {things}: see `qcast trace catalogue {file}`"
            ));
        }
        self.machine(source).ok_or_else(|| {
            let name = source.name();
            Failure::usage(format_args!(
                "{name}: unknown number of processors: the header contains no MaxProcs or MaxNodes"
            ))
            .with_hint("set the number of processors with --processors")
        })
    }
}
