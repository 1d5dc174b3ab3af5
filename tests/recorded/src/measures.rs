//! Means, medians and shares; of nothing there is none.

use serde::{Deserialize, Serialize};

/// The mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value in the middle; between the two there if they are an even number.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let above = *values.get(values.len() / 2)?;
    let below = values[(values.len() - 1) / 2];
    Some(f64::midpoint(below, above))
}

/// One number by another; none of what is not known, or by zero.
pub fn ratio(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    other.filter(|other| *other > 0.0).and_then(|other| Some(one? / other))
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// So many are.
    pub are: usize,
    /// Of so many.
    pub of: usize,
}

impl Share {
    /// Of those that are looked at, those that are.
    pub fn of(looked_at: impl IntoIterator<Item = bool>) -> Self {
        looked_at
            .into_iter()
            .fold(Self::default(), |share, is| Self { are: share.are + usize::from(is), of: share.of + 1 })
    }

    /// As a number from 0 to 1.
    pub fn number(self) -> Option<f64> {
        (self.of > 0).then(|| self.are as f64 / self.of as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_there_is_no_mean_no_median_and_no_share() {
        assert_eq!((mean(&[]), median(vec![]), Share::default().number()), (None, None, None));
        assert_eq!((ratio(Some(1.0), Some(0.0)), ratio(None, Some(1.0))), (None, None));
    }

    #[test]
    fn the_middle_is_found_of_odd_and_even_numbers() {
        assert_eq!((median(vec![9.0, 1.0, 2.0]), median(vec![4.0, 1.0, 2.0, 9.0])), (Some(2.0), Some(3.0)));
        assert_eq!(Share::of([true, false, true, true]).number(), Some(0.75));
    }
}
