//! `qcast`, the command: a table of contents. Each subcommand has its own file.
//!
//! For: turning words on a command line into calls of the crates, and what they return into tables, JSON or CSV.
//!
//! Not for: anything that could be asked of a library.
//!
//! Data goes to standard output, everything else to standard error. Exit codes:
//!
//! | code | meaning |
//! |------|---------|
//! | 0 | success, also if the reader of standard output stops reading |
//! | 1 | a requested check failed |
//! | 2 | wrong usage |
//! | 3 | the input cannot be read or contains no usable jobs; the daemon does not answer, or the job is unknown |
//! | 4 | the output cannot be written; `qcast notify`: the message was not delivered |
//! | 5 | `qcast when`, `limit`, `where`, `size`, `why`: the daemon answered without a forecast |
//! | 6 | the daemon has just started and is not ready yet; retry after the time in the message |
//! | 7 | a program named with `exec:` cannot be started, answers too late or answers incorrectly; a library that a method needs (libsvm) is missing |

mod allocate;
mod ask;
mod backtest;
mod compare;
mod config;
mod details;
mod doctor;
mod failure;
mod generate;
mod help;
mod input;
mod limit;
mod manual;
mod meta;
mod notify;
mod options;
mod output;
mod page;
mod places;
mod predict;
mod provenance;
mod queue;
mod reproduce;
mod score;
mod search;
mod serve;
mod simulate;
mod size;
mod store;
mod top;
mod trace;
mod wait;
mod when;
mod why;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use ask::arguments::separated;
use ask::inert::inert;
use failure::{Failure, say};
use queuecast_exec::caught;

const EXIT_CODES: &str = "Exit codes:
  0  success, also if the reader of standard output stops reading
  1  a requested check failed
  2  wrong usage
  3  the input cannot be read or contains no usable jobs; the daemon does not answer, or the job is unknown
  4  the output cannot be written; qcast notify: the message was not delivered
  5  qcast when, limit, where, size, why: the daemon answered without a forecast
  6  the daemon has just started and is not ready yet; retry after the time in the message
  7  a program named with exec: cannot be started, answers too late or answers incorrectly; a library that a method needs (libsvm) is missing";

/// Forecasts when Slurm jobs will start, and simulates batch queues.
#[derive(Debug, Parser)]
#[command(name = "qcast", version = provenance::VERSION_TOLD, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Forecast when a job starts and ends, submitted or not.
    When(Box<when::WhenArgs>),
    /// Suggest a time limit, with its risk and its gain.
    Limit(Box<limit::LimitArgs>),
    /// Find the partition or cluster where a job would end first.
    Where(Box<places::WhereArgs>),
    /// Find the number of nodes or CPUs with which a job would end first.
    Size(Box<size::SizeArgs>),
    /// Show why a job is pending, and what would start it sooner.
    Why(Box<why::WhyArgs>),
    /// List the queue with forecasts, like `squeue --start`.
    Queue(Box<queue::QueueArgs>),
    /// Show the queue with forecasts, updated in the terminal.
    Top(Box<top::TopArgs>),
    /// Notify you when a job is about to start, and when it starts.
    Notify(Box<notify::NotifyArgs>),
    /// Show how accurate past forecasts were, compared with Slurm's.
    Score(score::ScoreArgs),
    /// Run the daemon, which polls Slurm and serves forecasts.
    Serve(Box<serve::ServeArgs>),
    /// Check and show the configuration of `qcast serve`.
    Config(Box<config::ConfigArgs>),
    /// Check the installation, and suggest how to fix problems.
    Doctor(Box<doctor::DoctorArgs>),
    /// Back up, check, compact and export the daemon's store.
    Store(store::StoreArgs),
    /// Test forecasts and suggested limits on past jobs.
    ///
    /// The forecasts are compared with Slurm's plans, simulated from the users' time limits.
    Backtest(Box<backtest::BacktestArgs>),
    /// Describe, identify, clean, cut and convert workload logs.
    Trace(trace::TraceArgs),
    /// Replay a log with one policy and one run-time predictor.
    Simulate(Box<simulate::SimulateArgs>),
    /// Compare policies and predictors on logs, with intervals.
    Compare(Box<compare::CompareArgs>),
    /// Score a run-time predictor on a log, without scheduling.
    Predict(Box<predict::PredictArgs>),
    /// Score wait-time forecasters on a log.
    ///
    /// The wait times are those recorded in the log, or those of a simulated policy.
    Wait(Box<wait::WaitArgs>),
    /// Simulate how jobs are distributed over several clusters.
    Meta(Box<meta::MetaArgs>),
    /// Find the template set that best predicts a log's run times.
    Search(Box<search::SearchArgs>),
    /// Compare strategies for choosing the size of mouldable jobs.
    Allocate(Box<allocate::AllocateArgs>),
    /// Generate a synthetic workload, or time limits for a log.
    Generate(generate::GenerateArgs),
    /// Reproduce the tables of a paper, next to the published values.
    Reproduce(reproduce::ReproduceArgs),
    /// Print a completion script for a shell.
    Completions(manual::CompletionsArgs),
    /// Write the manual pages.
    Man(manual::ManArgs),
}

impl Command {
    fn run(&self) -> Result<ExitCode, Failure> {
        let done = match self {
            Self::When(arguments) => return when::run(arguments),
            Self::Limit(arguments) => return limit::run(arguments),
            Self::Where(arguments) => return places::run(arguments),
            Self::Size(arguments) => return size::run(arguments),
            Self::Why(arguments) => return why::run(arguments),
            Self::Doctor(arguments) => return doctor::run(arguments),
            Self::Serve(arguments) => serve::run(arguments),
            Self::Config(arguments) => config::run(arguments),
            Self::Store(arguments) => store::run(arguments),
            Self::Queue(arguments) => queue::run(arguments),
            Self::Top(arguments) => top::run(arguments),
            Self::Notify(arguments) => notify::run(arguments),
            Self::Score(arguments) => score::run(arguments),
            Self::Backtest(arguments) => backtest::run(arguments),
            Self::Trace(arguments) => trace::run(arguments),
            Self::Simulate(arguments) => simulate::run(arguments),
            Self::Compare(arguments) => compare::run(arguments),
            Self::Predict(arguments) => predict::run(arguments),
            Self::Wait(arguments) => wait::run(arguments),
            Self::Search(arguments) => search::run(arguments),
            Self::Meta(arguments) => meta::run(arguments),
            Self::Allocate(arguments) => allocate::run(arguments),
            Self::Generate(arguments) => generate::run(arguments),
            Self::Reproduce(arguments) => reproduce::run(arguments),
            Self::Completions(arguments) => manual::complete(arguments),
            Self::Man(arguments) => manual::man(arguments),
        };
        done.map(|()| ExitCode::SUCCESS)
    }
}

fn main() -> ExitCode {
    let (words, mistaken) = separated(std::env::args_os().collect(), &Cli::command());
    if let Some(word) = mistaken {
        let word = inert(&word);
        say(format_args!(
            "warning: {word} comes after the script and is passed to the script, as for sbatch; put options before the script"
        ));
    }
    let matches = help::grouped(Cli::command()).get_matches_from(words);
    let command = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command;
    // Whatever asks a program unwinds to here if that fails.
    match caught(|| command.run()).map_err(Failure::from).and_then(|done| done) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
