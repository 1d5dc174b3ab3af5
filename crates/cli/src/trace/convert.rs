//! `qcast trace convert`: the same log, packed otherwise and in canonical form.

use clap::Args;
use queuecast_workload::order::SubmissionOrder;

use super::sink::{SinkArgs, TraceSink};
use crate::failure::Failure;
use crate::input::source::{SourceArgs, TraceSource};

/// The arguments of `qcast trace convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    sink: SinkArgs,
    /// Sort the jobs by submission time, and within one second by job number.
    #[arg(long)]
    sort: bool,
}

/// Runs the subcommand.
pub fn run(arguments: &ConvertArgs) -> Result<(), Failure> {
    let mut source = arguments.source.open()?;
    let mut sink = arguments.sink.create()?;
    sink.write_header(source.header())?;
    if arguments.sort {
        copy_in_order(source, &mut sink)?;
    } else {
        while let Some(record) = source.next() {
            sink.write_comments(&source.take_comments())?;
            sink.write_record(&record?)?;
        }
        sink.write_comments(&source.take_comments())?;
    }
    sink.finish()
}

/// Comments have no place in another order; they are written before the jobs they were read with.
fn copy_in_order(source: TraceSource, sink: &mut TraceSink) -> Result<(), Failure> {
    let mut order = SubmissionOrder::new(source);
    let mut chunk = Vec::new();
    while order.next_chunk(&mut chunk)? {
        sink.write_comments(&order.source_mut().take_comments())?;
        chunk.iter().try_for_each(|record| sink.write_record(record))?;
    }
    sink.write_comments(&order.source_mut().take_comments())
}
