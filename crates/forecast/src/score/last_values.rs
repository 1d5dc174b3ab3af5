//! The last values of a stream, and their median.
//!
//! For: exact medians in bounded memory, of what was lately. Means and shares are of everything.

/// How many values are kept.
pub(super) const KEPT: usize = 100_000;

/// Spans in seconds, up to 136 years.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LastValues {
    values: Vec<u32>,
    /// Where the next one goes once all places are taken.
    next: usize,
}

impl LastValues {
    pub fn add(&mut self, seconds: i64) {
        let value = u32::try_from(seconds.max(0)).unwrap_or(u32::MAX);
        if self.values.len() < KEPT {
            self.values.push(value);
        } else {
            self.values[self.next] = value;
            self.next = (self.next + 1) % KEPT;
        }
    }

    /// The one in the middle, or the mean of the two there.
    pub fn median(&self) -> Option<f64> {
        let mut values = self.values.clone();
        let middle = values.len().checked_sub(1)? / 2;
        let is_odd = values.len() % 2 == 1;
        let (_, &mut lower, above) = values.select_nth_unstable(middle);
        let upper = if is_odd { lower } else { above.iter().copied().min().unwrap_or(lower) };
        Some(f64::midpoint(f64::from(lower), f64::from(upper)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let median = |values: &[i64]| {
            let mut last = LastValues::default();
            for &value in values {
                last.add(value);
            }
            last.median()
        };
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(7.0));
        assert_eq!(median(&[9, 1, 5]), Some(5.0));
        assert_eq!(median(&[9, 1, 5, 2]), Some(3.5));
        assert_eq!(median(&[i64::MAX, -3]), Some(f64::from(u32::MAX) / 2.0));
    }

    #[test]
    fn only_the_last_count() {
        let mut last = LastValues::default();
        (0..KEPT).for_each(|_| last.add(1));
        (0..=KEPT / 2).for_each(|_| last.add(9));
        assert_eq!(last.median(), Some(9.0));
        assert_eq!(last.values.len(), KEPT);
    }
}
