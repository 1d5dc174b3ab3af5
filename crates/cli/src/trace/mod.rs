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
    /// Describe a log: size, load, distributions and known fields.
    Info(info::InfoArgs),
    /// List well-known logs, or identify a file by its hash.
    Catalogue(catalogue::CatalogueArgs),
    /// Remove jobs that are not usable for replay or evaluation.
    Clean(clean::CleanArgs),
    /// Extract a part of a log, by job position or by time.
    Cut(cut::CutArgs),
    /// Rewrite a log in canonical form, compressed or not.
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
