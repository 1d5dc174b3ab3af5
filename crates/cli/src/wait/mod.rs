//! `qcast wait`: how good a wait-time forecaster would have been on a log, job by job as it happened.
//!
//! Two regimes, never mixed: the log's own waits, where nobody knows the site's policy, and the waits that a known policy
//! gives the same jobs.

mod details;
mod method;
mod page;
mod result;
mod timed;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use queuecast_evaluate::wait::{WaitScores, with_simulated_waits};
use queuecast_evaluate::{Configuration, comparable_jobs};
use queuecast_forecast::{MethodContext, MethodSpecification, replay_waits};
use queuecast_logs::{Dropped, WholeTrace};
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_workload::{Machine, TracedJob};

use self::details::ForecastRows;
use self::method::Method;
use self::result::{MethodResult, Scored, WaitResult};
use self::timed::Timed;
use crate::details::DetailsArgs;
use crate::failure::{Failure, say};
use crate::input::nothing_left;
use crate::input::progress::{Progress, Unit};
use crate::input::source::{MachineArgs, SourceArgs};
use crate::output::{self, FormatArgs, grouped};
use crate::page::PageWriter;
use crate::provenance::Provenance;

/// The arguments of `qcast wait`.
#[derive(Debug, Args)]
pub struct WaitArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Wait-time forecasters to compare.
    #[arg(long = "method", value_name = "METHOD", default_values = ["pooled"], help = method_help())]
    methods: Vec<Method>,
    /// Wait times to forecast: `log` for the recorded ones, or a policy, such as easy, to simulate them with the users' limits.
    #[arg(long, value_name = "log|POLICY", default_value = "log")]
    waits: Waits,
    /// First job to score, counted from 1 in order of submission; earlier jobs are for training [default: after the first
    /// hundredth].
    #[arg(long, value_name = "POSITION", value_parser = clap::value_parser!(u64).range(1..))]
    from: Option<u64>,
    /// Last job to score, counted from 1 in order of submission [default: the last job].
    #[arg(long, value_name = "POSITION", value_parser = clap::value_parser!(u64).range(1..))]
    to: Option<u64>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Number of simulations per forecast, for methods that simulate the queue.
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    simulations: u32,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    details: DetailsArgs,
    /// Omit timings from the result, so that repeated runs print identical output.
    #[arg(long)]
    no_timing: bool,
    /// File for a report with plots, as one self-contained HTML page.
    #[arg(long, value_name = "FILE", visible_alias = "report")]
    html: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

fn method_help() -> String {
    format!("{}, exec:PROGRAM (docs/guides/own-methods.md)", MethodSpecification::HELP)
}

/// Whose waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    Log,
    Simulated(PolicySpecification),
}

impl FromStr for Waits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "log" {
            return Ok(Self::Log);
        }
        text.parse().map(Self::Simulated).map_err(|error| format!("{error}, or log"))
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log => f.write_str("log"),
            Self::Simulated(policy) => policy.fmt(f),
        }
    }
}

/// Runs the subcommand.
pub fn run(arguments: &WaitArgs) -> Result<(), Failure> {
    arguments.methods.iter().try_for_each(Method::require)?;
    let source = arguments.source.open()?;
    let used = arguments.machine.machine_for_replay(&source)?;
    let WholeTrace { name, jobs, dropped } = WholeTrace::load(source)?;
    let machine = used.machine();
    let (mut jobs, dropped) = arguments.with_waits(&name, jobs, dropped, machine)?;
    let from = arguments.from.map_or(jobs.len() as u64 / 100, |place| place - 1);
    let to = arguments.to.unwrap_or(jobs.len() as u64).min(jobs.len() as u64);
    if from >= to {
        let message = format!("{name}: none of the {} usable jobs is between --from and --to", jobs.len());
        return Err(Failure::usage(message));
    }
    // Nobody who comes later changes what is said of them.
    jobs.truncate(usize::try_from(to).unwrap_or(usize::MAX));
    let writer = arguments.html.as_deref().map(PageWriter::create).transpose()?;
    let mut details = arguments.details.create(&details::COLUMNS)?;
    let policy = match arguments.waits {
        Waits::Log => None,
        Waits::Simulated(policy) => Some(policy),
    };
    let mut progress = Progress::of_many(Unit::Forecasts, (jobs.len() * arguments.methods.len()) as u64);
    let forecast = |method: &Method| {
        let context =
            MethodContext { machine, policy, futures: arguments.simulations, seed: arguments.seed, jobs: &jobs };
        let mut timed = Timed::new(method.build(&context));
        let mut scores = WaitScores::new(from, to);
        let name = method.to_string();
        let mut rows = details.as_mut().map(|details| ForecastRows { details, method: &name, jobs: &jobs, from, to });
        let heard = jobs.iter().copied().inspect(|_| progress.advance());
        replay_waits(heard, machine, &mut timed, &mut (&mut scores, &mut rows));
        Scored { method: method.clone(), scores, timing: (!arguments.no_timing).then(|| timed.latency(from, to)) }
    };
    let scored: Vec<Scored> = arguments.methods.iter().map(forecast).collect();
    progress.finish();
    let methods = scored.iter().map(|method| MethodResult::new(method, &scored, arguments.seed)).collect();
    let waits = arguments.waits.to_string();
    let result = WaitResult { trace: name, machine: used, waits, seed: arguments.seed, dropped, methods };
    let log = arguments.source.log_read().on(used.processors).without(dropped);
    let provenance = Provenance::of_this_command().with_seed(arguments.seed).with_log(log);
    details.map(|details| details.finish(&provenance)).transpose()?;
    // The page first: whoever reads standard output may stop, and the page should be there nevertheless.
    if let Some(writer) = writer {
        writer.write(&page::html(arguments, &result, &provenance))?;
    }
    output::print(&result, &provenance, arguments.format.format)
}

impl WaitArgs {
    /// The jobs that have a wait, and what was left out.
    fn with_waits(
        &self,
        name: &str,
        jobs: Vec<TracedJob>,
        dropped: Dropped,
        machine: Machine,
    ) -> Result<(Vec<TracedJob>, Dropped), Failure> {
        match self.waits {
            Waits::Log => {
                let before = jobs.len();
                let jobs: Vec<TracedJob> = jobs.into_iter().filter(|job| job.recorded.wait.is_some()).collect();
                let missing = grouped((before - jobs.len()) as u64);
                if jobs.is_empty() {
                    let hint = "simulate the wait times with a policy: --waits easy";
                    return Err(nothing_left(name, &format!("{missing} without a recorded wait time"), hint));
                }
                if jobs.len() < before {
                    say(format_args!("warning: {missing} jobs left out: no wait time in the log"));
                }
                Ok((jobs, dropped))
            }
            Waits::Simulated(policy) => {
                let configuration = Configuration::new(machine, policy, PredictorSpecification::Estimate);
                let (jobs, left_out) = comparable_jobs(jobs, std::slice::from_ref(&configuration));
                let dropped = dropped.and(left_out).leaving(jobs.len() as u64, name)?;
                Ok((with_simulated_waits(&configuration, &jobs), dropped))
            }
        }
    }
}
