//! `qcast compare`: policies and predictors side by side on one or more logs.
//!
//! Every configuration of a log replays the same jobs, as they are and shaken with the same seed, so that differences
//! can be paired replicate by replicate. One log is held at a time.

mod contest;
mod files;
mod grid;
mod page;
mod result;
mod trace;

use std::path::PathBuf;

use clap::Args;
use queuecast_evaluate::Comparison;
use queuecast_report::TraceSection;

use self::contest::{Contest, ContestArgs};
use self::files::Files;
use self::result::{ComparisonResult, TraceResult};
use self::trace::LoadedTrace;
use crate::details::{DetailsArgs, ReplicateValuesArgs};
use crate::failure::Failure;
use crate::input::machines::MachinesArgs;
use crate::input::progress::{SharedProgress, Unit};
use crate::input::source::SourcesArgs;
use crate::options::replay::ReplayArgs;
use crate::options::shaking::{ShakingArgs, parse_replicates};
use crate::output::{self, FormatArgs};
use crate::page::PageWriter;
use crate::provenance::{LogRead, Provenance};

/// The arguments of `qcast compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    #[command(flatten)]
    sources: SourcesArgs,
    #[command(flatten)]
    machines: MachinesArgs,
    #[command(flatten)]
    contest: ContestArgs,
    #[command(flatten)]
    replay: ReplayArgs,
    /// Number of replicates with shaken submission times, for intervals and paired differences.
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = parse_replicates)]
    shake: u32,
    #[command(flatten)]
    shaking: ShakingArgs,
    #[command(flatten)]
    details: DetailsArgs,
    #[command(flatten)]
    replicate_values: ReplicateValuesArgs,
    /// File for a report with plots, as one self-contained HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the subcommand.
pub fn run(arguments: &CompareArgs) -> Result<(), Failure> {
    let contest = arguments.contest.contest()?;
    let sources = arguments.sources.open()?;
    let machines = arguments.machines.for_replay(&sources)?;
    if contest.has_machines() && sources.len() > 1 {
        let message = format!("a row of the grid sets processors, but there are {} logs", sources.len());
        return Err(Failure::usage(message).with_hint("pass one log, or set the sizes with --processors LOG=COUNT"));
    }
    let mut files = Files {
        details: arguments.details.create(&files::job_columns())?,
        replicate_values: arguments.replicate_values.create(&files::REPLICATE_COLUMNS)?,
    };
    let page = arguments.html.as_deref().map(PageWriter::create).transpose()?;
    let wants_page = page.is_some();
    let pool = arguments.shaking.pool()?;
    let progress = SharedProgress::new(Unit::Replays, arguments.replays(sources.len(), &contest));
    let advance = || progress.advance();

    let shaking = arguments.shaking.shaking(arguments.shake);
    let (mut results, mut sections) = (Vec::new(), Vec::new());
    let mut provenance = Provenance::of_this_command().with_seed(shaking.seed);
    for ((source, machine), path) in sources.into_iter().zip(machines).zip(&arguments.sources.files) {
        let configurations = contest.configurations(machine.machine(), &arguments.replay);
        let load = || LoadedTrace::load(source, &configurations);
        let trace = progress.step_aside(load)?;
        let (comparison, portraits) = pool.install(|| {
            let comparison = Comparison::run(&trace.jobs, configurations, contest.baseline(), shaking, &advance);
            let portraits = wants_page.then(|| comparison.portraits(&trace.jobs, &advance));
            (comparison, portraits)
        });
        files.add(&trace, &comparison, &contest);
        provenance = provenance.with_log(LogRead::new(path).on(machine.processors).without(trace.dropped));
        results.push(TraceResult::new(&trace, machine, &comparison, &contest, shaking));
        if let Some(portraits) = portraits {
            let left_out = crate::input::reasons(&trace.dropped);
            let jobs = trace.jobs.len() as u64;
            sections.push(TraceSection { trace: trace.name, jobs, left_out, comparison, portraits });
        }
    }
    progress.finish();

    files.finish(&provenance)?;
    // The page first: whoever reads standard output may stop, and the page should be there nevertheless.
    if let Some(writer) = page {
        writer.write(&page::html(arguments, sections, &provenance))?;
    }
    output::print(&ComparisonResult::new(results), &provenance, arguments.format.format)
}

impl CompareArgs {
    /// How many replays there will be.
    fn replays(&self, traces: usize, contest: &Contest) -> u64 {
        let for_each = u64::from(self.shake) + 1 + u64::from(self.html.is_some());
        (traces * contest.count()) as u64 * for_each
    }
}
