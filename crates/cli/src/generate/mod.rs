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
    /// Rigid jobs by the model of Lublin and Feitelson: sizes, run times and a daily cycle of arrivals.
    Lublin(lublin::LublinArgs),
    /// A log's users put together anew, for as long and with as much load as is wanted, after Zakay and Feitelson.
    Resample(resample::ResampleArgs),
    /// Downey's jobs, of which each could run on any number of processors, as rigid jobs.
    Downey(downey::DowneyArgs),
    /// Users' limits by the model of Tsafrir, Etsion and Feitelson, for a log that has none or whose own are to be
    /// replaced.
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
