//! Durations counted so that their median can be told without keeping them.
//!
//! For: medians of any number of waits in bounded memory. Not for: exact ones; a cell is two per cent wide, and the median
//! is given as its middle.

/// Cells in which a duration doubles.
const CELLS_PER_DOUBLING: f64 = 32.0;
/// The longest that is told apart, as a power of two seconds: 35,000 years.
const DOUBLINGS: usize = 40;
const CELLS: usize = DOUBLINGS * 32 + 2;

/// How many durations fell into each cell; the first is for less than a second.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationCounts {
    cells: Vec<u64>,
    total: u64,
}

impl Default for DurationCounts {
    fn default() -> Self {
        Self { cells: vec![0; CELLS], total: 0 }
    }
}

impl DurationCounts {
    /// One more.
    pub fn add(&mut self, seconds: f64) {
        let cell = if seconds < 1.0 { 0.0 } else { 1.0 + (seconds.log2() * CELLS_PER_DOUBLING).floor() };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not below zero, and cut at the last"
        )]
        let cell = (cell as usize).min(CELLS - 1);
        self.cells[cell] += 1;
        self.total += 1;
    }

    /// All of another's too.
    pub fn add_all(&mut self, other: &Self) {
        for (count, more) in self.cells.iter_mut().zip(&other.cells) {
            *count += more;
        }
        self.total += other.total;
    }

    /// In whole seconds; nothing without any.
    pub fn median_seconds(&self) -> Option<f64> {
        let mut before = 0;
        let reaches_half = |count: &u64| {
            before += count;
            2 * before >= self.total
        };
        let cell = self.cells.iter().position(reaches_half).filter(|_| self.total > 0)?;
        Some(if cell == 0 { 0.0 } else { ((cell as f64 - 0.5) / CELLS_PER_DOUBLING).exp2().round() })
    }
}

/// The median of all together; zero without any.
pub fn median_of_all<'a>(counts: impl IntoIterator<Item = &'a DurationCounts>) -> f64 {
    let mut all = DurationCounts::default();
    for counts in counts {
        all.add_all(counts);
    }
    all.median_seconds().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::DurationCounts;

    fn median(durations: impl IntoIterator<Item = f64>) -> Option<f64> {
        let mut counts = DurationCounts::default();
        for seconds in durations {
            counts.add(seconds);
        }
        counts.median_seconds()
    }

    #[test]
    fn a_median_is_within_two_per_cent() {
        for exact in [3.0, 61.0, 3_600.0, 86_400.0, 2_500_000.0] {
            let told = median([0.0, exact, 1e9]).expect("there are three");
            assert!((told - exact).abs() <= 0.02 * exact, "{told} for {exact}");
        }
    }

    #[test]
    fn who_does_not_wait_waits_for_nothing_and_of_nobody_nothing_is_told() {
        assert_eq!(median([0.0, 0.0, 500.0]), Some(0.0));
        assert_eq!(median([]), None);
        assert!(median([1e300]).is_some_and(f64::is_finite));
    }
}
