//! `qcast trace`: look at, recognise, clean, cut and convert workload logs.

mod catalogue;
mod clean;
mod convert;
mod cut;
mod info;
pub mod sink;

use clap::{Args, Subcommand};

use crate::failure::Failure;

/// The arguments of `qcast trace`.
#[derive(Debug, Args)]
pub struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(Debug, Subcommand)]
enum TraceCommand {
    /// Describe a log: its size, load, distributions and which fields it knows.
    Info(info::InfoArgs),
    /// Say what is known of well-known logs, or which of them a file is, by its hash.
    Catalogue(catalogue::CatalogueArgs),
    /// Leave out jobs that are not fit for replay or evaluation.
    Clean(clean::CleanArgs),
    /// Take a part of a log, by place in order of submission or by time.
    Cut(cut::CutArgs),
    /// Rewrite a log, packed or unpacked, in canonical form.
    Convert(convert::ConvertArgs),
}

/// Runs the subcommand.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    match &arguments.command {
        TraceCommand::Info(arguments) => info::run(arguments),
        TraceCommand::Catalogue(arguments) => catalogue::run(arguments),
        TraceCommand::Clean(arguments) => clean::run(arguments),
        TraceCommand::Cut(arguments) => cut::run(arguments),
        TraceCommand::Convert(arguments) => convert::run(arguments),
    }
}
