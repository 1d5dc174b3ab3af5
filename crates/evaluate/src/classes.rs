//! The same measures for narrow and wide, short and long jobs: a mean over all can hide who pays for it.

use serde::Serialize;

use crate::sums::Sums;

/// Upper bounds, in processors, of the size classes; the last class has none.
pub const SIZE_CLASSES: [u32; 5] = [1, 8, 32, 128, 512];
/// Upper bounds, in seconds of run time, of the length classes: a minute, ten, an hour, eight hours; the last
/// class has none.
pub const LENGTH_CLASSES: [i64; 4] = [60, 600, 3_600, 28_800];

/// Sums over the jobs of each class; the last class is the one without an upper bound.
#[derive(Clone, Debug)]
pub struct ClassSums<B, const BOUNDS: usize> {
    bounds: [B; BOUNDS],
    classes: [Sums; BOUNDS],
    beyond: Sums,
}

/// What the jobs of one class got.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassSummary {
    /// Jobs of the class lie above the bound of the class before and at or below this one; none for the last.
    pub up_to: Option<i64>,
    /// How many there were.
    pub jobs: u64,
    /// Their mean wait in seconds.
    pub wait_mean: f64,
    /// Their mean bounded slowdown.
    pub bounded_slowdown_mean: f64,
}

impl<B: Copy + PartialOrd + Into<i64>, const BOUNDS: usize> ClassSums<B, BOUNDS> {
    pub fn new(bounds: [B; BOUNDS]) -> Self {
        Self { bounds, classes: [Sums::default(); BOUNDS], beyond: Sums::default() }
    }

    pub fn add(&mut self, value: B, wait: f64, slowdown: f64) {
        // Counted rather than searched for: no branch to be mispredicted once a job.
        let class: usize = self.bounds.iter().map(|bound| usize::from(value > *bound)).sum();
        let sums = self.classes.get_mut(class).unwrap_or(&mut self.beyond);
        sums.add(wait, slowdown);
    }

    pub fn summary(&self) -> Vec<ClassSummary> {
        let bounds = self.bounds.iter().map(|bound| Some((*bound).into())).chain([None]);
        bounds
            .zip(self.classes.iter().chain([&self.beyond]))
            .map(|(up_to, sums)| ClassSummary {
                up_to,
                jobs: sums.jobs,
                wait_mean: sums.wait_mean(),
                bounded_slowdown_mean: sums.slowdown_mean(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_its_class_and_nothing_is_lost() {
        let mut sums = ClassSums::new(SIZE_CLASSES);
        for processors in [1, 2, 8, 9, 512, 513, 100_000] {
            sums.add(processors, 10.0, 2.0);
        }
        let jobs: Vec<_> = sums.summary().iter().map(|class| class.jobs).collect();
        assert_eq!(jobs, [1, 2, 1, 0, 1, 2]);
    }
}
