//! What is said of a job's wait.

use crate::class::{WAIT_CLASSES, WaitClass, WaitClassProbabilities};
use crate::distribution::WaitDistribution;

/// A forecast of a wait.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitForecast {
    /// One number, in seconds.
    pub point_seconds: f64,
    /// How waits are spread.
    pub distribution: WaitDistribution,
    /// How likely each class is: that of the distribution, or of a classifier.
    pub classes: WaitClassProbabilities,
    /// Which class, which two and which three are named.
    pub ranges: NamedWaitClasses,
    /// The wait is at most this with 95 % certainty, in seconds.
    pub bound95_seconds: f64,
}

/// Classes named, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedWaitClasses {
    /// One.
    pub single: WaitClass,
    /// Two that are neighbours; the same twice where there is only one candidate.
    pub two: [WaitClass; 2],
    /// Three that are neighbours; the last repeated where there are fewer.
    pub three: [WaitClass; 3],
}

impl WaitForecast {
    /// From a distribution alone: its median, its classes, its 95 % quantile.
    pub fn from_distribution(distribution: WaitDistribution) -> Self {
        let classes = distribution.classes();
        Self {
            point_seconds: distribution.quantile(0.5),
            bound95_seconds: distribution.quantile(0.95),
            ranges: NamedWaitClasses::most_probable(&classes),
            classes,
            distribution,
        }
    }
}

impl NamedWaitClasses {
    /// The most probable class, two neighbours and three neighbours; of equally probable ones the shorter waits.
    pub fn most_probable(classes: &WaitClassProbabilities) -> Self {
        let first_of = |width: usize| {
            let sum = |from: usize| classes[from..from + width].iter().sum::<f64>();
            (1..=WAIT_CLASSES - width).fold(0, |best, from| if sum(from) > sum(best) + 1e-12 { from } else { best })
        };
        let class = |index: usize| WaitClass::at(index).expect("a place among the classes");
        let (two, three) = (first_of(2), first_of(3));
        Self {
            single: class(first_of(1)),
            two: [class(two), class(two + 1)],
            three: [class(three), class(three + 1), class(three + 2)],
        }
    }

    /// Around the class of a point, as Kumar and Vadhiyar do (R-K7): it and its neighbours are the candidates; of these the
    /// two most probable are named as two, all as three.
    pub fn around(point_seconds: f64, classes: &WaitClassProbabilities) -> Self {
        let middle = WaitClass::of(point_seconds);
        let index = middle.index();
        let mut candidates: Vec<WaitClass> = (index.saturating_sub(1)..=index + 1).filter_map(WaitClass::at).collect();
        // Stable: of equally probable ones the shorter waits.
        candidates.sort_by(|one, other| classes[other.index()].total_cmp(&classes[one.index()]));
        let last = *candidates.last().unwrap_or(&middle);
        Self {
            single: middle,
            two: [candidates[0], candidates[1]],
            three: [candidates[0], candidates[1], *candidates.get(2).unwrap_or(&last)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_named_together() {
        let ranges = NamedWaitClasses::most_probable(&[0.3, 0.0, 0.25, 0.25, 0.2, 0.0]);
        assert_eq!(ranges.single.index(), 0);
        assert_eq!(ranges.two.map(WaitClass::index), [2, 3]);
        assert_eq!(ranges.three.map(WaitClass::index), [2, 3, 4]);
    }

    #[test]
    fn around_a_point_only_its_neighbours_are_candidates() {
        let ranges = NamedWaitClasses::around(4_000.0, &[0.1, 0.2, 0.3, 0.4, 0.0, 0.0]);
        assert_eq!(ranges.single.index(), 1);
        assert_eq!(ranges.two.map(WaitClass::index), [2, 1]);
        assert_eq!(ranges.three.map(WaitClass::index), [2, 1, 0]);
        let first = NamedWaitClasses::around(0.0, &[0.4, 0.6, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(first.two.map(WaitClass::index), [1, 0]);
        assert_eq!(first.three.map(WaitClass::index), [1, 0, 0]);
    }
}
