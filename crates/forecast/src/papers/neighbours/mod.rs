//! Jobs that looked alike waited alike: dynamic nearest neighbours (R-K3, R-K4).
//!
//! For: Kumar and Vadhiyar's point and class forecasts from the last 5,000 jobs that have started, with their distance
//! and with a better one.
//!
//! Not for: probabilities by a classifier (the module `svm`); neighbours by who submitted the job
//! ([`InstanceForecaster`](crate::InstanceForecaster)).

mod distance;
pub(crate) mod feature_row;
mod history;
mod point;

pub use distance::{Distance, TimeUnit};
pub use history::HISTORY_JOBS;
pub(crate) use history::History;
pub use point::PointEstimate;

use queuecast_workload::{Submission, Time};

use self::distance::{Neighbour, nearest};
use self::feature_row::FeatureRow;
use crate::distribution::WaitDistribution;
use crate::forecast::{NamedWaitClasses, WaitForecast};
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// Which classes are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Naming {
    /// That of the point and those beside it, as the paper does (R-K7).
    #[default]
    AroundPoint,
    /// Those that most of the neighbours, by weight, are in: a mean of short and long waits is in a class of neither.
    MostProbable,
}

/// What neighbours are and what is made of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighbourSettings {
    /// How far apart jobs are.
    pub distance: Distance,
    /// Neighbours are within the first multiple of this that has any.
    pub step: f64,
    /// One number.
    pub point: PointEstimate,
    /// The classes named.
    pub naming: Naming,
    /// How many started jobs are remembered.
    pub history_jobs: usize,
}

impl NeighbourSettings {
    /// With this distance and its step; the rest as in the paper.
    pub fn with_distance(distance: Distance) -> Self {
        Self {
            distance,
            step: distance.default_step(),
            point: PointEstimate::default(),
            naming: Naming::default(),
            history_jobs: HISTORY_JOBS,
        }
    }
}

impl Default for NeighbourSettings {
    /// The paper's.
    fn default() -> Self {
        Self::with_distance(Distance::default())
    }
}

/// Forecasts from nearest neighbours.
#[derive(Clone, Debug)]
pub struct NeighbourForecaster {
    history: History,
    search: NeighbourSearch,
}

impl NeighbourForecaster {
    /// That has seen nothing.
    pub fn new(settings: NeighbourSettings) -> Self {
        Self { history: History::new(settings.history_jobs), search: NeighbourSearch::new(settings) }
    }
}

impl WaitForecaster for NeighbourForecaster {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let features = *state.features(job, now).as_array();
        let forecast = self.search.forecast(&features, &self.history);
        self.history.arrive(job.job, features);
        forecast
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.history.start(job, now);
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.history.withdraw(job.job);
    }
}

/// The search itself, with its memory, over a history that others may look at too.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourSearch {
    settings: NeighbourSettings,
    distances: Vec<f64>,
    neighbours: Vec<Neighbour>,
}

impl NeighbourSearch {
    pub(crate) fn new(settings: NeighbourSettings) -> Self {
        Self { settings, distances: Vec::new(), neighbours: Vec::new() }
    }

    pub(crate) fn forecast(&mut self, features: &FeatureRow, history: &History) -> WaitForecast {
        self.settings.distance.to_all(features, history, &mut self.distances);
        nearest(&self.distances, self.settings.step, &mut self.neighbours);
        let point_seconds = self.settings.point.of(features, &self.neighbours, history);
        let distribution = WaitDistribution::weighted(
            self.neighbours.iter().map(|neighbour| (history.waits_seconds()[neighbour.place], neighbour.weight)),
        );
        let classes = distribution.classes();
        WaitForecast {
            point_seconds,
            ranges: match self.settings.naming {
                Naming::AroundPoint => NamedWaitClasses::around(point_seconds, &classes),
                Naming::MostProbable => NamedWaitClasses::most_probable(&classes),
            },
            bound95_seconds: distribution.quantile(0.95),
            classes,
            distribution,
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn a_job_like_those_before_waits_as_they_did() {
        for distance in [Distance::default(), Distance::Heom] {
            let mut forecaster = NeighbourForecaster::new(NeighbourSettings::with_distance(distance));
            let state = SiteState::new(Machine { processors: 64 });
            for (job, processors, wait) in [(0, 4, 100), (1, 4, 300), (2, 60, 50_000)] {
                let submission = submission(job, 0, processors, Some(600));
                forecaster.on_arrival(&submission, &state, Time(0));
                forecaster.on_start(&submission, Time(wait));
            }
            let small = forecaster.on_arrival(&submission(3, 60_000, 4, Some(600)), &state, Time(60_000));
            assert!((small.point_seconds - 200.0).abs() < 1e-9, "{distance:?}: {}", small.point_seconds);
            assert!((small.bound95_seconds - 300.0).abs() < 1e-9);
            let large = forecaster.on_arrival(&submission(4, 60_000, 60, Some(600)), &state, Time(60_000));
            assert_eq!(large.ranges.single.index(), 4, "{distance:?}");
        }
    }

    #[test]
    fn a_mean_between_two_classes_is_not_the_most_probable_class() {
        let state = SiteState::new(Machine { processors: 64 });
        let named = [Naming::AroundPoint, Naming::MostProbable].map(|naming| {
            let mut forecaster = NeighbourForecaster::new(NeighbourSettings { naming, ..NeighbourSettings::default() });
            for (job, wait) in [(0, 0), (1, 0), (2, 20_000)] {
                let submission = submission(job, 0, 4, Some(600));
                forecaster.on_arrival(&submission, &state, Time(0));
                forecaster.on_start(&submission, Time(wait));
            }
            forecaster.on_arrival(&submission(3, 30_000, 4, Some(600)), &state, Time(30_000)).ranges.single.index()
        });
        assert_eq!(named, [1, 0]);
    }
}
