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
use queuecast_api::size::{WidthsAnswer, WidthsQuestion};

use crate::ask::clusters::AskedArgs;
use crate::ask::flat::csv;
use crate::ask::inert::{inert, inert_json};
use crate::ask::subject::{Subject, SubjectArgs, limit_seconds};
use crate::ask::zone::Zone;
use crate::ask::{NO_ESTIMATE, print};
use crate::failure::Failure;
use crate::output::Format;

/// The arguments of `qcast size`.
#[derive(Debug, Args)]
#[command(after_help = "Ends with 0 if there is an answer, with 5 if there is none, with 3 if nobody answers.")]
pub struct SizeArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// How much faster it is on more: amdahl:F (the serial fraction), downey:A=64,sigma=0.5, or run times by width as
    /// table:1=100,2=55,4=30 [default: learnt from your completed runs by the same --job-name].
    #[arg(long, value_name = "LAW")]
    speedup: Option<String>,
    /// How long it runs on the width it asks for, as for --time [default: as long as such jobs did].
    #[arg(long, value_name = "TIME")]
    run: Option<String>,
    /// Only these widths.
    #[arg(long, value_name = "COUNTS", value_delimiter = ',')]
    widths: Vec<u32>,
    /// How to print the answer.
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
        Subject::Existing { .. } => {
            return Err(Failure::usage("how wide a job should be is asked before it is submitted")
                .with_hint("name its script or its options"));
        }
    };
    let run_seconds = arguments.run.as_deref().map(|written| {
        limit_seconds(written).ok_or_else(|| {
            Failure::usage(format_args!("--run {} is not understood", inert(written)))
                .with_hint("minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm or d-hh:mm:ss, as for sbatch --time")
        })
    });
    let question = WidthsQuestion {
        job,
        speedup: arguments.speedup.clone(),
        run_seconds: run_seconds.transpose()?,
        widths: arguments.widths.clone(),
    };
    let service = arguments.service.connect()?;
    let answer = service.post(route::SIZE, &question)?;
    let read: WidthsAnswer = answer.read()?;
    print(&match arguments.format {
        Format::Table => words::told(&read, &called, &zone),
        Format::Json => inert_json(answer.text.trim_end()),
        Format::Csv => csv(&answer.text, Some("widths"))?,
    })?;
    Ok(if read.no_estimate.is_some() { ExitCode::from(NO_ESTIMATE) } else { ExitCode::SUCCESS })
}
