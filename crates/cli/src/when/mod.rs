//! `qcast when`: when a job starts and ends, or would if it were submitted now.
//!
//! For: people on a login node. The answer is the daemon's; in here is how it reads.
//!
//! Not for: forecasting, nor asking Slurm, which is done for it where no daemon is (`ask::service`).
//!
//! Ends with 5 if the daemon answered and has no estimate. That a job has ended, when and how, is an answer.

pub mod words;

use std::process::ExitCode;

use clap::Args;
use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::route;

use crate::ask::clusters::AskedArgs;
use crate::ask::flat::csv;
use crate::ask::inert::inert_json;
use crate::ask::subject::{Subject, SubjectArgs};
use crate::ask::zone::Zone;
use crate::ask::{NO_FORECAST, print};
use crate::failure::Failure;
use crate::output::Format;

/// The arguments of `qcast when`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if there is a forecast or the job has ended, 3 if the daemon does not answer or the job is \
                  unknown, 5 if there is no forecast, 6 if the daemon is not ready yet."
)]
pub struct WhenArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Runs `qcast when`.
pub fn run(arguments: &WhenArgs) -> Result<ExitCode, Failure> {
    let zone = Zone::local();
    // First, because without a daemon Slurm is asked next: not for nothing.
    let subject = arguments.subject.read("when", &zone)?;
    let service = arguments.service.connect()?;
    let answer = match &subject {
        Subject::Existing { id, .. } => service.get(&route::of_job(route::JOB_FORECAST, id))?,
        Subject::Hypothetical { question, .. } => service.post(route::FORECAST, question)?,
    };
    let read: ForecastResponse = answer.read()?;
    print(&match arguments.format {
        Format::Table => words::sentences(&read, subject.called(), &zone).join("\n"),
        Format::Json => inert_json(answer.text.trim_end()),
        Format::Csv => csv(&answer.text, None)?,
    })?;
    let has_ended = read.state == StateResponse::Finished;
    Ok(if read.no_forecast.is_some() && !has_ended { ExitCode::from(NO_FORECAST) } else { ExitCode::SUCCESS })
}
