//! `qcast backtest`: what the daemon would have said of jobs that are over, in the order in which they came, from a log or an export
//! of accounting alone.
//!
//! For: administrators, before they install anything. So far limits: how many jobs advised limits would have killed, and how
//! much shorter they are than what users asked for.
//!
//! Not for: comparing methods (`qcast predict`, `qcast wait`).

mod result;

use clap::Args;
use queuecast_evaluate::limit::LimitScores;
use queuecast_forecast::limit::{LimitDesk, replay_limits};
use queuecast_predict::distribution::{WeightedHistory, WeightedHistoryParameters};

use self::result::BacktestResult;
use crate::failure::{Failure, say};
use crate::input::source::SourceArgs;
use crate::input::whole::WholeTrace;
use crate::output::{self, FormatArgs, grouped};

/// The arguments of `qcast backtest`.
#[derive(Debug, Args)]
pub struct BacktestArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// How many jobs in a hundred may be killed at the limits advised; repeat it for several.
    #[arg(long = "risk", value_name = "PER_CENT", default_values_t = [1.0, 5.0], value_parser = parse_risk)]
    risks_percent: Vec<f64>,
    /// Count only the jobs after this place in the order of submission; those before only teach [default: a hundredth of them].
    #[arg(long, value_name = "PLACE")]
    from: Option<u64>,
    #[command(flatten)]
    format: FormatArgs,
}

fn parse_risk(text: &str) -> Result<f64, String> {
    let risk = text.parse().ok().filter(|risk| (0.01..=50.0).contains(risk));
    risk.ok_or_else(|| "a risk is a number of jobs in a hundred, from 0.01 to 50".to_owned())
}

/// Runs the subcommand.
pub fn run(arguments: &BacktestArgs) -> Result<(), Failure> {
    let WholeTrace { name, mut jobs, dropped } = WholeTrace::read(&arguments.source)?;
    let waits_unknown = jobs.iter().filter(|job| job.recorded.wait.is_none()).count() as u64;
    let limited = jobs.iter().filter(|job| job.submission.limit.is_some()).count() as u64;
    let from = arguments.from.unwrap_or(limited / 100);
    if from >= limited {
        let message = format!("{name}: {limited} jobs have a limit, and none is left to be counted");
        return Err(
            Failure::usage(message).with_hint("a log without limits says nothing of limits; or give a lower --from")
        );
    }
    let risks: Vec<f64> = arguments.risks_percent.iter().map(|percent| percent / 100.0).collect();
    let mut history = WeightedHistory::new(WeightedHistoryParameters::default());
    let mut desk = LimitDesk::new(&risks);
    let mut scores = LimitScores::new(desk.accepted().collect::<Vec<_>>().into_iter(), from);
    replay_limits(&mut jobs, &mut history, &mut desk, &mut scores);
    if waits_unknown > 0 {
        say(format_args!("{} jobs without a wait in the log: taken to have started at once", grouped(waits_unknown)));
    }
    let result = BacktestResult { trace: name, dropped, limits: scores.summaries() };
    output::print(&result, arguments.format.format)
}
