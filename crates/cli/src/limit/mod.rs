//! `qcast limit`: which time limit to ask for, what each risks and what it buys.
//!
//! For: people who ask for ten times what they need so as not to be killed. The answer is the daemon's; in here is how it reads.
//!
//! Not for: the advice itself (`queuecast-forecast`, `limit`); changing anything in Slurm.

mod words;

use std::process::ExitCode;

use clap::Args;
use queuecast_api::limit::LimitResponse;
use queuecast_api::route;

use crate::ask::clusters::AskedArgs;
use crate::ask::flat::csv;
use crate::ask::inert::inert_json;
use crate::ask::subject::{Subject, SubjectArgs};
use crate::ask::zone::Zone;
use crate::ask::{NO_FORECAST, not_modelled, print};
use crate::failure::{Failure, say};
use crate::output::Format;

/// The arguments of `qcast limit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --time, the advice assumes the time limit that Slurm sets by default. With --user alone, the advice covers \
                  all past jobs of that user.\n\
                  Exit status: 0 if there is advice, 3 if the daemon does not answer or the job is unknown, 5 if there is no advice."
)]
pub struct LimitArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Maximum risk, in per cent, that a job like this one is killed at the suggested time limit.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    risk: f64,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Runs `qcast limit`.
pub fn run(arguments: &LimitArgs) -> Result<ExitCode, Failure> {
    let zone = Zone::local();
    let subject = arguments.subject.read("limit", &zone)?;
    let service = arguments.service.connect_patiently()?;
    let answer = match &subject {
        Subject::Existing { id, .. } => service.get(&route::of_job(route::JOB_LIMIT, id))?,
        Subject::Hypothetical { question, .. } => service.post(route::LIMIT, question)?,
    };
    let read: LimitResponse = answer.read()?;
    let chosen = read.choices.iter().rfind(|choice| choice.max_risk <= arguments.risk / 100.0 + 1e-9);
    if chosen.is_none() && !read.choices.is_empty() {
        let least = read.choices.first().map_or(0.0, |choice| 100.0 * choice.max_risk);
        return Err(Failure::usage(format_args!("--risk {} is below the smallest supported risk", arguments.risk))
            .with_hint(format!("use --risk {least} or more, or keep your time limit")));
    }
    if let Some(left_out) = not_modelled(&read.said.not_modelled) {
        say(left_out);
    }
    print(&match arguments.format {
        Format::Table => words::told(&read, chosen, subject.called(), &zone),
        Format::Json => inert_json(answer.text.trim_end()),
        Format::Csv => csv(&answer.text, Some("choices"))?,
    })?;
    Ok(if read.no_forecast.is_some() { ExitCode::from(NO_FORECAST) } else { ExitCode::SUCCESS })
}
