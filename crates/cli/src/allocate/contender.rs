//! What is compared: a strategy of a strict queue, or a planned queue with its predictor.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use queuecast_evaluate::mouldable::{AllocationSummary, IncentiveSummary, PlannedConfiguration};
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_simulate::mouldable::{AllocatedJob, Incentives, Moulding, Passing, QueueTimeModel, StrictQueue};
use queuecast_workload::generate::downey::DowneyParameters;
use queuecast_workload::mouldable::MouldableJob;

use super::workload::ReplicateJobs;

/// A strategy as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContenderName {
    Strict(AllocationStrategy),
    Planned(Moulding),
}

/// The strategies of a planned queue by name.
const PLANNED: [(&str, Moulding); 3] = [
    ("rigid", Moulding::Rigid),
    ("plan", Moulding::Turnaround { pays_for_others: false }),
    ("plan:shared-cost", Moulding::Turnaround { pays_for_others: true }),
];

impl FromStr for ContenderName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match PLANNED.iter().find(|(name, _)| *name == text) {
            Some((_, moulding)) => Ok(Self::Planned(*moulding)),
            None => match text.parse() {
                Ok(strategy) => Ok(Self::Strict(strategy)),
                Err(unknown) => Err(format!("{unknown}; with a log also {}", PLANNED.map(|(name, _)| name).join(", "))),
            },
        }
    }
}

impl fmt::Display for ContenderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strict(strategy) => strategy.fmt(f),
            Self::Planned(moulding) => {
                f.write_str(PLANNED.iter().find(|(_, known)| known == moulding).map_or("avg", |(name, _)| name))
            }
        }
    }
}

impl ContenderName {
    /// Itself, or one for each reading of Downey's equations where queue times are predicted, or one for each predictor
    /// where the queue is planned.
    pub fn contenders(
        &self,
        queue_times: &[QueueTimes],
        predictors: &[PredictorSpecification],
        backfill: usize,
    ) -> Vec<Contender> {
        let passing = if backfill == 0 { Passing::Nobody } else { Passing::Planned(backfill) };
        match self {
            Self::Strict(strategy) if strategy.predicts() => {
                queue_times.iter().map(|queue_times| Contender::Strict(*strategy, Some(*queue_times))).collect()
            }
            Self::Strict(strategy) => vec![Contender::Strict(*strategy, None)],
            Self::Planned(moulding) => {
                predictors.iter().map(|predictor| Contender::Planned(*moulding, passing, predictor.clone())).collect()
            }
        }
    }
}

/// How queue times are predicted where a strategy asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueueTimes {
    /// Corrected equations; run-time distribution and line of bias learnt from ended jobs.
    Right,
    /// Equations as printed by Downey, with sequential life times; line of bias learnt.
    Printed,
    /// Equations and line of bias as printed by Downey.
    Published,
}

impl QueueTimes {
    /// Life times are known of Downey's workload, and of no log: there run times are learnt instead.
    fn model(self, jobs: &ReplicateJobs) -> QueueTimeModel {
        let lifetimes = jobs.traced().is_empty().then(|| DowneyParameters::default().lifetimes);
        match self {
            Self::Right => QueueTimeModel::default(),
            Self::Printed => QueueTimeModel::as_printed(lifetimes),
            Self::Published => QueueTimeModel::as_published(lifetimes),
        }
    }

    /// As `--queue-times` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Printed => "printed",
            Self::Published => "published",
        }
    }
}

/// One line of the result.
#[derive(Clone, Debug)]
pub enum Contender {
    /// How queue times are predicted, for those strategies that ask.
    Strict(AllocationStrategy, Option<QueueTimes>),
    Planned(Moulding, Passing, PredictorSpecification),
}

/// What one replicate gave.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub system: AllocationSummary,
    pub alone: Option<Alone>,
}

/// What a job gains that follows the strategy alone, while the others take what is free.
#[derive(Clone, Copy, Debug)]
pub struct Alone {
    pub rebels: f64,
    pub rebel_share: f64,
    pub saving_seconds_per_job: f64,
    /// Of those that wait; not a number where nobody does.
    pub rebel_saving_median_seconds: f64,
    pub rebel_saving_mean_seconds: f64,
    pub loser_share: f64,
    /// Not a number where nobody loses.
    pub loss_seconds: f64,
}

impl Contender {
    pub fn is_planned(&self) -> bool {
        matches!(self, Self::Planned(..))
    }

    /// Who predicts, where anybody does.
    pub fn predictor(&self) -> Option<String> {
        match self {
            Self::Strict(..) => None,
            Self::Planned(_, _, predictor) => Some(predictor.to_string()),
        }
    }

    /// How queue times are predicted, where a strategy asks for them.
    pub fn queue_times(&self) -> Option<&'static str> {
        match self {
            Self::Strict(_, queue_times) => queue_times.map(QueueTimes::name),
            Self::Planned(..) => None,
        }
    }

    /// Runs the jobs: the figures, and what every job got.
    pub fn run(&self, jobs: &ReplicateJobs, processors: u32) -> (Run, Vec<AllocatedJob>) {
        match self {
            Self::Strict(strategy, queue_times) => {
                let periods = jobs.periods();
                let model = queue_times.map_or(QueueTimeModel::default(), |queue_times| queue_times.model(jobs));
                let mut queue = StrictQueue::new(processors, *strategy, model);
                let allocated: Vec<_> = periods.iter().map(|period| queue.run(period)).collect();
                let defies = *strategy != AllocationStrategy::Average;
                let alone = defies.then(|| alone(&periods, processors, *strategy, model));
                let system = AllocationSummary::of(&allocated, processors);
                (Run { system, alone }, allocated.into_iter().flatten().collect())
            }
            Self::Planned(moulding, passing, predictor) => {
                let configuration = PlannedConfiguration {
                    processors,
                    moulding: *moulding,
                    passing: *passing,
                    predictor: predictor.clone(),
                };
                let allocated = configuration.run(jobs.traced());
                let allocated = [allocated];
                let system = AllocationSummary::of(&allocated, processors);
                (Run { system, alone: None }, allocated.into_iter().flatten().collect())
            }
        }
    }
}

fn alone(periods: &[&[MouldableJob]], processors: u32, strategy: AllocationStrategy, model: QueueTimeModel) -> Alone {
    let incentives = Incentives::measure(periods.iter().copied(), processors, &[strategy], model);
    let summary = IncentiveSummary::of(&incentives.by_strategy[0], incentives.jobs);
    // Nobody saves nothing: a figure of nobody is none.
    let of_some = |exist: bool, figure: f64| if exist { figure } else { f64::NAN };
    let (some_rebel, some_lose) = (summary.rebels > 0, summary.loser_share > 0.0);
    Alone {
        rebels: summary.rebels as f64,
        rebel_saving_median_seconds: of_some(some_rebel, summary.rebel_saving_median_seconds),
        rebel_saving_mean_seconds: of_some(some_rebel, summary.rebel_saving_mean_seconds),
        loss_seconds: of_some(some_lose, summary.loss_seconds),
        rebel_share: summary.rebel_share,
        saving_seconds_per_job: summary.saving_seconds_per_job,
        loser_share: summary.loser_share,
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strict(strategy, _) => strategy.fmt(f),
            Self::Planned(moulding, ..) => ContenderName::Planned(*moulding).fmt(f),
        }
    }
}
