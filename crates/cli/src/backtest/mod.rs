//! `qcast backtest`: what our forecaster would have said of jobs that are over, in the order in which they came, from a log, an export
//! of accounting or a daemon's store.
//!
//! For: administrators, before they install anything: when jobs would have been said to start beside what Slurm's plan was, and how
//! many jobs advised limits would have killed.
//!
//! Not for: comparing methods (`qcast predict`, `qcast wait`); the playing, which is the daemon's (`queuecast_site::backtest`).

mod experts;
mod history;
mod limit_tables;
mod observer;
mod page;
mod result;
mod tables;

use std::path::PathBuf;

use clap::Args;
use queuecast_advise::limit::LimitAdvisers;
use queuecast_evaluate::limit::LimitScores;
use queuecast_site::backtest::{
    Fate, MomentSettings, SeenMachine, Size, in_words, limit_class, moments, replay, size_class,
};
use queuecast_site::forecasting::ForecastingSettings;
use queuecast_workload::Submission;

use self::history::PastHistory;
use self::observer::Observer;
use self::result::BacktestResult;
use crate::ask::inert::inert;
use crate::details::DetailsArgs;
use crate::failure::{Failure, say};
use crate::input::nothing_left;
use crate::input::problems::ProblemLimit;
use crate::input::source::ExportArgs;
use crate::output::{self, FormatArgs};
use crate::page::PageWriter;
use crate::provenance::{LogRead, Provenance};

/// The arguments of `qcast backtest`.
#[derive(Debug, Args)]
pub struct BacktestArgs {
    /// Past jobs: export of `sacct -P`, PBS accounting log or log in Standard Workload Format; - is standard input.
    ///
    /// The file may be compressed with gzip or zstd.
    #[arg(value_name = "FILE", required_unless_present = "store", conflicts_with = "store")]
    file: Option<PathBuf>,
    /// Store of a daemon to read instead of a file: its jobs, and its forecasts compared with Slurm's plans.
    ///
    /// The store is opened read-only.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Maximum number of bad lines to report, or `all`.
    #[arg(long, value_name = "COUNT", default_value_t)]
    problems: ProblemLimit,
    #[command(flatten)]
    export: ExportArgs,
    /// Number of days, at the end of the history, whose jobs are scored.
    ///
    /// Earlier jobs, and always the first hundredth, are used only for training.
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// Number of processors of the machine or of a partition: `4096` or `gpu=512` [default: the maximum in use at one time].
    #[arg(long, value_name = "[PARTITION=]COUNT")]
    processors: Vec<Size>,
    /// Number of nodes of the machine or of a partition, in the form of --processors.
    #[arg(long, value_name = "[PARTITION=]COUNT")]
    nodes: Vec<Size>,
    /// Maximum number of forecasts of the queue, spread evenly over the job arrivals.
    #[arg(long, value_name = "COUNT", default_value_t = 1_000)]
    moments: usize,
    /// Maximum work for forecasts, in units of about 150 ns of one core; long queues get fewer forecasts.
    #[arg(long, value_name = "COUNT", default_value_t = MomentSettings::default().work)]
    work: u64,
    /// Maximum number of simulations per forecast; long queues get fewer.
    #[arg(long, value_name = "COUNT", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    simulations: u64,
    /// Random seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Maximum risk, in per cent, that a job is killed at the suggested time limit; repeatable.
    #[arg(long = "risk", value_name = "PER_CENT", default_values_t = [1.0, 5.0, 10.0], value_parser = parse_risk)]
    risks_percent: Vec<f64>,
    #[command(flatten)]
    details: DetailsArgs,
    /// File for a report with plots, as one self-contained HTML page.
    #[arg(long, value_name = "FILE", visible_alias = "report")]
    html: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

fn parse_risk(text: &str) -> Result<f64, String> {
    let risk = text.parse().ok().filter(|risk| (0.01..=50.0).contains(risk));
    risk.ok_or_else(|| "expected a risk in per cent, from 0.01 to 50".to_owned())
}

impl BacktestArgs {
    fn forecasting(&self) -> ForecastingSettings {
        let default = ForecastingSettings::default();
        let futures_least = default.futures_least.min(self.simulations);
        ForecastingSettings { futures: self.simulations, futures_least, seed: self.seed, ..default }
    }
}

/// The class of a job, by limit and size.
fn class_of(job: &Submission) -> ((usize, usize), String) {
    let (limit, size) = (limit_class(job.limit), size_class(job.request.processors));
    ((limit.0, size.0), in_words(limit.1, size.1))
}

/// Runs the subcommand.
pub fn run(arguments: &BacktestArgs) -> Result<(), Failure> {
    let writer = arguments.html.as_deref().map(PageWriter::create).transpose()?;
    let details = arguments.details.create(&observer::columns())?;
    let PastHistory { name, past, bad_lines, stored_forecasts: kept } = PastHistory::read(arguments)?;
    let is_limited = |job: &&queuecast_site::backtest::PastJob| job.limit().is_some() && job.fate == Fate::Ended;
    if !past.jobs.iter().any(|job| is_limited(&job)) {
        let reasons = "0 ended jobs with a time limit, which the comparison with Slurm's plan needs";
        return Err(nothing_left(&name, reasons, "add time limits with `qcast generate estimates`"));
    }
    let machine = SeenMachine::of(&past, &arguments.nodes, &arguments.processors)
        .map_err(|message| Failure::usage(inert(&message)))?;
    let forecasting = arguments.forecasting();
    let chosen = moments(
        &past.jobs,
        &MomentSettings { days: arguments.days, most: arguments.moments, work: arguments.work, seed: arguments.seed },
        &forecasting,
    );
    let (before, within) = past.jobs.split_at(chosen.first as usize);
    let risks: Vec<f64> = arguments.risks_percent.iter().map(|percent| percent / 100.0).collect();
    let mut desk = LimitAdvisers::new(&risks);
    let only_teach = before.iter().filter(is_limited).count() as u64;
    let limits = LimitScores::new(desk.accepted().collect::<Vec<_>>().into_iter(), only_teach, class_of);
    let mut observer = Observer::new(&past, limits, details);
    let replayed = replay(&past, &machine, &chosen, &forecasting, &mut desk, &mut observer);
    within.iter().filter(|job| job.has_started()).for_each(|job| observer.scores.waited(job));
    let (scores, limits, details) = observer.finish();
    let result = BacktestResult::new(
        result::Setting { trace: name, bad_lines, past: &past, machine: &machine, chosen: &chosen, arguments },
        replayed,
        &scores,
        &limits,
        kept,
    );
    let mut provenance = Provenance::of_this_command().with_seed(arguments.seed);
    // A store is not a file that stays as it is.
    if let Some(file) = &arguments.file {
        provenance = provenance.with_log(LogRead::new(file));
    }
    details.map(|details| details.finish(&provenance)).transpose()?;
    // The page first: whoever reads standard output may stop, and the page should be there nevertheless.
    if let Some(writer) = writer {
        writer.write(&page::html(arguments, &result, &provenance))?;
    }
    say(
        "note: Slurm's plan is simulated from the users' time limits, because accounting does not store squeue --start",
    );
    output::print(&result, &provenance, arguments.format.format)
}
