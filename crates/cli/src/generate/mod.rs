//! `qcast generate`: workloads and estimates that are made up.

mod estimates;
mod lublin;

use clap::{Args, Subcommand};

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
    /// Users' limits by the model of Tsafrir, Etsion and Feitelson, for a log that has none or whose own are to be
    /// replaced.
    Estimates(estimates::EstimatesArgs),
}

/// Runs the subcommand.
pub fn run(arguments: &GenerateArgs) -> Result<(), Failure> {
    match &arguments.model {
        Model::Lublin(arguments) => lublin::run(arguments),
        Model::Estimates(arguments) => estimates::run(arguments),
    }
}
