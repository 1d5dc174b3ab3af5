//! The twenty times that most users write down.
//!
//! For: the largest estimate, the times popular in every log, and round ones that suit the largest.
//!
//! Not for: which of them is how popular (`popularity_pool`), or what the user of the model knows better (`supplied`).
//!
//! Requirement: R-E4 (Tsafrir, Etsion and Feitelson, section 9.2 and table 5).

use std::collections::BTreeSet;

use crate::Seconds;

use super::popularity::POPULAR;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// The shortest largest estimate for which there are twenty popular times and others beside them.
pub(super) const SHORTEST_MAXIMUM: Seconds = Seconds(MINUTE);

/// The times popular in all four logs of the paper.
pub const JOINT_TIMES: [Seconds; 15] = [
    Seconds(5 * MINUTE),
    Seconds(10 * MINUTE),
    Seconds(15 * MINUTE),
    Seconds(20 * MINUTE),
    Seconds(30 * MINUTE),
    Seconds(HOUR),
    Seconds(2 * HOUR),
    Seconds(3 * HOUR),
    Seconds(4 * HOUR),
    Seconds(5 * HOUR),
    Seconds(6 * HOUR),
    Seconds(8 * HOUR),
    Seconds(10 * HOUR),
    Seconds(12 * HOUR),
    Seconds(18 * HOUR),
];

/// The steps whose multiples fill the twenty up, coarse to fine. The paper ends with five minutes, which is too coarse
/// for a largest estimate below 100 minutes; the last two steps are ours and are reached only there.
const ROUND: [i64; 12] = [
    200 * HOUR,
    100 * HOUR,
    50 * HOUR,
    10 * HOUR,
    5 * HOUR,
    2 * HOUR,
    HOUR,
    20 * MINUTE,
    10 * MINUTE,
    5 * MINUTE,
    MINUTE,
    1,
];

/// The twenty popular times up to `maximum`, which is one of them.
pub(super) fn popular_times(maximum: Seconds) -> BTreeSet<Seconds> {
    debug_assert!(maximum >= SHORTEST_MAXIMUM, "the distribution refuses {maximum}");
    let mut popular = BTreeSet::from([maximum]);
    popular.extend(JOINT_TIMES.into_iter().filter(|&time| time < maximum));
    for step in ROUND {
        let multiples = (1..=(maximum.0 - 1) / step).rev().map(|times| Seconds(times * step));
        for time in multiples {
            if popular.len() == POPULAR {
                return popular;
            }
            popular.insert(time);
        }
    }
    popular
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn minutes(maximum: i64) -> Vec<i64> {
        popular_times(Seconds(maximum * MINUTE)).into_iter().map(|time| time.0 / MINUTE).collect()
    }

    #[test]
    fn eighteen_hours_add_thirteen_to_seventeen() {
        let hours = [1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 15, 16, 17, 18].map(|hours| hours * 60);
        assert_eq!(minutes(18 * 60), [[5, 10, 15, 20, 30].as_slice(), &hours].concat());
    }

    #[test]
    fn four_hours_add_multiples_of_twenty_and_ten_minutes() {
        // Nine with 4 h; then the multiples of 20 minutes (seven are new), then 3:50, 3:30, 3:10 and 2:50.
        let expected = [5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 140, 160, 170, 180, 190, 200, 210, 220, 230, 240];
        assert_eq!(minutes(240), expected);
    }

    #[test]
    fn hundreds_of_hours_add_hundreds_of_hours() {
        let popular = minutes(400 * 60);
        for hours in [400, 300, 200, 100] {
            assert!(popular.contains(&(hours * 60)), "{hours} h");
        }
    }

    proptest! {
        #[test]
        fn there_are_always_twenty(maximum in 60..10_000_000_i64) {
            let popular = popular_times(Seconds(maximum));
            prop_assert_eq!(popular.len(), POPULAR);
            prop_assert_eq!(popular.last(), Some(&Seconds(maximum)));
            prop_assert!(popular.first() > Some(&Seconds::ZERO));
        }
    }
}
