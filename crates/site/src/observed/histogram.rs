//! Durations counted by how long they are, with fixed bounds.
//!
//! For: counts that only grow, as Prometheus wants them, in a few words of memory however many durations there were.
//!
//! Not for: exact quantiles (`queuecast_forecast::durations`).

/// Counted durations.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    bounds_seconds: &'static [f64],
    /// One for each bound, of durations that are no longer and longer than the bound before; and one for the longer ones.
    counts: Vec<u64>,
    sum_seconds: f64,
}

impl Histogram {
    /// None yet. The bounds rise.
    pub fn new(bounds_seconds: &'static [f64]) -> Self {
        Self { bounds_seconds, counts: vec![0; bounds_seconds.len() + 1], sum_seconds: 0.0 }
    }

    /// Counts one.
    pub fn add(&mut self, seconds: f64) {
        let place = self.bounds_seconds.partition_point(|bound| *bound < seconds);
        self.counts[place] += 1;
        self.sum_seconds += seconds;
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How long they were together.
    pub fn sum_seconds(&self) -> f64 {
        self.sum_seconds
    }

    /// Each bound, and how many lie between it and the one before; the last is infinite.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        self.bounds_seconds.iter().copied().chain([f64::INFINITY]).zip(self.counts.iter().copied())
    }

    /// The lowest bound that so large a share of them do not exceed; `None` where there is none, or it is beyond the last bound.
    pub fn bound_of_share(&self, share: f64) -> Option<f64> {
        let wanted = share * self.count() as f64;
        let mut below = 0;
        let reached = self.buckets().find(|(_, count)| {
            below += count;
            below > 0 && below as f64 >= wanted
        });
        reached.map(|(bound, _)| bound).filter(|bound| bound.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_the_bucket_it_ends_and_shares_are_found_by_their_bounds() {
        let mut histogram = Histogram::new(&[1.0, 10.0]);
        assert_eq!((histogram.count(), histogram.bound_of_share(0.5)), (0, None));
        for seconds in [0.0, 1.0, 1.5, 10.0, 11.0] {
            histogram.add(seconds);
        }
        assert_eq!(histogram.buckets().collect::<Vec<_>>(), [(1.0, 2), (10.0, 2), (f64::INFINITY, 1)]);
        assert_eq!((histogram.count(), histogram.sum_seconds()), (5, 23.5));
        assert_eq!(histogram.bound_of_share(0.4), Some(1.0));
        assert_eq!(histogram.bound_of_share(0.5), Some(10.0));
        assert_eq!(histogram.bound_of_share(0.95), None, "some are longer than the last bound");
    }
}
