//! Jobs of like shape: processors and estimates, both by powers of two.

use crate::features::Demand;

/// A cell of the plane of processors and estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    processors_log2: u32,
    seconds_log2: u32,
}

impl Shape {
    pub(super) fn of(demand: Demand) -> Self {
        let seconds = u64::try_from(demand.estimate.0).unwrap_or(0);
        Self { processors_log2: demand.processors.max(1).ilog2(), seconds_log2: seconds.max(1).ilog2() }
    }

    /// Whether jobs of this shape ask for no more processors.
    pub(super) fn is_no_wider(self, than: Self) -> bool {
        self.processors_log2 <= than.processors_log2
    }

    /// Whether jobs of this shape ask for no more processors and no more time: nearly every policy would let them go first.
    pub(super) fn is_no_larger(self, than: Self) -> bool {
        self.is_no_wider(than) && self.seconds_log2 <= than.seconds_log2
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Seconds;

    use super::*;

    #[test]
    fn larger_is_by_both() {
        let shape = |processors, seconds| Shape::of(Demand { processors, estimate: Seconds(seconds) });
        assert_eq!(shape(8, 3_600), shape(15, 2_048));
        assert!(shape(4, 600).is_no_larger(shape(8, 3_600)));
        assert!(!shape(4, 7_200).is_no_larger(shape(8, 3_600)) && shape(4, 7_200).is_no_wider(shape(8, 3_600)));
        assert_eq!(shape(0, -5), shape(1, 1), "nonsense is the least there is");
    }
}
