//! What is simulated: every strategy on every seed's workload, for the system and for the single job.

use queuecast_evaluate::Replicates;
use queuecast_evaluate::mouldable::{AllocationSummary, IncentiveSummary, by_day};
use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_simulate::mouldable::{Incentives, QueueTimeModel, StrictQueue};
use queuecast_workload::generate::downey::DowneyParameters;
use queuecast_workload::mouldable::MouldableJob;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::Effort;

/// Days of each workload, as in the paper.
pub const DAYS: u32 = 120;

/// What queue times are predicted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The distribution of sequential life times, the equations as they are printed, and the published line of bias.
    Published,
    /// The same, but the line is fitted to what came of earlier predictions.
    Printed,
    /// The distribution of run times and the line both learnt as jobs end, and the equations put right.
    Right,
}

impl Model {
    fn queue_times(self) -> QueueTimeModel {
        let lifetimes = Some(DowneyParameters::default().lifetimes);
        match self {
            Self::Published => QueueTimeModel::as_published(lifetimes),
            Self::Printed => QueueTimeModel::as_printed(lifetimes),
            Self::Right => QueueTimeModel::default(),
        }
    }
}

/// Everybody follows a strategy.
pub type SystemRun = (&'static str, Model);

pub const AVG: SystemRun = ("avg", Model::Right);
pub const OPT: SystemRun = ("opt", Model::Right);
pub const HEUR: SystemRun = ("heur", Model::Right);
pub const PRED: SystemRun = ("pred", Model::Published);
pub const BIAS: SystemRun = ("bias", Model::Published);
pub const BIAS_LOCKED: SystemRun = ("bias:lock-in", Model::Published);
pub const BIAS_AVERSE: SystemRun = ("bias:lock-in,risk=0.2", Model::Published);
pub const PRED_RIGHT: SystemRun = ("pred", Model::Right);
pub const BIAS_RIGHT: SystemRun = ("bias", Model::Right);
pub const BIAS_RIGHT_AVERSE: SystemRun = ("bias:lock-in,risk=0.2", Model::Right);
pub const BIAS_RIGHT_SHARED: SystemRun = ("bias:shared-cost", Model::Right);
pub const OPT_SHARED: SystemRun = ("opt:shared-cost", Model::Right);

pub const SYSTEM_RUNS: [SystemRun; 12] = [
    AVG,
    OPT,
    HEUR,
    PRED,
    BIAS,
    BIAS_LOCKED,
    BIAS_AVERSE,
    PRED_RIGHT,
    BIAS_RIGHT,
    BIAS_RIGHT_AVERSE,
    BIAS_RIGHT_SHARED,
    OPT_SHARED,
];

/// One job alone defies AVG.
pub const REBELS: [&str; 4] = ["opt", "pred", "bias", "heur"];
pub const MODELS: [Model; 3] = [Model::Published, Model::Printed, Model::Right];

/// All that was measured, by seed.
pub struct BySeed {
    workloads: Vec<OnWorkload>,
}

/// What was measured on one workload.
pub struct OnWorkload {
    pub jobs: f64,
    pub spoiled_share: f64,
    pub run_median_seconds: f64,
    pub run_mean_seconds: f64,
    /// In the order of [`SYSTEM_RUNS`].
    system: Vec<AllocationSummary>,
    /// In the order of [`MODELS`] and then of [`REBELS`].
    incentives: Vec<Vec<IncentiveSummary>>,
}

impl BySeed {
    pub fn run(effort: Effort, on_step: &(dyn Fn() + Sync)) -> Self {
        let workloads = (0..effort.shaking.replicates).into_par_iter().map(|replicate| {
            let measured = OnWorkload::measure(&workload(effort, replicate));
            on_step();
            measured
        });
        Self { workloads: workloads.collect() }
    }

    /// A figure over workloads.
    pub fn over(&self, figure: impl Fn(&OnWorkload) -> f64) -> Replicates {
        self.workloads.iter().map(figure).collect()
    }

    /// A figure of the system over workloads.
    pub fn system(&self, run: SystemRun, figure: impl Fn(&AllocationSummary) -> f64) -> Replicates {
        self.over(|workload| figure(workload.system(run)))
    }

    /// A figure of rebels over workloads.
    pub fn rebels(&self, model: Model, strategy: &str, figure: impl Fn(&IncentiveSummary) -> f64) -> Replicates {
        self.over(|workload| figure(workload.rebels(model, strategy)))
    }
}

impl OnWorkload {
    fn measure(jobs: &[MouldableJob]) -> Self {
        let processors = DowneyParameters::default().processors;
        let days = by_day(jobs);
        let system = SYSTEM_RUNS.map(|(strategy, model)| {
            let mut queue = StrictQueue::new(processors, strategy_named(strategy), model.queue_times());
            let days: Vec<_> = days.iter().map(|day| queue.run(day)).collect();
            AllocationSummary::of(&days, processors)
        });
        let by_model = MODELS.map(|model| {
            let strategies = REBELS.map(strategy_named);
            Incentives::measure(days.iter().copied(), processors, &strategies, model.queue_times())
        });
        let Incentives { jobs, spoiled, runs_seconds, .. } = &by_model[0];
        let count = (*jobs).max(1) as f64;
        let mut runs = runs_seconds.clone();
        runs.sort_by(f64::total_cmp);
        Self {
            jobs: *jobs as f64,
            spoiled_share: *spoiled as f64 / count,
            run_median_seconds: runs.get(runs.len() / 2).copied().unwrap_or(0.0),
            run_mean_seconds: runs.iter().sum::<f64>() / count,
            system: system.to_vec(),
            incentives: by_model
                .iter()
                .map(|incentives| {
                    let summary = |incentive| IncentiveSummary::of(incentive, incentives.jobs);
                    incentives.by_strategy.iter().map(summary).collect()
                })
                .collect(),
        }
    }

    fn system(&self, run: SystemRun) -> &AllocationSummary {
        let index = SYSTEM_RUNS.iter().position(|other| *other == run).expect("a run that was made");
        &self.system[index]
    }

    fn rebels(&self, model: Model, strategy: &str) -> &IncentiveSummary {
        let model = MODELS.iter().position(|other| *other == model).expect("a model that was run");
        let strategy = REBELS.iter().position(|other| *other == strategy).expect("a strategy that was run");
        &self.incentives[model][strategy]
    }
}

/// The jobs of one replicate.
pub fn workload(effort: Effort, replicate: u32) -> Vec<MouldableJob> {
    let generator = Pcg64::seed_from_u64(effort.shaking.seed.wrapping_add(u64::from(replicate)));
    DowneyParameters::default().jobs(DAYS, generator).collect()
}

/// What the jobs of one workload that defied AVG were told, and what came of it.
pub fn rebels_told(effort: Effort, model: Model, strategy: &str) -> Incentives {
    let jobs = workload(effort, 0);
    let processors = DowneyParameters::default().processors;
    Incentives::measure(by_day(&jobs), processors, &[strategy_named(strategy)], model.queue_times())
}

fn strategy_named(name: &str) -> AllocationStrategy {
    name.parse().expect("a strategy that exists")
}
