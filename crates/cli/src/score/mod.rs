//! `qcast score`: how good the forecasts were that the daemon gave, beside Slurm's own plans.
//!
//! Not for: scoring forecasters on a log (`qcast wait`); the judging itself is the daemon's.

mod result;

use clap::Args;
use queuecast_api::route;
use queuecast_api::score::ScoreResponse;

use self::result::ScoreResult;
use crate::ask::clusters::AskedArgs;
use crate::failure::Failure;
use crate::output::{self, FormatArgs};

/// The arguments of `qcast score`.
#[derive(Debug, Args)]
pub struct ScoreArgs {
    #[command(flatten)]
    service: AskedArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs `qcast score`.
pub fn run(arguments: &ScoreArgs) -> Result<(), Failure> {
    let answer: ScoreResponse = arguments.service.connect_to_daemon()?.get(route::SCORE)?.read()?;
    output::print_answer(&ScoreResult::new(answer), arguments.format.format)
}
