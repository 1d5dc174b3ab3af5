//! `qcast allocate`: how many processors mouldable jobs should wait for.
//!
//! Every strategy runs the same replicates, so that differences can be paired: seeds of Downey's workload, or a log made
//! mouldable, shaken.

mod contender;
mod files;
mod result;
mod workload;

use clap::Args;
use queuecast_predict::PredictorSpecification;
use queuecast_simulate::mouldable::AllocatedJob;
use rayon::prelude::*;

use self::contender::{Contender, ContenderName, QueueTimes, Run};
use self::result::{Allocation, StrategyResult};
use self::workload::WorkloadArgs;
use crate::details::{DetailsArgs, ReplicateValuesArgs};
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};
use crate::options::predictor;
use crate::options::shaking::{ShakingArgs, parse_replicates};
use crate::output::{self, FormatArgs};
use crate::provenance::Provenance;

/// The arguments of `qcast allocate`.
#[derive(Debug, Args)]
pub struct AllocateArgs {
    #[command(flatten)]
    workload: WorkloadArgs,
    /// Strategies to compare, one per option; the first is the baseline.
    ///
    /// In a strict queue: avg, opt, pred, bias and heur; opt, pred and bias accept lock-in, risk=SHARE and shared-cost after a colon.
    /// With a log also rigid, plan and plan:shared-cost, which plan the queue with --predictor and --backfill.
    #[arg(long = "strategy", value_name = "STRATEGY", default_values = ["avg", "opt", "pred", "bias", "heur"])]
    strategies: Vec<ContenderName>,
    /// Queue-time models of pred and bias to compare, one per option: right, printed or published.
    ///
    /// The model right corrects Downey's equations and learns all parameters, printed uses the equations as printed, and published
    /// also uses the printed line of bias.
    #[arg(long, value_enum, value_name = "HOW", default_values = ["right"], hide_possible_values = true)]
    queue_times: Vec<QueueTimes>,
    /// Run-time predictors of the planned queue to compare, one per option.
    #[arg(long = "predictor", value_name = "PREDICTOR", value_parser = predictor::parse, default_values = ["estimate"])]
    predictors: Vec<PredictorSpecification>,
    /// Number of jobs at the front of the queue that are planned and may be backfilled; 0 disables backfilling.
    #[arg(long, value_name = "COUNT", default_value_t = 32)]
    backfill: usize,
    /// Number of replicates per strategy.
    #[arg(long, alias = "replicates", value_name = "COUNT", default_value_t = 20)]
    #[arg(value_parser = parse_replicates)]
    shake: u32,
    #[command(flatten)]
    shaking: ShakingArgs,
    #[command(flatten)]
    details: DetailsArgs,
    #[command(flatten)]
    replicate_values: ReplicateValuesArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the subcommand.
pub fn run(arguments: &AllocateArgs) -> Result<(), Failure> {
    let pool = arguments.shaking.pool()?;
    let mut details = arguments.details.create(&files::JOB_COLUMNS)?;
    let mut values = arguments.replicate_values.create(&files::REPLICATE_COLUMNS)?;
    let workload = arguments.workload.load()?;
    let contenders = arguments.contenders();
    if let Some(planned) = contenders.iter().find(|contender| contender.is_planned() && !workload.is_log()) {
        let message = format!("--strategy {planned} needs a log with users and time limits");
        return Err(Failure::usage(message).with_hint("pass a log: qcast allocate LOG --strategy plan"));
    }
    let shaking = arguments.shaking.shaking(arguments.shake);
    let progress = SharedProgress::new(Unit::Replicates, u64::from(arguments.shake) * contenders.len() as u64);
    let runs: Vec<Vec<(Run, Vec<AllocatedJob>)>> = pool.install(|| {
        let replicates = (0..arguments.shake).into_par_iter().map(|replicate| {
            let jobs = workload.replicate(shaking, replicate);
            let runs = contenders.iter().map(|contender| {
                let (run, allocated) = contender.run(&jobs, workload.processors());
                progress.advance();
                (run, if arguments.details.is_asked_for() { allocated } else { Vec::new() })
            });
            runs.collect()
        });
        replicates.collect()
    });
    progress.finish();
    for (replicate, runs) in (1_u32..).zip(&runs) {
        for (contender, (run, allocated)) in contenders.iter().zip(runs) {
            if let Some(details) = &mut details {
                files::add_jobs(details, contender, replicate, allocated);
            }
            if let Some(values) = &mut values {
                files::add_figures(values, contender, replicate, &run.system);
            }
        }
    }
    let strategies = contenders.iter().enumerate().map(|(index, contender)| {
        let own: Vec<Run> = runs.iter().map(|run| run[index].0).collect();
        let first: Vec<Run> = runs.iter().map(|run| run[0].0).collect();
        StrategyResult::new(contender, &own, &first)
    });
    let result = Allocation { replicates: arguments.shake, strategies: strategies.collect() };
    let provenance = Provenance::of_this_command().with_seed(shaking.seed);
    let provenance = workload.log_read().into_iter().fold(provenance, Provenance::with_log);
    [details, values].into_iter().flatten().try_for_each(|file| file.finish(&provenance))?;
    output::print(&result, &provenance, arguments.format.format)
}

impl AllocateArgs {
    fn contenders(&self) -> Vec<Contender> {
        let with_predictors =
            |name: &ContenderName| name.contenders(&self.queue_times, &self.predictors, self.backfill);
        self.strategies.iter().flat_map(with_predictors).collect()
    }
}
