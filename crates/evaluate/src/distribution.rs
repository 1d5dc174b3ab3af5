//! A mean and exact quantiles of many small numbers, in four bytes each.

/// Collects values as they come. The mean, the largest value and their count are exact; quantiles are exact to
/// the seven digits of a single-precision number, which is what lets a hundred million jobs fit in memory.
#[derive(Clone, Debug, Default)]
pub struct Distribution {
    values: Vec<f32>,
    sum: f64,
    max: f64,
}

impl Distribution {
    /// Adds a value, which must not be negative.
    pub fn add(&mut self, value: f64) {
        debug_assert!(value >= 0.0, "{value} is negative");
        #[expect(clippy::cast_possible_truncation, reason = "quantiles are kept in single precision on purpose")]
        self.values.push(value as f32);
        self.sum += value;
        self.max = self.max.max(value);
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The mean; zero if there are no values.
    pub fn mean(&self) -> f64 {
        if self.values.is_empty() { 0.0 } else { self.sum / self.values.len() as f64 }
    }

    /// The largest value; zero if there are none.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// For each share, the smallest value that at least that share of the values does not exceed (nearest rank);
    /// zero if there are none. Shares must ascend. Reorders the values.
    pub fn quantiles<const N: usize>(&mut self, shares: [f64; N]) -> [f64; N] {
        let count = self.values.len();
        // All values before this index are at most as large as the later ones, so the next rank is not before it.
        let mut from = 0;
        shares.map(|share| {
            if count == 0 {
                return 0.0;
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the count")]
            let rank = ((share * count as f64).ceil() as usize).clamp(1, count);
            let (_, value, _) = self.values[from..].select_nth_unstable_by(rank - 1 - from, f32::total_cmp);
            from = rank - 1;
            f64::from(*value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred() {
        let mut distribution = Distribution::default();
        for value in (1..=100).rev() {
            distribution.add(f64::from(value));
        }
        let quantiles = distribution.quantiles([0.0, 0.5, 0.95, 0.99, 1.0]).map(|value| format!("{value}"));
        assert_eq!(quantiles, ["1", "50", "95", "99", "100"]);
        assert!((distribution.mean() - 50.5).abs() < 1e-12);
        assert!((distribution.max() - 100.0).abs() < 1e-12);
    }

    #[test]
    fn quantiles_of_repeated_values_agree_with_sorting() {
        let values: Vec<f64> = (0..997_u32).map(|index| f64::from(index * index % 61)).collect();
        let mut distribution = Distribution::default();
        for value in &values {
            distribution.add(*value);
        }
        let mut sorted = values;
        sorted.sort_by(f64::total_cmp);
        // Ranks 499, 948 and 988 of 997, counted from 1.
        let expected = [sorted[498], sorted[947], sorted[987]];
        for (quantile, value) in distribution.quantiles([0.50, 0.95, 0.99]).into_iter().zip(expected) {
            assert!((quantile - value).abs() < 1e-12, "{quantile} instead of {value}");
        }
    }

    #[test]
    fn nothing_measured_is_zero_not_a_panic() {
        assert!(Distribution::default().quantiles([0.5])[0].abs() < f64::EPSILON);
        assert!(Distribution::default().mean().abs() < f64::EPSILON);
    }
}
