//! Jobs of like shape: processors and estimates, both by powers of two or by finer steps.

use crate::features::Demand;

/// A cell of the plane of processors and estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Shape {
    processors_step: u32,
    seconds_step: u32,
}

impl Shape {
    /// By powers of two: jobs that are alike.
    pub(crate) fn of(demand: Demand) -> Self {
        Self::by_steps(demand, 1.0)
    }

    /// By eighths of that: to tell who is larger.
    pub(crate) fn fine(demand: Demand) -> Self {
        Self::by_steps(demand, 8.0)
    }

    fn by_steps(demand: Demand, steps_per_doubling: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from zero to some hundreds")]
        let step = |value: f64| (value.max(1.0).log2() * steps_per_doubling) as u32;
        Self { processors_step: step(f64::from(demand.processors)), seconds_step: step(demand.estimate.as_f64()) }
    }

    /// Whether jobs of this shape ask for no more processors.
    pub(crate) fn is_no_wider(self, than: Self) -> bool {
        self.processors_step <= than.processors_step
    }

    /// Whether jobs of this shape ask for no more processors and no more time: nearly every policy would let them go first.
    pub(crate) fn is_no_larger(self, than: Self) -> bool {
        self.is_no_wider(than) && self.seconds_step <= than.seconds_step
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
        let fine = |processors, seconds| Shape::fine(Demand { processors, estimate: Seconds(seconds) });
        assert!(!fine(15, 3_600).is_no_larger(fine(8, 3_600)));
    }
}
