//! A log as the subcommands write it: header, comments and jobs, and a word at the end on what was written.

use std::path::PathBuf;

use clap::Args;
use queuecast_workload::files::Output;
use queuecast_workload::swf::{Comment, SwfHeader, SwfRecord, SwfWriter};

use crate::failure::{Failure, OnSide, say};
use crate::output::grouped;

/// The log to write.
#[derive(Clone, Debug, Args)]
pub struct SinkArgs {
    /// Log to write, compressed if the name ends in .gz or .zst; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl SinkArgs {
    /// Creates the file, with nothing in it.
    pub fn create(&self) -> Result<TraceSink, Failure> {
        let output = Output::create(&self.output).writing()?;
        Ok(TraceSink { writer: SwfWriter::new(output), name: self.output.display().to_string(), jobs: 0 })
    }

    /// Whether the log goes to standard output, which then has no place for anything else.
    pub fn is_standard_output(&self) -> bool {
        self.output.as_os_str() == "-"
    }
}

/// A log being written. It appears under its name when it is finished.
pub struct TraceSink {
    writer: SwfWriter<Output>,
    name: String,
    jobs: u64,
}

impl TraceSink {
    /// Writes the header.
    pub fn write_header(&mut self, header: &SwfHeader) -> Result<(), Failure> {
        self.writer.write_header(header).writing()
    }

    /// Writes comments.
    pub fn write_comments(&mut self, comments: &[Comment]) -> Result<(), Failure> {
        comments.iter().try_for_each(|comment| self.writer.write_comment(comment)).writing()
    }

    /// Writes a job.
    pub fn write_record(&mut self, record: &SwfRecord) -> Result<(), Failure> {
        self.jobs += 1;
        self.writer.write_record(record).writing()
    }

    /// Completes the file and says so.
    pub fn finish(self) -> Result<(), Failure> {
        self.writer.into_inner().finish().writing()?;
        if self.name != "-" {
            say(format_args!("{}: {} jobs written", self.name, grouped(self.jobs)));
        }
        Ok(())
    }
}
