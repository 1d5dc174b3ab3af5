//! `qcast allocate`: how many processors mouldable jobs should wait for.
//!
//! Every strategy runs the same replicates, so that differences can be paired: seeds of Downey's workload, or a log made
//! mouldable, shaken.

mod contender;
mod result;
mod workload;

use clap::Args;
use queuecast_predict::PredictorSpecification;
use rayon::prelude::*;

use self::contender::{Contender, ContenderName, Run};
use self::result::{Allocation, StrategyResult};
use self::workload::WorkloadArgs;
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};
use crate::options::predictor;
use crate::options::shaking::{ShakingArgs, parse_replicates};
use crate::output::{self, FormatArgs};

/// The arguments of `qcast allocate`.
#[derive(Debug, Args)]
pub struct AllocateArgs {
    #[command(flatten)]
    workload: WorkloadArgs,
    /// How jobs choose; repeat it for every strategy to compare, the first is what the others are measured against. In a
    /// strict queue: avg, opt, pred, bias (the last three with any of lock-in, risk=SHARE, shared-cost after a colon), heur.
    /// On a log also rigid, plan and plan:shared-cost, which plan the queue with --predictor and --backfill.
    #[arg(long = "strategy", value_name = "STRATEGY", default_values = ["avg", "opt", "pred", "bias", "heur"])]
    strategies: Vec<ContenderName>,
    /// Who predicts run times where the queue is planned; repeat it to compare several.
    #[arg(long = "predictor", value_name = "PREDICTOR", value_parser = predictor::parse, default_values = ["estimate"])]
    predictors: Vec<PredictorSpecification>,
    /// How many jobs at the front of the queue are planned and may start when their plan says; 0 for nobody but the head.
    #[arg(long, value_name = "COUNT", default_value_t = 32)]
    backfill: usize,
    /// Replicates of every strategy.
    #[arg(long, alias = "replicates", value_name = "COUNT", default_value_t = 20)]
    #[arg(value_parser = parse_replicates)]
    shake: u32,
    #[command(flatten)]
    shaking: ShakingArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs the subcommand.
pub fn run(arguments: &AllocateArgs) -> Result<(), Failure> {
    let pool = arguments.shaking.pool()?;
    let workload = arguments.workload.load()?;
    let contenders = arguments.contenders();
    if let Some(planned) = contenders.iter().find(|contender| contender.is_planned() && !workload.is_log()) {
        let message = format!("--strategy {planned} plans with the users and limits of a log, and none is given");
        return Err(Failure::usage(message).with_hint("name a log: qcast allocate LOG --strategy plan"));
    }
    let shaking = arguments.shaking.shaking(arguments.shake);
    let progress = SharedProgress::new(Unit::Replicates, u64::from(arguments.shake) * contenders.len() as u64);
    let runs: Vec<Vec<Run>> = pool.install(|| {
        let replicates = (0..arguments.shake).into_par_iter().map(|replicate| {
            let jobs = workload.replicate(shaking, replicate);
            let runs = contenders.iter().map(|contender| {
                let run = contender.run(&jobs, workload.processors());
                progress.advance();
                run
            });
            runs.collect()
        });
        replicates.collect()
    });
    progress.finish();
    let strategies = contenders.iter().enumerate().map(|(index, contender)| {
        let own: Vec<Run> = runs.iter().map(|run| run[index]).collect();
        let first: Vec<Run> = runs.iter().map(|run| run[0]).collect();
        StrategyResult::new(contender, &own, &first)
    });
    let result = Allocation { replicates: arguments.shake, strategies: strategies.collect() };
    output::print(&result, arguments.format.format)
}

impl AllocateArgs {
    fn contenders(&self) -> Vec<Contender> {
        let with_predictors =
            |name: &ContenderName| -> Vec<Contender> { name.contenders(&self.predictors, self.backfill) };
        self.strategies.iter().flat_map(with_predictors).collect()
    }
}
