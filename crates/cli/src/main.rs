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
//! | 0 | done; also when whoever reads standard output stops reading |
//! | 1 | a check that was asked for did not hold |
//! | 2 | wrong usage |
//! | 3 | input could not be read, or no job of a log can be used; the daemon could not be asked, or knows no such job |
//! | 4 | output could not be written; `qcast notify`: nobody took the message |
//! | 5 | `qcast when`, `limit`, `where`, `size`, `why`: the daemon answered and has no estimate |
//! | 6 | the daemon has just begun and is not ready yet: try again in the seconds it names |
//! | 7 | a program named with `exec:` cannot be started, does not answer in time, or answers wrongly; a library that a method needs (libsvm) is not there |

mod allocate;
mod ask;
mod backtest;
mod compare;
mod config;
mod details;
mod doctor;
mod failure;
mod generate;
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

use clap::{CommandFactory, Parser, Subcommand};

use ask::arguments::separated;
use ask::inert::inert;
use failure::{Failure, say};
use queuecast_exec::caught;

const EXIT_CODES: &str = "Exit codes:
  0  done; also when whoever reads standard output stops reading
  1  a check that was asked for did not hold
  2  wrong usage
  3  input could not be read, or no job of a log can be used; the daemon could not be asked, or knows no such job
  4  output could not be written; qcast notify: nobody took the message
  5  qcast when, limit, where, size, why: the daemon answered and has no estimate
  6  the daemon has just begun and is not ready yet: try again in the seconds it names
  7  a program named with exec: cannot be started, does not answer in time, or answers wrongly; a library that a method needs (libsvm) is not there";

/// Forecasts and simulates the queues of batch clusters.
#[derive(Debug, Parser)]
#[command(name = "qcast", version = provenance::VERSION_TOLD, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Watch a Slurm cluster, forecast its queue, and answer whoever asks.
    Serve(Box<serve::ServeArgs>),
    /// Check and show what `qcast serve` would run with.
    Config(Box<config::ConfigArgs>),
    /// Try everything an installation needs, and say what to do.
    Doctor(Box<doctor::DoctorArgs>),
    /// Back up, check, compact and export what the daemon keeps.
    Store(store::StoreArgs),
    /// Say when a job starts and ends, or would if it were submitted now.
    When(Box<when::WhenArgs>),
    /// Say which time limit to ask for, what each risks and what it buys.
    Limit(Box<limit::LimitArgs>),
    /// Say in which partition, or on which cluster, a job would end soonest.
    Where(Box<places::WhereArgs>),
    /// Say on how many nodes or CPUs a job would end soonest, waiting and running taken together.
    Size(Box<size::SizeArgs>),
    /// Say what holds a waiting job, and what would help.
    Why(Box<why::WhyArgs>),
    /// List the queue with its forecasts, as `squeue --start` lists it with Slurm's plans.
    Queue(Box<queue::QueueArgs>),
    /// Watch the queue with its forecasts in a terminal.
    Top(Box<top::TopArgs>),
    /// Tell a web hook when a job is about to start, and when it started.
    Notify(Box<notify::NotifyArgs>),
    /// Show how good the daemon's forecasts were, beside Slurm's own plans.
    Score(score::ScoreArgs),
    /// Say what the daemon would have forecast and advised on a history that is over, beside Slurm's plan by limits.
    Backtest(Box<backtest::BacktestArgs>),
    /// Look at, recognise, clean, cut and convert workload logs.
    Trace(trace::TraceArgs),
    /// Replay a log under a policy and a predictor, and measure what came out.
    Simulate(Box<simulate::SimulateArgs>),
    /// Set policies and predictors side by side on one or more logs, with intervals.
    Compare(Box<compare::CompareArgs>),
    /// Score a run-time predictor on a log as it happened, without scheduling.
    Predict(Box<predict::PredictArgs>),
    /// Score wait-time forecasts on a log, job by job as it happened, with the log's own waits or a policy's.
    Wait(Box<wait::WaitArgs>),
    /// Find the template set that predicts a log's run times best.
    Search(Box<search::SearchArgs>),
    /// Send jobs to one of several clusters, and measure how long they wait.
    Meta(Box<meta::MetaArgs>),
    /// Choose how many processors mouldable jobs wait for, and measure what that does to them and to the system.
    Allocate(Box<allocate::AllocateArgs>),
    /// Make up a workload, or limits for a log.
    Generate(generate::GenerateArgs),
    /// Run every table of a paper again: published beside measured, with verdicts.
    Reproduce(reproduce::ReproduceArgs),
    /// Print what a shell needs to complete this command.
    Completions(manual::CompletionsArgs),
    /// Write manual pages.
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
            "{word} stands behind the script and is the script's own, as for sbatch; options come before it"
        ));
    }
    let command = Cli::parse_from(words).command;
    // Whatever asks a program unwinds to here if that fails.
    match caught(|| command.run()).map_err(Failure::from).and_then(|done| done) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
