//! `qcast why`: what holds a waiting job, and what would help.
//!
//! For: people whose job shows `Priority` or `Resources` and no more. Every effect is the daemon's, from futures played with and
//! without the change.
//!
//! Not for: forecasting; changing anything in Slurm.

mod words;

use std::process::ExitCode;

use clap::Args;
use queuecast_api::route;
use queuecast_api::why::WhyResponse;

use crate::ask::clusters::AskedArgs;
use crate::ask::flat::csv;
use crate::ask::inert::inert_json;
use crate::ask::subject::job_id;
use crate::ask::zone::Zone;
use crate::ask::{NO_FORECAST, print};
use crate::failure::Failure;
use crate::output::Format;

/// The arguments of `qcast why`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if there is an answer, 3 if the daemon does not answer or the job is unknown, 5 if there is no forecast."
)]
pub struct WhyArgs {
    /// Job ID as Slurm writes it: 1234, `123_4`.
    #[arg(value_name = "JOB")]
    job: String,
    #[command(flatten)]
    service: AskedArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs `qcast why`.
pub fn run(arguments: &WhyArgs) -> Result<ExitCode, Failure> {
    let id = job_id(&arguments.job)?;
    let service = arguments.service.connect_patiently()?;
    let answer = service.get(&route::of_job(route::JOB_WHY, &id))?;
    let read: WhyResponse = answer.read()?;
    print(&match arguments.format {
        Format::Table => words::told(&read, &arguments.job, &Zone::local()),
        Format::Json => inert_json(answer.text.trim_end()),
        Format::Csv => csv(&answer.text, Some("suggestions"))?,
    })?;
    Ok(if read.no_forecast.is_some() { ExitCode::from(NO_FORECAST) } else { ExitCode::SUCCESS })
}
