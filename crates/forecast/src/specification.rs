//! Forecasters by name, as they stand on the command line and in results.

use std::fmt;
use std::str::FromStr;

use queuecast_libsvm::{Kernel, Library, LibraryError};
use queuecast_predict::distribution::{WeightedHistory, WeightedHistoryParameters};
use queuecast_schedule::PolicySpecification;
use queuecast_workload::{JobId, Machine, TracedJob, UnknownName};

use crate::calibration::calibrated::Calibrated;
use crate::forecaster::WaitForecaster;
use crate::forward::{
    ForwardForecaster, ForwardParameters, HistorySampler, LimitSampler, OracleSampler, PastArrivals,
    PastArrivalsParameters, RecentRatios, RecentRatiosParameters, RuntimeSampler,
};
#[cfg(feature = "trees")]
use crate::learned::{LearnedForecaster, LearnedSettings};
use crate::majority::MajorityForecaster;
use crate::papers::bounds::{BoundForecaster, BoundSettings, SizeGrouping};
use crate::papers::downey::{ReleaseForecaster, ReleasePredictor};
use crate::papers::ibl::{AttributeWeights, InstanceForecaster, InstanceSettings};
use crate::papers::neighbours::{Distance, HISTORY_JOBS, Naming, NeighbourForecaster, NeighbourSettings};
use crate::papers::quick::QuickStartForecaster;
use crate::papers::svm::{SvmForecaster, SvmSettings};
use crate::pooled::{ForestSettings, Part, PooledForecaster, PooledSettings};
use crate::recent::{RecentForecaster, RecentOf};

/// Which forecaster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodSpecification {
    /// The classes of all waits so far: what a method must beat to have learnt anything.
    Majority,
    /// Dynamic nearest neighbours as Kumar and Vadhiyar print them.
    Neighbours,
    /// The same with a distance in which every feature counts alike, and the class most neighbours are in.
    NeighboursByRange,
    /// Classes by a support vector machine.
    Svm(Kernel),
    /// The point of nearest neighbours and, around its class, those a support vector machine finds most probable: Kumar and
    /// Vadhiyar's range forecaster.
    NeighboursWithSvm(Kernel),
    /// Instance-based learning on who submitted what, and what it met.
    Instances,
    /// The same whatever it met.
    InstancesOfJobs,
    /// Bounds from order statistics, after QBETS.
    Bounds(SizeGrouping),
    /// Whether a job starts within an hour, from like moments.
    QuickStart,
    /// When running jobs will have released enough, after Downey.
    Release(ReleasePredictor),
    /// The site's policy played forward with run times from here.
    Forward(RunTimes),
    /// As long as the last hundred waited.
    Recent(RecentOf),
    /// The product's own: experts weighed by how good they have been; without a part of it, to see what that is worth.
    Pooled(Option<Part>),
    /// Boosted trees on top of the policy played forward.
    #[cfg(feature = "trees")]
    Best,
}

/// Where the run times of futures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunTimes {
    /// What similar jobs did, conditioned on age.
    History,
    /// Recent shares of limits.
    Recent,
    /// Limits.
    Limits,
    /// The run times themselves: the bound.
    Oracle,
}

/// What a forecaster is built for.
#[derive(Clone, Copy, Debug)]
pub struct MethodContext<'a> {
    /// The site.
    pub machine: Machine,
    /// Its policy where it is known; EASY is taken where it is not.
    pub policy: Option<PolicySpecification>,
    /// How many futures are played, where any are.
    pub futures: u32,
    /// Decides every random number.
    pub seed: u64,
    /// The jobs to come, in order, for the oracle alone.
    pub jobs: &'a [TracedJob],
}

/// scikit-learn's and libsvm's own default: the paper says "polynomial" and no more.
const CUBIC: Kernel = Kernel::Polynomial { degree: 3 };

const NAMED: &[(&str, MethodSpecification)] = &[
    ("majority", MethodSpecification::Majority),
    ("knn", MethodSpecification::Neighbours),
    ("knn:heom", MethodSpecification::NeighboursByRange),
    ("knn-svm", MethodSpecification::NeighboursWithSvm(Kernel::Radial)),
    ("knn-svm:polynomial", MethodSpecification::NeighboursWithSvm(CUBIC)),
    ("knn-svm:sigmoid", MethodSpecification::NeighboursWithSvm(Kernel::Sigmoid)),
    ("svm", MethodSpecification::Svm(Kernel::Radial)),
    ("svm:polynomial", MethodSpecification::Svm(CUBIC)),
    ("svm:sigmoid", MethodSpecification::Svm(Kernel::Sigmoid)),
    ("ibl", MethodSpecification::Instances),
    ("ibl:jobs", MethodSpecification::InstancesOfJobs),
    ("qbets", MethodSpecification::Bounds(SizeGrouping::Fixed)),
    ("qbets:clusters", MethodSpecification::Bounds(SizeGrouping::Clusters)),
    ("quick", MethodSpecification::QuickStart),
    ("downey", MethodSpecification::Release(ReleasePredictor::Combined)),
    ("downey:median", MethodSpecification::Release(ReleasePredictor::Median)),
    ("downey:average", MethodSpecification::Release(ReleasePredictor::Average)),
    ("forward", MethodSpecification::Forward(RunTimes::History)),
    ("forward:recent", MethodSpecification::Forward(RunTimes::Recent)),
    ("forward:limits", MethodSpecification::Forward(RunTimes::Limits)),
    ("forward:oracle", MethodSpecification::Forward(RunTimes::Oracle)),
    ("recent", MethodSpecification::Recent(RecentOf::All)),
    ("recent:class", MethodSpecification::Recent(RecentOf::Class)),
    ("recent:user", MethodSpecification::Recent(RecentOf::User)),
    ("pooled", MethodSpecification::Pooled(None)),
    ("pooled:no-simulation", MethodSpecification::Pooled(Some(Part::Futures))),
    ("pooled:no-repair", MethodSpecification::Pooled(Some(Part::Repair))),
    ("pooled:no-recent", MethodSpecification::Pooled(Some(Part::Recent))),
    ("pooled:no-forest", MethodSpecification::Pooled(Some(Part::Forest))),
    ("pooled:no-levels", MethodSpecification::Pooled(Some(Part::Levels))),
    #[cfg(feature = "trees")]
    ("best", MethodSpecification::Best),
];

const KNOWN: &str = "majority, knn, knn:heom, knn-svm, knn-svm:polynomial, knn-svm:sigmoid, svm, svm:polynomial, svm:sigmoid, ibl, ibl:jobs, qbets, qbets:clusters, quick, downey, downey:median, downey:average, forward, forward:recent, forward:limits, forward:oracle, recent, recent:class, recent:user, pooled, pooled:no-simulation, pooled:no-repair, pooled:no-recent, pooled:no-forest, pooled:no-levels, best";

impl MethodSpecification {
    /// What the names mean.
    pub const HELP: &'static str = "Forecaster to use; repeat to compare several: majority, knn and knn:heom (nearest \
        neighbours), knn-svm (nearest neighbours with classes from a support vector machine), svm (classes from a support vector machine alone; both use libsvm, with other kernels as svm:polynomial and svm:sigmoid), ibl (similar jobs at similar times; ibl:jobs compares jobs only), qbets (bounds for fixed size classes; qbets:clusters for clustered sizes), quick, downey, downey:median and downey:average (time until running jobs release enough), forward (simulates the policy with run times of similar jobs), forward:recent, \
        forward:limits, forward:oracle (upper bound on accuracy), recent, recent:class and recent:user (the last hundred waits), pooled (all of these weighted by past accuracy, and a forest; each of pooled:no-simulation, no-repair, no-recent, no-forest, no-levels leaves out one part), best (boosted trees on top of forward)";

    /// Whether it is one of the plain answers that a forecaster has to beat on a site's own waits: the last waits, or the plan by limits or by like
    /// jobs' run times alone.
    pub fn is_simple(self) -> bool {
        matches!(self, Self::Recent(_) | Self::Forward(RunTimes::History | RunTimes::Limits))
    }

    /// Whether what it needs beside this program is on the machine. Support vector machines need libsvm.
    pub fn require(self) -> Result<(), LibraryError> {
        match self {
            Self::Svm(_) | Self::NeighboursWithSvm(_) => Library::of_this_machine().map(|_| ()),
            _ => Ok(()),
        }
    }

    /// A forecaster that has seen nothing, its ranges corrected as it goes.
    ///
    /// # Panics
    ///
    /// If what it needs is not on the machine: [`Self::require`] says so in time.
    pub fn build(self, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
        let own = self.build_uncorrected(context);
        match self {
            Self::Neighbours
            | Self::NeighboursByRange
            | Self::Svm(_)
            | Self::NeighboursWithSvm(_)
            | Self::Instances
            | Self::InstancesOfJobs
            | Self::Release(_) => Box::new(Calibrated::bound_and_ranges(own)),
            Self::QuickStart | Self::Forward(_) => Box::new(Calibrated::bound(own)),
            #[cfg(feature = "trees")]
            Self::Best => Box::new(Calibrated::bound(own)),
            Self::Majority | Self::Bounds(_) | Self::Recent(_) | Self::Pooled(_) => own,
        }
    }

    /// The same without the correction, which is ours: as wide, and right as often, as the method itself is.
    pub fn build_uncorrected(self, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
        match self {
            Self::Majority => Box::new(MajorityForecaster::new()),
            Self::Neighbours => Box::new(NeighbourForecaster::new(NeighbourSettings::default())),
            Self::NeighboursByRange => {
                let settings = NeighbourSettings {
                    naming: Naming::MostProbable,
                    ..NeighbourSettings::with_distance(Distance::Heom)
                };
                Box::new(NeighbourForecaster::new(settings))
            }
            Self::Svm(kernel) => Box::new(SvmForecaster::alone(libsvm(), SvmSettings::of(kernel))),
            Self::NeighboursWithSvm(kernel) => {
                let neighbours = NeighbourSettings::default();
                Box::new(SvmForecaster::with_neighbours(libsvm(), SvmSettings::of(kernel), neighbours))
            }
            Self::Instances => Box::new(InstanceForecaster::new(InstanceSettings::default())),
            Self::InstancesOfJobs => {
                let weights = AttributeWeights::of_jobs_alone();
                Box::new(InstanceForecaster::new(InstanceSettings { weights, ..InstanceSettings::default() }))
            }
            Self::Bounds(sizes) => Box::new(BoundForecaster::new(BoundSettings { sizes, ..BoundSettings::default() })),
            Self::QuickStart => Box::new(QuickStartForecaster::new(HISTORY_JOBS)),
            Self::Release(predictor) => Box::new(ReleaseForecaster::new(predictor)),
            Self::Forward(run_times) => run_times.played_forward(context),
            Self::Recent(of) => Box::new(RecentForecaster::new(of)),
            Self::Pooled(without) => {
                let seed = context.seed;
                let forest = ForestSettings { seed, ..ForestSettings::default() };
                // A policy that is known is as good as priorities that are told: nobody is stuck, and the order is no secret.
                let are_priorities_told = context.policy.is_some();
                let settings = PooledSettings { are_priorities_told, forest, without, ..PooledSettings::default() };
                let history = HistorySampler::new(WeightedHistory::new(WeightedHistoryParameters::default()));
                Box::new(PooledForecaster::new(settings, forward(history, context), context.machine.processors))
            }
            #[cfg(feature = "trees")]
            Self::Best => {
                let settings = LearnedSettings { seed: context.seed, ..LearnedSettings::default() };
                let forward = RunTimes::History.played_forward(context);
                Box::new(LearnedForecaster::new(settings, forward))
            }
        }
    }
}

impl RunTimes {
    fn played_forward(self, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
        match self {
            Self::History => {
                let history = WeightedHistory::new(WeightedHistoryParameters::default());
                Box::new(forward(HistorySampler::new(history), context))
            }
            Self::Recent => Box::new(forward(RecentRatios::new(RecentRatiosParameters::default()), context)),
            Self::Limits => Box::new(forward(LimitSampler::default(), context)),
            Self::Oracle => {
                let (oracle, foresight) = OracleSampler::new();
                for (job, id) in context.jobs.iter().zip(0..) {
                    let mut job = *job;
                    job.submission.job = JobId(id);
                    foresight.hear(&job);
                }
                Box::new(forward(oracle, context))
            }
        }
    }
}

/// Nothing else would do: a machine that never learns would be scored as if it had.
fn libsvm() -> &'static Library {
    Library::of_this_machine().unwrap_or_else(|error| panic!("{error}; {}", error.hint()))
}

fn forward<S: RuntimeSampler>(sampler: S, context: &MethodContext<'_>) -> ForwardForecaster<S> {
    let policy = context.policy.unwrap_or_else(|| "easy".parse().expect("a policy that exists"));
    let parameters =
        ForwardParameters { futures: u64::from(context.futures), seed: context.seed, ..ForwardParameters::new(policy) };
    let arrivals = PastArrivals::new(PastArrivalsParameters::default());
    ForwardForecaster::new(parameters, sampler).with_arrivals(Box::new(arrivals))
}

impl fmt::Display for MethodSpecification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMED.iter().find(|(_, method)| method == self).map_or("forward", |(name, _)| name))
    }
}

impl FromStr for MethodSpecification {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = NAMED.iter().find(|(name, _)| *name == text);
        named.map(|(_, method)| *method).ok_or_else(|| UnknownName::new("method", text, KNOWN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for (name, _) in NAMED.iter().copied() {
            assert!(KNOWN.split(", ").any(|known| known == name), "{name} is not told of");
            assert_eq!(name.parse::<MethodSpecification>().expect(name).to_string(), name);
        }
        assert!("backward".parse::<MethodSpecification>().unwrap_err().to_string().contains("forward:oracle"));
    }
}
