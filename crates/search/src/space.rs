//! Which templates a genetic search may use.

use queuecast_predict::templates::{Characteristics, Estimator, Selection};

use crate::Workload;

/// Which templates a genetic search may use: what the log can tell, and what the caller wants tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpace {
    /// The characteristics to combine.
    pub characteristics: Characteristics,
    /// Whether to try relative run times beside actual ones.
    pub relative: bool,
    /// The estimators to try.
    pub estimators: EstimatorChoice,
    /// Whether to try maximum histories, from 2 to 65,536 in powers of two, beside unlimited ones.
    pub maximum_history: bool,
    /// The rule by which one of a set's estimates is chosen.
    pub selection: Selection,
}

/// Which estimators a genetic search chooses among.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EstimatorChoice {
    /// Mean and linear regression: the paper.
    #[default]
    MeanOrLinear,
    /// And the inverse and logarithmic regressions of the journal version.
    Journal,
    /// Mean and median: ours.
    MeanOrMedian,
}

impl EstimatorChoice {
    pub(crate) fn estimators(self) -> &'static [Estimator] {
        match self {
            Self::MeanOrLinear => &Estimator::ALL[..2],
            Self::Journal => &Estimator::ALL[..4],
            Self::MeanOrMedian => &[Estimator::Mean, Estimator::Median],
        }
    }
}

impl SearchSpace {
    /// The paper's search space for this log: everything the log tells, means and lines, no maximum history.
    pub fn of(workload: &Workload) -> Self {
        Self {
            characteristics: workload.characteristics(),
            relative: workload.has_limits(),
            estimators: EstimatorChoice::default(),
            maximum_history: false,
            selection: Selection::default(),
        }
    }
}
