//! A category: the last points of similar jobs, and their sums (R-S2).

use std::collections::VecDeque;
use std::num::NonZeroUsize;

use super::Estimator;
use super::sums::{COUNT_MAX, Fit, Point, Sums};

/// The most points that are kept in order: putting one in its place moves half of them.
const SORTED_MAX: usize = 1 << 16;

/// What one template remembers of the ended jobs that are similar to each other. A [`super::TemplateLearner`] fills
/// and reads it.
#[derive(Clone, Debug, Default)]
pub struct Category {
    /// The points in the sums, oldest first, where they will have to be taken out again.
    recent: VecDeque<Point>,
    sums: Sums,
    /// What was remembered, in order; only where the median is asked for.
    sorted: Vec<i64>,
}

impl Category {
    /// What the points say about a job at `x`.
    pub(super) fn fit(&self, estimator: Estimator, x: i64) -> Option<Fit> {
        match estimator {
            Estimator::Mean => self.sums.mean(),
            Estimator::Median => self.median(),
            Estimator::Linear | Estimator::Inverse | Estimator::Logarithmic => self.sums.line_at(x),
        }
    }

    /// Puts a point in, and out the oldest beyond the maximum. After 2^26 points (years of a busy cluster), a category
    /// of unlimited history stays as it is.
    pub(super) fn insert(&mut self, point: Point, estimator: Estimator, maximum_history: Option<NonZeroUsize>) {
        let keeps_order = estimator == Estimator::Median;
        let maximum = maximum_history.map(|maximum| maximum.get().min(COUNT_MAX as usize));
        let maximum = if keeps_order { Some(maximum.unwrap_or(SORTED_MAX).min(SORTED_MAX)) } else { maximum };
        if let Some(maximum) = maximum {
            if self.recent.len() >= maximum
                && let Some(oldest) = self.recent.pop_front()
            {
                self.sums.remove(oldest);
                if keeps_order && let Ok(place) = self.sorted.binary_search(&oldest.y) {
                    self.sorted.remove(place);
                }
            }
            self.recent.push_back(point);
        } else if self.sums.count() >= COUNT_MAX {
            return;
        }
        self.sums.add(point);
        if keeps_order {
            let place = self.sorted.partition_point(|other| *other <= point.y);
            self.sorted.insert(place, point.y);
        }
    }

    /// The median, and how far the points lie from it.
    fn median(&self) -> Option<Fit> {
        let fit = self.sums.mean()?;
        let count = self.sorted.len();
        let middle = self.sorted.get(count.saturating_sub(1) / 2)? + self.sorted[count / 2];
        let median = middle as f64 / 2.0;
        let from_mean = fit.value - median;
        let residual_squares = fit.residual_squares + count as f64 * from_mean * from_mean;
        Some(Fit { value: median, residual_squares, ..fit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(runs: &[i64], maximum_history: Option<usize>) -> Category {
        filled(runs, Estimator::Mean, maximum_history)
    }

    fn filled(runs: &[i64], estimator: Estimator, maximum_history: Option<usize>) -> Category {
        let mut category = Category::default();
        let maximum_history = maximum_history.and_then(NonZeroUsize::new);
        for &y in runs {
            category.insert(Point { x: 0, y }, estimator, maximum_history);
        }
        category
    }

    #[test]
    fn the_oldest_beyond_the_maximum_are_forgotten() {
        let limited = after(&[500, 1, 2, 3, 4], Some(3));
        assert_eq!(limited.sums, after(&[2, 3, 4], None).sums);
        assert_eq!(limited.recent.len(), 3);
        assert_eq!(after(&[500, 1], Some(1)).sums, after(&[1], None).sums);
    }

    #[test]
    fn unlimited_history_keeps_sums_only() {
        let category = after(&[500, 1, 2, 3, 4], None);
        assert_eq!(category.sums.count(), 5);
        assert!(category.recent.is_empty());
    }

    /// Of 5, 1, 2, 9: first all of them, then the last three; the squares are those around the median.
    #[test]
    fn the_median_is_of_what_is_remembered() {
        let all = filled(&[5, 1, 2, 9], Estimator::Median, None).fit(Estimator::Median, 0).unwrap();
        assert!((all.value - 3.5).abs() < 1e-12, "{all:?}");
        let last = filled(&[5, 1, 2, 9], Estimator::Median, Some(3)).fit(Estimator::Median, 0).unwrap();
        assert!((last.value - 2.0).abs() < 1e-12 && (last.residual_squares - 50.0).abs() < 1e-9, "{last:?}");
        assert_eq!(last.degrees_of_freedom, 2);
    }

    #[test]
    fn equal_run_times_leave_the_order_one_by_one() {
        let category = filled(&[7, 7, 3, 7, 1, 1], Estimator::Median, Some(4));
        assert_eq!(category.sorted, [1, 1, 3, 7]);
    }
}
