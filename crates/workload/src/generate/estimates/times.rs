//! The different times users write down, before the popular ones are put among them.
//!
//! For: K times up to the largest, denser towards zero, on whole minutes where there is room; and taking out of a set
//! of times the ones that others replace.
//!
//! Not for: the round times everybody uses (`popular`) or how popular a time is (`popularity`).
//!
//! Requirement: R-E2 and the replacing of R-E5 (Tsafrir, Etsion and Feitelson, sections 7 and 9.2).

use std::collections::BTreeSet;

use crate::Seconds;

const MINUTE: i64 = 60;

/// That many different times up to `maximum`, which is one of them; fewer if there are not as many whole seconds.
///
/// A time goes to the nearest whole minute unless that is taken, zero or not below the maximum; then to the nearest
/// second, or the next free one after it.
pub(super) fn times(maximum: Seconds, estimates: usize) -> BTreeSet<Seconds> {
    let estimates = usize::try_from(maximum.0).map_or(estimates, |seconds| estimates.min(seconds));
    let bend = 1.0 + 12.1 * (estimates as f64).powf(-0.6);
    let mut times = BTreeSet::from([maximum]);
    // The exact times rise: what was found taken once need not be looked at again.
    let mut taken_to = 0;
    for rank in 1..estimates {
        let place = rank as f64 / estimates as f64;
        let exact = maximum.as_f64() * (bend - 1.0) * place / (bend - place);
        let minute = Seconds(whole(exact / MINUTE as f64) * MINUTE);
        if minute > Seconds::ZERO && minute < maximum && times.insert(minute) {
            continue;
        }
        let mut seconds = (whole(exact).max(taken_to + 1)..maximum.0).map(Seconds);
        let Some(free) = seconds.find(|&second| times.insert(second)) else { break };
        taken_to = free.0;
    }
    times
}

#[expect(clippy::cast_possible_truncation, reason = "at most Seconds::MAX, checked where the options are")]
fn whole(exact: f64) -> i64 {
    exact.round() as i64
}

/// Takes out of `times`, for each of the `newcomers`, the closest that is left; of two as close, the shorter.
///
/// A newcomer that is there already takes itself out, before any other could; the others follow from the shortest.
pub(super) fn take_closest(times: &mut BTreeSet<Seconds>, newcomers: &BTreeSet<Seconds>) {
    let strangers: Vec<Seconds> = newcomers.iter().copied().filter(|newcomer| !times.remove(newcomer)).collect();
    for stranger in strangers {
        let below = times.range(..stranger).next_back().copied();
        let above = times.range(stranger..).next().copied();
        let closest = match (below, above) {
            (Some(below), Some(above)) if above - stranger < stranger - below => Some(above),
            (below, above) => below.or(above),
        };
        if let Some(closest) = closest {
            times.remove(&closest);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(times: &[i64]) -> BTreeSet<Seconds> {
        times.iter().copied().map(Seconds).collect()
    }

    #[test]
    fn times_follow_the_fraction_on_whole_minutes() {
        // K = 100, T_max = 100 h: a = 1 + 12.1 / 100^0.6 = 1.76346; at the middle 0.76346 x 0.5 / 1.26346 = 0.30213.
        let times: Vec<Seconds> = times(Seconds(360_000), 100).into_iter().collect();
        assert_eq!(times.len(), 100);
        assert_eq!(times[49], Seconds(108_780));
        assert_eq!(times[99], Seconds(360_000));
        assert!(times.iter().all(|time| time.0 % 60 == 0));
    }

    #[test]
    fn a_minute_that_is_taken_leaves_the_second() {
        let times = times(Seconds(18 * 3600), 532);
        assert_eq!(times.len(), 532);
        assert!(times.iter().any(|time| time.0 % 60 != 0));
    }

    #[test]
    fn a_newcomer_takes_the_closest_and_an_old_one_itself() {
        let mut times = set(&[10, 20, 30, 40]);
        take_closest(&mut times, &set(&[19, 20]));
        assert_eq!(times, set(&[30, 40]), "20 takes itself, so that 19 takes 10");
        take_closest(&mut times, &set(&[35]));
        assert_eq!(times, set(&[40]), "the shorter of two as close");
    }

    #[test]
    fn more_times_than_seconds_are_as_many_as_seconds_allow() {
        assert_eq!(times(Seconds(60), usize::MAX), times(Seconds(60), 60));
        assert!(times(Seconds(18 * 3600), usize::MAX).len() > 30_000);
    }

    proptest! {
        #[test]
        fn times_are_as_many_as_asked_while_there_are_seconds(maximum in 60..1_000_000_i64, estimates in 21..700_usize) {
            let times = times(Seconds(maximum), estimates);
            prop_assert!(times.first() > Some(&Seconds::ZERO));
            prop_assert_eq!(times.last(), Some(&Seconds(maximum)));
            prop_assert!(times.len() <= estimates && times.len() > 20);
            if maximum > 10_000 {
                prop_assert_eq!(times.len(), estimates);
            }
        }
    }
}
