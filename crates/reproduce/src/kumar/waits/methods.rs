//! Who forecasts.

use queuecast_forecast::{
    BoundForecaster, BoundSettings, Calibrated, Distance, MethodContext, MethodSpecification, NeighbourForecaster,
    NeighbourSettings, PointEstimate, SizeGrouping, TimeUnit, WaitForecaster,
};

use super::bound_class::BoundAsClass;

/// A forecaster by the name it has in reports.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The name of `qcast wait`, where it has one.
    pub name: &'static str,
    /// One that has seen nothing.
    pub build: fn(&MethodContext<'_>) -> Box<dyn WaitForecaster>,
}

pub const MAJORITY: &str = "majority";
pub const NEIGHBOURS: &str = "knn";
pub const INSTANCES: &str = "ibl";
pub const QUICK: &str = "quick";
pub const FORWARD: &str = "forward";
pub const BEST: &str = "best";
/// The forecaster of `qcast wait`, `backtest` and `serve`.
pub const POOLED: &str = "pooled";
pub const ORACLE: &str = "forward:oracle";
/// QBETS as the paper scores it.
pub const BOUND_AS_CLASS: &str = "qbets, its bound as the wait";
/// The same with groups of sizes as they cluster.
pub const CLUSTERS_AS_CLASS: &str = "qbets:clusters, its bound as the wait";
/// Instance-based learning without the state of queue and machine.
pub const INSTANCES_OF_JOBS: &str = "ibl:jobs";
/// The paper's range forecaster: the point of nearest neighbours, and classes around it by a support vector machine (R-K7).
pub const RANGES: &str = "knn-svm";
pub const POLYNOMIAL: &str = "knn-svm:polynomial";
pub const SIGMOID: &str = "knn-svm:sigmoid";
/// The machine without the point.
pub const CLASSIFIER: &str = "svm";
pub const LINEAR: &str = "knn, linear regression";
pub const KERNEL: &str = "knn, radial kernel";

/// What only the paper's tables need.
pub const FOR_THE_PAPER: [Method; 6] = [
    Method { name: BOUND_AS_CLASS, build: |_| Box::new(BoundAsClass(BoundForecaster::new(BoundSettings::default()))) },
    Method {
        name: CLUSTERS_AS_CLASS,
        build: |_| {
            let settings = BoundSettings { sizes: SizeGrouping::Clusters, ..BoundSettings::default() };
            Box::new(BoundAsClass(BoundForecaster::new(settings)))
        },
    },
    Method { name: LINEAR, build: |_| neighbours(Distance::default(), PointEstimate::Linear) },
    Method { name: KERNEL, build: |_| neighbours(Distance::default(), PointEstimate::RadialKernel) },
    Method { name: POLYNOMIAL, build: |context| named(POLYNOMIAL, context) },
    Method { name: SIGMOID, build: |context| named(SIGMOID, context) },
];

/// What is compared on the logs' own waits: the names of `qcast wait`, and what has none. Another is one more line.
pub const ON_LOGS: &[Method] = &[
    Method { name: MAJORITY, build: |context| named(MAJORITY, context) },
    Method { name: "qbets", build: |context| named("qbets", context) },
    Method { name: "qbets:clusters", build: |context| named("qbets:clusters", context) },
    Method { name: INSTANCES, build: |context| named(INSTANCES, context) },
    Method { name: INSTANCES_OF_JOBS, build: |context| named(INSTANCES_OF_JOBS, context) },
    Method { name: QUICK, build: |context| named(QUICK, context) },
    Method { name: NEIGHBOURS, build: |context| named(NEIGHBOURS, context) },
    Method {
        name: "knn, in days",
        build: |_| neighbours(Distance::BrayCurtis(TimeUnit::Days), PointEstimate::WeightedMean),
    },
    Method { name: "knn:heom", build: |context| named("knn:heom", context) },
    Method { name: "downey", build: |context| named("downey", context) },
    Method { name: FORWARD, build: |context| named(FORWARD, context) },
    Method { name: BEST, build: |context| named(BEST, context) },
    Method { name: POOLED, build: |context| named(POOLED, context) },
    Method { name: CLASSIFIER, build: |context| named(CLASSIFIER, context) },
    Method { name: RANGES, build: |context| named(RANGES, context) },
];

/// Bounds as the methods themselves have them: ours corrects those of all others as it goes, and what that costs in width is not theirs.
pub const UNCORRECTED: &[Method] = &[
    Method { name: "knn, uncorrected", build: |context| uncorrected(NEIGHBOURS, context) },
    Method { name: "knn:heom, uncorrected", build: |context| uncorrected("knn:heom", context) },
    Method { name: "ibl, uncorrected", build: |context| uncorrected(INSTANCES, context) },
    Method { name: "quick, uncorrected", build: |context| uncorrected(QUICK, context) },
    Method { name: "downey, uncorrected", build: |context| uncorrected("downey", context) },
    Method { name: "forward, uncorrected", build: |context| uncorrected(FORWARD, context) },
];

/// What is compared where EASY decides the waits.
pub const UNDER_EASY: &[Method] = &[
    Method { name: MAJORITY, build: |context| named(MAJORITY, context) },
    Method { name: "qbets", build: |context| named("qbets", context) },
    Method { name: "knn:heom", build: |context| named("knn:heom", context) },
    Method { name: "forward:limits", build: |context| named("forward:limits", context) },
    Method { name: FORWARD, build: |context| named(FORWARD, context) },
    Method { name: BEST, build: |context| named(BEST, context) },
    Method { name: POOLED, build: |context| named(POOLED, context) },
    Method { name: ORACLE, build: |context| named(ORACLE, context) },
];

/// Everything that can be run on the logs' own waits with what there is on this machine.
pub fn on_record() -> impl Iterator<Item = Method> {
    ON_LOGS.iter().chain(&FOR_THE_PAPER).chain(UNCORRECTED).copied().filter(|method| why_not(method.name).is_none())
}

/// Why a method cannot be run on this machine, where it cannot.
pub fn why_not(name: &str) -> Option<String> {
    // What is no name of `qcast wait` is put together of our own parts.
    name.parse::<MethodSpecification>().ok()?.require().err().map(|error| error.to_string())
}

fn named(name: &str, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
    name.parse::<MethodSpecification>().expect("a name of `qcast wait`").build(context)
}

fn uncorrected(name: &str, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
    name.parse::<MethodSpecification>().expect("a name of `qcast wait`").build_uncorrected(context)
}

fn neighbours(distance: Distance, point: PointEstimate) -> Box<dyn WaitForecaster> {
    let settings = NeighbourSettings { point, ..NeighbourSettings::with_distance(distance) };
    calibrated(NeighbourForecaster::new(settings))
}

/// As `qcast wait` does it with neighbours.
fn calibrated(forecaster: impl WaitForecaster + 'static) -> Box<dyn WaitForecaster> {
    Box::new(Calibrated::bound_and_ranges(forecaster))
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;

    #[test]
    fn every_method_can_be_built() {
        let machine = Machine { processors: 4 };
        let context = MethodContext { machine, policy: None, futures: 1, seed: 1, jobs: &[] };
        for method in ON_LOGS.iter().chain(UNDER_EASY).chain(&FOR_THE_PAPER).chain(UNCORRECTED) {
            let _ = (method.build)(&context);
        }
    }
}
