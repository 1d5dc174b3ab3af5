//! `qcast generate`: workloads and estimates that are made up.

mod downey;
mod estimates;
mod lublin;
mod resample;

use clap::{Args, Subcommand};
use queuecast_workload::Machine;
use queuecast_workload::swf::SwfHeader;

use crate::failure::Failure;

/// The arguments of `qcast generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(subcommand)]
    model: Model,
}

#[derive(Debug, Subcommand)]
enum Model {
    /// Generate rigid jobs with the model of Lublin and Feitelson.
    ///
    /// The model covers sizes, run times and a daily cycle of arrivals.
    Lublin(lublin::LublinArgs),
    /// Resample the users of a log to any length and load, after Zakay and Feitelson.
    Resample(resample::ResampleArgs),
    /// Generate Downey's mouldable jobs as rigid jobs.
    Downey(downey::DowneyArgs),
    /// Add or replace the time limits of a log, with the model of Tsafrir, Etsion and Feitelson.
    Estimates(estimates::EstimatesArgs),
}

/// Runs the subcommand.
pub fn run(arguments: &GenerateArgs) -> Result<(), Failure> {
    match &arguments.model {
        Model::Lublin(arguments) => lublin::run(arguments),
        Model::Resample(arguments) => resample::run(arguments),
        Model::Downey(arguments) => downey::run(arguments),
        Model::Estimates(arguments) => estimates::run(arguments),
    }
}

/// The header of a log of no real machine; how it was made is still to be said.
fn made_up(machine: Machine) -> SwfHeader {
    let mut header = SwfHeader::default();
    header.set_directive("Computer", &format!("made up by qcast {}", env!("CARGO_PKG_VERSION")));
    header.set_directive("MaxProcs", &machine.processors.to_string());
    header
}
