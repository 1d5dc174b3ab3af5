//! Which of two comes first, if both are only known as ranges.
//!
//! For: saying that two places or two widths are too close to choose between, instead of ranking them by their medians.
//!
//! Not for: the ranges themselves.

/// How likely one of two must come first for it to be preferred: what two in three would bet on.
pub const CLEAR: f64 = 2.0 / 3.0;
/// By so many equally likely values a range is stood for.
const DRAWS: u32 = 200;

/// How likely it is that one comes before the other, both given by shares and values in rising order, taken to be independent. As
/// often as both come at once counts half.
pub fn probability_before(one: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let (one, other) = (draws(one), draws(other));
    let mut before = 0.0;
    for value in &one {
        let earlier = other.partition_point(|drawn| drawn < value);
        let not_later = other.partition_point(|drawn| drawn <= value);
        before += (other.len() - not_later) as f64 + 0.5 * (not_later - earlier) as f64;
    }
    before / (one.len() * other.len()).max(1) as f64
}

/// Values in the middle of equally likely slices; straight lines between the shares that are known, level beyond.
fn draws(range: &[(f64, f64)]) -> Vec<f64> {
    let at = |share: f64| {
        let above = range.partition_point(|(known, _)| *known < share);
        match (above.checked_sub(1).map(|below| range[below]), range.get(above)) {
            (Some((low, from)), Some((high, to))) => from + (to - from) * (share - low) / (high - low),
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => 0.0,
        }
    };
    (0..DRAWS).map(|draw| at((f64::from(draw) + 0.5) / f64::from(DRAWS))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(middle: f64, width: f64) -> Vec<(f64, f64)> {
        [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975].map(|share| (share, middle + width * (share - 0.5))).to_vec()
    }

    #[test]
    fn who_is_surely_first_is_and_who_is_like_the_other_is_so_in_half_of_the_cases() {
        assert!(probability_before(&range(10.0, 4.0), &range(100.0, 4.0)) > 0.999);
        assert!(probability_before(&range(100.0, 4.0), &range(10.0, 4.0)) < 0.001);
        assert!((probability_before(&range(10.0, 4.0), &range(10.0, 4.0)) - 0.5).abs() < 1e-9);
        assert!((probability_before(&[(0.5, 7.0)], &[(0.5, 7.0)]) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn ranges_that_overlap_are_not_clear_though_their_middles_differ() {
        let (one, other) = (range(100.0, 100.0), range(110.0, 100.0));
        let before = probability_before(&one, &other);
        assert!(before > 0.5 && before < CLEAR, "{before}");
        assert!((before + probability_before(&other, &one) - 1.0).abs() < 1e-9);
    }
}
