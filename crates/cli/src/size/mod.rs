//! `qcast size`: on how many nodes or CPUs a job would end soonest, waiting and running taken together.
//!
//! For: what centres tell users not to try to compute. How much faster the job is on more is given, or learnt by the daemon from the
//! user's own earlier runs by the same name.
//!
//! Not for: forecasting; measuring speedups.

mod words;

use std::process::ExitCode;

use clap::Args;
use queuecast_api::route;
use queuecast_api::size::{SizesRequest, SizesResponse};

use crate::ask::clusters::AskedArgs;
use crate::ask::flat::csv;
use crate::ask::inert::{inert, inert_json};
use crate::ask::subject::{Subject, SubjectArgs, limit_seconds};
use crate::ask::zone::Zone;
use crate::ask::{NO_FORECAST, print};
use crate::failure::Failure;
use crate::output::Format;

/// The arguments of `qcast size`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 if there is a forecast, 3 if the daemon does not answer, 5 if there is no forecast."
)]
pub struct SizeArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Speedup of the job on more nodes or CPUs [default: learnt from your completed jobs with the same --job-name].
    ///
    /// Either amdahl:F, where F is the serial fraction, or downey:A=64,sigma=0.5, or run times by size as table:1=100,2=55,4=30.
    #[arg(long, value_name = "LAW")]
    speedup: Option<String>,
    /// Run time at the requested size, in the forms of --time [default: the run times of similar past jobs].
    #[arg(long, value_name = "TIME")]
    run: Option<String>,
    /// Compare only these sizes: numbers of nodes or CPUs, separated by commas.
    #[arg(long, value_name = "COUNTS", value_delimiter = ',')]
    sizes: Vec<u32>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Runs `qcast size`.
pub fn run(arguments: &SizeArgs) -> Result<ExitCode, Failure> {
    let zone = Zone::local();
    let (job, called) = match arguments.subject.read("size", &zone)? {
        Subject::Hypothetical { question, called } => (question, called),
        Subject::Existing { id, .. } => {
            return Err(Failure::usage(format_args!(
                "job {id} is already submitted; qcast size compares sizes before that"
            ))
            .with_hint("pass the job script or job options"));
        }
    };
    let run_seconds = arguments.run.as_deref().map(|written| {
        limit_seconds(written).ok_or_else(|| {
            Failure::usage(format_args!("invalid value for --run: {}", inert(written)))
                .with_hint("use minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm or d-hh:mm:ss, as for sbatch --time")
        })
    });
    let question = SizesRequest {
        job,
        speedup: arguments.speedup.clone(),
        run_seconds: run_seconds.transpose()?,
        sizes: arguments.sizes.clone(),
    };
    let service = arguments.service.connect()?;
    let answer = service.post(route::SIZE, &question)?;
    let read: SizesResponse = answer.read()?;
    print(&match arguments.format {
        Format::Table => words::told(&read, &called, &zone),
        Format::Json => inert_json(answer.text.trim_end()),
        Format::Csv => csv(&answer.text, Some("sizes"))?,
    })?;
    Ok(if read.no_forecast.is_some() { ExitCode::from(NO_FORECAST) } else { ExitCode::SUCCESS })
}
