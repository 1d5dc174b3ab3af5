//! What is compared: a strategy of a strict queue, or a planned queue with its predictor.

use std::fmt;
use std::str::FromStr;

use queuecast_evaluate::mouldable::{AllocationSummary, IncentiveSummary, PlannedConfiguration};
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_simulate::mouldable::{Incentives, Moulding, Passing, QueueTimeModel, StrictQueue};
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
                Err(unknown) => Err(format!("{unknown}; on a log also {}", PLANNED.map(|(name, _)| name).join(", "))),
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
    /// Itself, or one for each predictor where the queue is planned.
    pub fn contenders(&self, predictors: &[PredictorSpecification], backfill: usize) -> Vec<Contender> {
        let passing = if backfill == 0 { Passing::Nobody } else { Passing::Planned(backfill) };
        match self {
            Self::Strict(strategy) => vec![Contender::Strict(*strategy)],
            Self::Planned(moulding) => {
                predictors.iter().map(|predictor| Contender::Planned(*moulding, passing, predictor.clone())).collect()
            }
        }
    }
}

/// One line of the result.
#[derive(Clone, Debug)]
pub enum Contender {
    Strict(AllocationStrategy),
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
    pub rebel_share: f64,
    pub saving_seconds_per_job: f64,
    pub loser_share: f64,
}

impl Contender {
    pub fn is_planned(&self) -> bool {
        matches!(self, Self::Planned(..))
    }

    /// Who predicts, where anybody does.
    pub fn predictor(&self) -> Option<String> {
        match self {
            Self::Strict(_) => None,
            Self::Planned(_, _, predictor) => Some(predictor.to_string()),
        }
    }

    pub fn run(&self, jobs: &ReplicateJobs, processors: u32) -> Run {
        match self {
            Self::Strict(strategy) => {
                let periods = jobs.periods();
                let model = QueueTimeModel::default();
                let mut queue = StrictQueue::new(processors, *strategy, model);
                let allocated: Vec<_> = periods.iter().map(|period| queue.run(period)).collect();
                let alone = (*strategy != AllocationStrategy::Average).then(|| alone(&periods, processors, *strategy));
                Run { system: AllocationSummary::of(&allocated, processors), alone }
            }
            Self::Planned(moulding, passing, predictor) => {
                let configuration = PlannedConfiguration {
                    processors,
                    moulding: *moulding,
                    passing: *passing,
                    predictor: predictor.clone(),
                };
                let allocated = configuration.run(jobs.traced());
                Run { system: AllocationSummary::of(&[allocated], processors), alone: None }
            }
        }
    }
}

fn alone(periods: &[&[MouldableJob]], processors: u32, strategy: AllocationStrategy) -> Alone {
    let incentives = Incentives::measure(periods.iter().copied(), processors, &[strategy], QueueTimeModel::default());
    let summary = IncentiveSummary::of(&incentives.by_strategy[0], incentives.jobs);
    Alone {
        rebel_share: summary.rebel_share,
        saving_seconds_per_job: summary.saving_seconds_per_job,
        loser_share: summary.loser_share,
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Strict(strategy) => strategy.fmt(f),
            Self::Planned(moulding, ..) => ContenderName::Planned(*moulding).fmt(f),
        }
    }
}
