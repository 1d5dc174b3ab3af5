//! Outcomes, and such as are not over yet: who still waits counts as far as it has waited.
//!
//! To learn from those alone who have started would be to learn from the quick: when a queue grows, everything would seem too late by then. The
//! estimate is that of Kaplan and Meier (1958), in the form of Efron (1967): whoever is not over yet is shared out evenly among all beyond it.

/// How outcomes are spread: each with its share, in order, and the share beyond all of them. Both must be sorted.
pub fn shares(over: &[f32], not_over: &[f32]) -> (Vec<(f32, f64)>, f64) {
    let mut left = over.len() + not_over.len();
    let mut share = 1.0 / left.max(1) as f64;
    let mut beyond = 1.0;
    let mut not_over = not_over.iter().peekable();
    let spread = over.iter().map(|outcome| {
        while not_over.next_if(|so_far| **so_far < *outcome).is_some() {
            left -= 1;
            share += share / left as f64;
        }
        left -= 1;
        beyond -= share;
        (*outcome, share)
    });
    let spread = spread.collect();
    (spread, beyond.max(0.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        // Of four, one was over at 1, one has come to 2, one was over at 3, one has come to 4: the second's quarter goes to both beyond it.
        let (spread, beyond) = shares(&[1.0, 3.0], &[2.0, 4.0]);
        assert_eq!(spread, [(1.0, 0.25), (3.0, 0.375)]);
        assert!((beyond - 0.375).abs() < 1e-12);
        // Of those who come to the same, who is over was first.
        let (spread, beyond) = shares(&[2.0], &[2.0]);
        assert!((spread[0].1 - 0.5).abs() < 1e-12 && (beyond - 0.5).abs() < 1e-12);
        assert_eq!(shares(&[], &[1.0]), (Vec::new(), 1.0));
    }

    proptest! {
        /// The product over all who were over, as the estimate is usually written.
        #[test]
        fn it_is_the_product_of_those_who_stayed(
            mut over in proptest::collection::vec(0_u16..50, 1..40),
            mut not_over in proptest::collection::vec(0_u16..50, 0..40),
            at in 0_u16..50,
        ) {
            over.sort_unstable();
            not_over.sort_unstable();
            let mut stay = 1.0;
            for time in 0..=at {
                let at_risk = over.iter().chain(&not_over).filter(|value| **value >= time).count();
                let end = over.iter().filter(|value| **value == time).count();
                stay *= if end == 0 { 1.0 } else { 1.0 - end as f64 / at_risk as f64 };
            }
            let floats = |values: &[u16]| values.iter().map(|value| f32::from(*value)).collect::<Vec<_>>();
            let (spread, beyond) = shares(&floats(&over), &floats(&not_over));
            let found: f64 = spread.iter().filter(|(value, _)| *value <= f32::from(at)).map(|(_, share)| share).sum();
            prop_assert!((1.0 - found - stay).abs() < 1e-9, "{} for {}", 1.0 - found, stay);
            let all: f64 = spread.iter().map(|(_, share)| share).sum();
            prop_assert!((all + beyond - 1.0).abs() < 1e-9);
        }
    }
}
