//! How far apart two jobs are, and who is near.
//!
//! The paper's "HEOM" is the distance of Bray and Curtis, in which processor times of millions of seconds drown
//! everything else (E-S1.1): what it finds near depends on the unit that time is told in, which the paper does not say.
//! The true heterogeneous Euclidean-overlap metric of Wilson and Martinez divides every
//! difference by the range of its feature.

use super::feature_row::{ARE_SECONDS, FEATURES, FeatureRow};
use super::history::{History, sums_of};

/// What time is told in, where that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    /// As in logs.
    #[default]
    Seconds,
    /// As wide as the longest classes: processor times and counts of jobs are then of the same order. Comes closest to
    /// the accuracy that the paper reports.
    Days,
}

impl TimeUnit {
    fn seconds(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Days => 86_400.0,
        }
    }
}

/// How far apart two jobs are: from zero to one, for jobs within the ranges seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The sum of differences over the sum of values, as the paper prints it.
    BrayCurtis(TimeUnit),
    /// The root of the mean squared difference, each over the range that its feature has had so far. Wilson and
    /// Martinez take the sum; the mean makes thresholds mean the same whatever the number of features.
    Heom,
}

impl Default for Distance {
    fn default() -> Self {
        Self::BrayCurtis(TimeUnit::default())
    }
}

impl Distance {
    /// Jobs within one such step are neighbours; without any, within two, and so on. The paper's is 0.05 for its
    /// distance. For HEOM steps from 0.02 to 0.05 differ by less than a point of accuracy on four logs; at 0.03 the
    /// mean error is least.
    pub fn default_step(self) -> f64 {
        match self {
            Self::BrayCurtis(_) => 0.05,
            Self::Heom => 0.03,
        }
    }

    /// The distance to every job of the history, by place.
    pub(crate) fn to_all(self, features: &FeatureRow, history: &History, distances: &mut Vec<f64>) {
        distances.clear();
        distances.resize(history.waits_seconds().len(), 0.0);
        match self {
            Self::BrayCurtis(unit) => {
                let per_second = unit.seconds().recip();
                for ((column, own), seconds) in history.columns().iter().zip(features).zip(ARE_SECONDS) {
                    let scale = if seconds { per_second } else { 1.0 };
                    for (distance, other) in distances.iter_mut().zip(column) {
                        *distance += (own - other).abs() * scale;
                    }
                }
                let (own_counts, own_seconds) = sums_of(features);
                for (distance, (counts, seconds)) in distances.iter_mut().zip(history.sums()) {
                    let sum = own_counts + counts + (own_seconds + seconds) * per_second;
                    // Two jobs of nothing but zeros are the same job.
                    *distance = if sum > 0.0 { *distance / sum } else { 0.0 };
                }
            }
            Self::Heom => {
                let ranges = history.ranges();
                for ((column, own), range) in history.columns().iter().zip(features).zip(ranges) {
                    // A feature that never changed tells nothing until it does.
                    let per_range = if range > 0.0 { 1.0 / range } else { 0.0 };
                    for (distance, other) in distances.iter_mut().zip(column) {
                        let difference = (own - other) * per_range;
                        *distance += difference * difference;
                    }
                }
                for distance in distances {
                    *distance = (*distance / FEATURES as f64).sqrt();
                }
            }
        }
    }
}

/// A job of the history that is near, with what it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    /// Its place in the history.
    pub place: usize,
    /// The inverse of its distance; all count one where some are at no distance at all, and only those are neighbours
    /// then (E-S1.2).
    pub weight: f64,
}

/// Everybody within the first multiple of the step that has anybody, in order of places.
pub(crate) fn nearest(distances: &[f64], step: f64, neighbours: &mut Vec<Neighbour>) {
    neighbours.clear();
    let Some(least) = distances.iter().copied().reduce(f64::min) else { return };
    let everybody = distances.iter().copied().enumerate();
    if least <= 0.0 {
        neighbours.extend(
            everybody.filter(|(_, distance)| *distance <= 0.0).map(|(place, _)| Neighbour { place, weight: 1.0 }),
        );
        return;
    }
    // The division may round to just below the step that the nearest is on.
    let within = ((least / step).ceil().max(1.0) * step).max(least);
    neighbours.extend(
        everybody
            .filter(|(_, distance)| *distance <= within)
            .map(|(place, distance)| Neighbour { place, weight: 1.0 / distance }),
    );
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Time};

    use super::*;
    use queuecast_testkit::submission;

    fn history_of(rows: &[[f64; 2]]) -> History {
        let mut history = History::new(10);
        for (job, [first, second]) in (0..).zip(rows) {
            history.arrive(JobId(job), row(*first, *second));
            history.start(&submission(job, 0, 1, None), Time(0));
        }
        history
    }

    fn row(first: f64, second: f64) -> FeatureRow {
        let mut row = [0.0; FEATURES];
        (row[0], row[1]) = (first, second);
        row
    }

    fn distances(distance: Distance, from: FeatureRow, rows: &[[f64; 2]]) -> Vec<f64> {
        let mut distances = vec![9.0; 3];
        distance.to_all(&from, &history_of(rows), &mut distances);
        distances
    }

    #[test]
    fn bray_curtis_is_the_sum_of_differences_over_the_sum_of_values() {
        // (1 + 10) / (4 + 100 + 3 + 110), then the job itself, then nothing in common.
        let found = distances(Distance::default(), row(4.0, 100.0), &[[3.0, 110.0], [4.0, 100.0], [0.0, 0.0]]);
        assert_eq!(found, [11.0 / 217.0, 0.0, 1.0]);
    }

    #[test]
    fn in_days_counts_weigh_more() {
        // (1 + 1) / (4 + 3 + 3 + 2): the estimate is three days against two.
        let days = Distance::BrayCurtis(TimeUnit::Days);
        let found = distances(days, row(4.0, 3.0 * 86_400.0), &[[3.0, 2.0 * 86_400.0]]);
        assert!((found[0] - 2.0 / 12.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn jobs_of_nothing_but_zeros_are_the_same() {
        assert_eq!(distances(Distance::default(), row(0.0, 0.0), &[[0.0, 0.0]]), [0.0]);
    }

    #[test]
    fn heom_divides_by_ranges_and_leaves_out_what_never_changed() {
        // Ranges 4 and 200: (1 / 4)^2 + (100 / 200)^2 = 0.3125; the other 17 features are all zero.
        let found = distances(Distance::Heom, row(1.0, 200.0), &[[0.0, 100.0], [4.0, 300.0], [1.0, 200.0]]);
        assert!((found[0] - (0.3125_f64 / 19.0).sqrt()).abs() < 1e-12);
        assert!((found[1] - (0.8125_f64 / 19.0).sqrt()).abs() < 1e-12);
        assert!(found[2].abs() < 1e-12);
    }

    #[test]
    fn the_first_step_with_anybody_decides_who_is_near() {
        let mut neighbours = Vec::new();
        nearest(&[0.2, 0.14, 0.11, 0.9, 0.15], 0.05, &mut neighbours);
        let places: Vec<usize> = neighbours.iter().map(|neighbour| neighbour.place).collect();
        assert_eq!(places, [1, 2, 4]);
        assert!((neighbours[1].weight - 1.0 / 0.11).abs() < 1e-12);
        nearest(&[0.05, 0.01, 0.06], 0.05, &mut neighbours);
        assert_eq!(neighbours.iter().map(|neighbour| neighbour.place).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn at_no_distance_only_those_count() {
        let mut neighbours = Vec::new();
        nearest(&[0.01, 0.0, 0.02, 0.0], 0.05, &mut neighbours);
        assert_eq!(neighbours, [Neighbour { place: 1, weight: 1.0 }, Neighbour { place: 3, weight: 1.0 }]);
    }

    #[test]
    fn with_no_history_nobody_is_near() {
        let mut neighbours = vec![Neighbour { place: 1, weight: 1.0 }];
        nearest(&[], 0.05, &mut neighbours);
        assert!(neighbours.is_empty());
    }
}
