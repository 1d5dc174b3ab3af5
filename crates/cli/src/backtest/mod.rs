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
    /// The history: an export of `sacct -P`, accounting of PBS or a log in Standard Workload Format, plain or packed with gzip or
    /// zstd; - for standard input.
    #[arg(value_name = "FILE", required_unless_present = "store", conflicts_with = "store")]
    file: Option<PathBuf>,
    /// A daemon's store instead, which is only read: its jobs, and what it said of them beside what Slurm itself planned.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// How many bad lines to report one by one: a number, or `all`.
    #[arg(long, value_name = "COUNT", default_value_t)]
    problems: ProblemLimit,
    #[command(flatten)]
    export: ExportArgs,
    /// Count only jobs of the last so many days; those before only teach. At the least a hundredth of the jobs does.
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// Processors of the machine, or of a partition: `4096` or `gpu=512` [default: the most that were in use at once].
    #[arg(long, value_name = "[PARTITION=]COUNT")]
    processors: Vec<Size>,
    /// Nodes of the machine, or of a partition, instead.
    #[arg(long, value_name = "[PARTITION=]COUNT")]
    nodes: Vec<Size>,
    /// Forecast the queue at so many moments at the most, when jobs come that are spread evenly over the days.
    #[arg(long, value_name = "COUNT", default_value_t = 1_000)]
    moments: usize,
    /// Do no more work than this for it, in units of some 150 ns of one core; if queues are long there are fewer moments.
    #[arg(long, value_name = "COUNT", default_value_t = MomentSettings::default().work)]
    work: u64,
    /// Futures that are played for every forecast of a short queue.
    #[arg(long, value_name = "COUNT", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    futures: u64,
    /// Decides every random number.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many in a hundred jobs alike may be killed at the limit advised; repeat it for several.
    #[arg(long = "risk", value_name = "PER_CENT", default_values_t = [1.0, 5.0, 10.0], value_parser = parse_risk)]
    risks_percent: Vec<f64>,
    #[command(flatten)]
    details: DetailsArgs,
    /// Write a page with plots to this file: one self-contained HTML file.
    #[arg(long, value_name = "FILE", visible_alias = "report")]
    html: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

fn parse_risk(text: &str) -> Result<f64, String> {
    let risk = text.parse().ok().filter(|risk| (0.01..=50.0).contains(risk));
    risk.ok_or_else(|| "a risk is a number of jobs in a hundred, from 0.01 to 50".to_owned())
}

impl BacktestArgs {
    fn forecasting(&self) -> ForecastingSettings {
        let default = ForecastingSettings::default();
        let futures_least = default.futures_least.min(self.futures);
        ForecastingSettings { futures: self.futures, futures_least, seed: self.seed, ..default }
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
    let PastHistory { name, past, bad_lines, kept } = PastHistory::read(arguments)?;
    let is_limited = |job: &&queuecast_site::backtest::PastJob| job.limit().is_some() && job.fate == Fate::Ended;
    if !past.jobs.iter().any(|job| is_limited(&job)) {
        let reasons = "0 jobs that ended have a limit, and without limits there is no plan to compare with";
        return Err(nothing_left(&name, reasons, "make limits up with `qcast generate estimates`"));
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
        "the plan is Slurm's by its users' limits, made again by our model of Slurm: accounting does not keep squeue --start",
    );
    output::print(&result, &provenance, arguments.format.format)
}
