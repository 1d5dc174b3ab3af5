//! Kaplan and Meier's estimate with weights: what run times that are not over yet say of those that are.
//!
//! For: a job that has run for an hour says that an hour was too short, though not by how much. Its weight goes to the
//! longer run times, in proportion to theirs (Efron's redistribution to the right, which is the product-limit
//! estimate). Without this, histories lean to short jobs, because of jobs started together the short ones end first.
//!
//! Not for: choosing which jobs are alike.

/// Replaces the weights of run times that are over, in order, by their shares given the run times that are not, also in
/// order. A run time that is not over counts as longer than one that is over and equal to it. The weight of what
/// outlasts every run time that is over goes to the longest.
pub fn redistribute_to_the_right(over: &mut [(u32, f64)], not_over: &[(u32, f64)]) {
    let mut at_risk: f64 =
        over.iter().map(|(_, weight)| weight).sum::<f64>() + not_over.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut surviving = 1.0;
    let mut censored = not_over.iter().peekable();
    let last = over.len().saturating_sub(1);
    for (place, (seconds, weight)) in over.iter_mut().enumerate() {
        while let Some((_, lost)) = censored.next_if(|(age, _)| *age < *seconds) {
            at_risk -= lost;
        }
        let own = *weight;
        // Differences of sums may fall short of what is left by a rounding error.
        let hazard = if place == last { 1.0 } else { (own / at_risk.max(own)).min(1.0) };
        *weight = surviving * hazard;
        surviving *= 1.0 - hazard;
        at_risk -= own;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The survival function as the textbook has it: the product over the distinct run times that are over of one less
    /// those that end there over those that are still there.
    fn product_limit(over: &[(u32, f64)], not_over: &[(u32, f64)], seconds: u32) -> f64 {
        let mut ends: Vec<u32> = over.iter().map(|(end, _)| *end).filter(|end| *end <= seconds).collect();
        ends.dedup();
        let sum = |values: &[(u32, f64)], counts: &dyn Fn(u32) -> bool| -> f64 {
            values.iter().filter(|(value, _)| counts(*value)).map(|(_, weight)| weight).sum()
        };
        ends.into_iter()
            .map(|end| {
                let still_there = sum(over, &|value| value >= end) + sum(not_over, &|value| value >= end);
                1.0 - sum(over, &|value| value == end) / still_there
            })
            .product()
    }

    #[test]
    fn without_censored_run_times_shares_are_weights() {
        let mut over = [(10, 1.0), (20, 3.0)];
        redistribute_to_the_right(&mut over, &[]);
        assert!((over[0].1 - 0.25).abs() < 1e-12 && (over[1].1 - 0.75).abs() < 1e-12);
    }

    #[test]
    fn a_run_time_that_is_not_over_goes_to_the_longer_ones() {
        let mut over = [(10, 1.0), (20, 1.0), (30, 1.0)];
        redistribute_to_the_right(&mut over, &[(15, 1.0)]);
        for ((_, share), expected) in over.into_iter().zip([0.25, 0.375, 0.375]) {
            assert!((share - expected).abs() < 1e-12);
        }
    }

    proptest! {
        #[test]
        fn shares_are_those_of_the_product_limit(
            mut over in proptest::collection::vec((1..30_u32, 0.1..2.0_f64), 1..15),
            mut not_over in proptest::collection::vec((1..30_u32, 0.1..2.0_f64), 0..10),
        ) {
            over.sort_by_key(|(seconds, _)| *seconds);
            not_over.sort_by_key(|(seconds, _)| *seconds);
            let mut shares = over.clone();
            redistribute_to_the_right(&mut shares, &not_over);
            prop_assert!((shares.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            let longest = over.last().map_or(0, |(seconds, _)| *seconds);
            for seconds in 0..longest {
                let beyond: f64 = shares.iter().filter(|(value, _)| *value > seconds).map(|(_, share)| share).sum();
                prop_assert!((beyond - product_limit(&over, &not_over, seconds)).abs() < 1e-9, "{seconds}");
            }
        }
    }
}
