//! How far two distributions are apart.
//!
//! For: made-up estimates beside the real ones. Not for: whether they differ by more than chance; with a hundred
//! thousand jobs everything does.

use queuecast_workload::Seconds;

/// The largest difference between the cumulative distributions of two sets of times, as a share from 0 to 1. Each is
/// given as its different times, the shortest first, with their weights, in any unit.
pub fn kolmogorov_smirnov(one: &[(Seconds, f64)], other: &[(Seconds, f64)]) -> f64 {
    let total = |times: &[(Seconds, f64)]| times.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let (total_one, total_other) = (total(one), total(other));
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let (mut below_one, mut below_other, mut largest) = (0.0, 0.0, 0.0_f64);
    while let Some(&time) = [one.peek(), other.peek()].into_iter().flatten().map(|(time, _)| time).min() {
        // Both steps at a time count before the difference is taken there.
        below_one += one.next_if(|(next, _)| *next == time).map_or(0.0, |(_, weight)| weight / total_one);
        below_other += other.next_if(|(next, _)| *next == time).map_or(0.0, |(_, weight)| weight / total_other);
        largest = largest.max((below_one - below_other).abs());
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(weights: &[(i64, f64)]) -> Vec<(Seconds, f64)> {
        weights.iter().map(|&(time, weight)| (Seconds(time), weight)).collect()
    }

    /// By hand: the cumulative shares at 1, 2, 3, 4 are 1/4, 1/4, 3/4, 1 and 0, 1/2, 1/2, 1.
    #[test]
    fn the_largest_gap_is_found_wherever_it_is() {
        let (one, other) = (times(&[(1, 1.0), (3, 2.0), (4, 1.0)]), times(&[(2, 50.0), (4, 50.0)]));
        assert!((kolmogorov_smirnov(&one, &other) - 0.25).abs() < 1e-12);
        assert!((kolmogorov_smirnov(&other, &one) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn the_same_in_another_unit_is_not_apart_and_what_does_not_overlap_is_as_far_as_can_be() {
        let one = times(&[(1, 1.0), (3, 2.0)]);
        assert!(kolmogorov_smirnov(&one, &times(&[(1, 10.0), (3, 20.0)])) < 1e-12);
        assert!((kolmogorov_smirnov(&one, &times(&[(7, 1.0)])) - 1.0).abs() < 1e-12);
        assert!(kolmogorov_smirnov(&[], &[]) < 1e-12);
    }
}
