//! How unevenly estimates are used, and how their times spread (sections 5 to 7; R-E1, R-E2 and R-E10).

use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::TimeTally;

/// How many of the most popular estimates it takes to cover that many per cent of the jobs.
pub fn bins_to_cover(estimates: &TimeTally, per_cent: f64) -> usize {
    let wanted = estimates.total() as f64 * per_cent / 100.0;
    let covered = running_sums(estimates);
    covered.iter().position(|&covered| covered as f64 >= wanted).map_or(covered.len(), |place| place + 1)
}

/// What that many of the most popular estimates cover, in per cent of the jobs.
pub fn covered_by(estimates: &TimeTally, bins: usize) -> f64 {
    let covered = running_sums(estimates);
    let last = covered.len().min(bins).checked_sub(1).map_or(0, |place| covered[place]);
    100.0 * last as f64 / (estimates.total() as f64).max(1.0)
}

/// The per cent of the estimates that are used by all but as many per cent of the jobs: 9 in a joint ratio of 9/91.
pub fn joint_ratio(estimates: &TimeTally) -> f64 {
    let covered = running_sums(estimates);
    let (bins, jobs) = (covered.len() as f64, estimates.total() as f64);
    let meets = |(place, &covered): (usize, &u64)| (place + 1) as f64 / bins + covered as f64 / jobs >= 1.0;
    covered.iter().enumerate().position(meets).map_or(f64::NAN, |place| 100.0 * (place + 1) as f64 / bins)
}

/// The bend a of f(x) = (a - 1) x / (a - x) that fits the times best, by least squares: x is the rank of a time over
/// their number, f(x) the time over the longest.
pub fn bend_of_times(estimates: &TimeTally) -> f64 {
    let longest = estimates.longest().map_or(1.0, Seconds::as_f64);
    let times: Vec<f64> = estimates.iter().map(|(time, _)| time.as_f64() / longest).collect();
    let error = |bend: f64| -> f64 {
        let at = |rank: usize| (rank + 1) as f64 / times.len() as f64;
        let fitted = |x: f64| (bend - 1.0) * x / (bend - x);
        times.iter().enumerate().map(|(rank, time)| (fitted(at(rank)) - time).powi(2)).sum()
    };
    // The error falls and then rises with the bend: the third of the interval on the worse side is dropped.
    let (mut low, mut high) = (1.000_1, 50.0);
    while high - low > 1e-6 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(left) < error(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high)
}

/// Jobs covered by the most popular estimate, the two most popular, and so on.
fn running_sums(estimates: &TimeTally) -> Vec<u64> {
    let mut counts: Vec<u64> = estimates.iter().map(|(_, count)| count).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let mut sum = 0;
    for count in &mut counts {
        sum += *count;
        *count = sum;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(counts: &[(i64, usize)]) -> TimeTally {
        counts.iter().flat_map(|&(time, count)| std::iter::repeat_n(Seconds(time), count)).collect()
    }

    #[test]
    fn the_most_popular_come_first_however_long_they_are() {
        let estimates = used(&[(60, 1), (300, 50), (600, 9), (900, 40)]);
        assert_eq!([50.0, 51.0, 90.0, 99.0, 100.0].map(|share| bins_to_cover(&estimates, share)), [1, 2, 2, 3, 4]);
        assert!((covered_by(&estimates, 2) - 90.0).abs() < 1e-12 && (covered_by(&estimates, 9) - 100.0).abs() < 1e-12);
    }

    #[test]
    fn a_tenth_of_the_estimates_for_nine_tenths_of_the_jobs_is_a_joint_ratio_of_ten() {
        let rest: Vec<(i64, usize)> = (1..=9).map(|time| (time * 60, 10)).chain([(6_000, 810)]).collect();
        assert!((joint_ratio(&used(&rest)) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn the_bend_that_made_the_times_is_found_again() {
        for bend in [1.24, 1.5, 1.91] {
            let time = |rank: i32| {
                let x = f64::from(rank) / 300.0;
                #[expect(clippy::cast_possible_truncation, reason = "ten million at most")]
                Seconds((1e7 * (bend - 1.0) * x / (bend - x)) as i64)
            };
            let estimates: TimeTally = (1..=300).map(time).collect();
            assert!((bend_of_times(&estimates) - bend).abs() < 1e-3, "{}", bend_of_times(&estimates));
        }
    }
}
