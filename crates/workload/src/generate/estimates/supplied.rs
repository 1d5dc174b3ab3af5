//! What the user of the model knows better: popular times with their shares.
//!
//! For: putting supplied pairs of time and share in the place of the default ones closest to them, and scaling the
//! others so that everything still sums to 100 %.
//!
//! Not for: dealing out the shares that are left (`popularity_pool`).
//!
//! Requirement: R-E7 (Tsafrir, Etsion and Feitelson, section 9.4).
//!
//! The paper lets every supplied share replace the closest default one and reserves the largest for the largest time;
//! it leaves open which of the two rules a share supplied for the largest time itself follows. Here it replaces the
//! reserved one. By the other rule a modest share of the largest time would leave 22 % to one of the shortest, and the
//! shares would be further from those of SDSC, which the paper says the model meets, and nearer to those of KTH, which
//! the paper says it misses.

use std::collections::BTreeSet;

use crate::Seconds;

use super::distribution::EstimateShare;
use super::error::EstimateError;
use super::popular::popular_times;
use super::popularity::{POPULAR, POPULAR_PER_CENT, popular_shares};
use super::times::take_closest;

/// The popular times and shares, not yet matched but where both were supplied.
#[derive(Debug)]
pub(super) struct PopularEstimates {
    /// The times: the largest, then the others from the shortest up.
    pub(super) times: Vec<Seconds>,
    /// By place in `times`, the popularity rank of a supplied share.
    pub(super) ranks: [Option<usize>; POPULAR],
    /// Shares in per cent; that of rank 1 stands first. Zero where the supplied ones leave no room.
    pub(super) shares: [f64; POPULAR],
    /// What is left for the unpopular times, in per cent.
    pub(super) unpopular_per_cent: f64,
}

impl PopularEstimates {
    /// The default ones below `maximum` with the `supplied` pairs in it.
    pub(super) fn new(maximum: Seconds, supplied: &[EstimateShare]) -> Result<Self, EstimateError> {
        check(maximum, supplied)?;
        let times = times(maximum, supplied);
        let ranked = ranked(maximum, supplied);

        let mut ranks = [None; POPULAR];
        let mut kept = popular_shares();
        for &(pair, rank) in &ranked {
            let place = times.iter().position(|&time| time == pair.time).expect("every supplied time is a popular one");
            ranks[place] = Some(rank);
            kept[rank - 1] = 0.0;
        }

        let supplied_per_cent: f64 = supplied.iter().map(|pair| pair.per_cent).sum();
        let room = POPULAR_PER_CENT - supplied_per_cent;
        let full = supplied.len() == POPULAR || room <= 0.0;
        let scale = if full { 0.0 } else { room / kept.iter().sum::<f64>() };
        let mut shares = kept.map(|share| share * scale);
        for &(pair, rank) in &ranked {
            shares[rank - 1] = pair.per_cent;
        }
        let unpopular_per_cent = 100.0 - if full { supplied_per_cent } else { POPULAR_PER_CENT };
        Ok(Self { times, ranks, shares, unpopular_per_cent: unpopular_per_cent.max(0.0) })
    }
}

/// The default times with the supplied ones in the place of the closest. The largest gives way only to itself.
fn times(maximum: Seconds, supplied: &[EstimateShare]) -> Vec<Seconds> {
    let mut others = popular_times(maximum);
    others.remove(&maximum);
    let newcomers: BTreeSet<Seconds> = supplied.iter().map(|pair| pair.time).filter(|&time| time != maximum).collect();
    take_closest(&mut others, &newcomers);
    others.extend(newcomers);
    std::iter::once(maximum).chain(others).collect()
}

/// The supplied pairs, each with the rank of the default share it replaces. Rank 1 belongs to the largest time,
/// whether its share is supplied or not; every other pair replaces the closest of the ranks that are left, the largest
/// share choosing first.
fn ranked(maximum: Seconds, supplied: &[EstimateShare]) -> Vec<(EstimateShare, usize)> {
    let defaults = popular_shares();
    let mut open: Vec<usize> = (2..=POPULAR).collect();
    let mut pairs = supplied.to_vec();
    pairs.sort_by(|one, other| other.per_cent.total_cmp(&one.per_cent).then(one.time.cmp(&other.time)));
    let mut ranked = Vec::with_capacity(pairs.len());
    for pair in pairs {
        if pair.time == maximum {
            ranked.push((pair, 1));
            continue;
        }
        let distance = |rank: usize| (defaults[rank - 1] - pair.per_cent).abs();
        let place = (0..open.len())
            .min_by(|&one, &other| distance(open[one]).total_cmp(&distance(open[other])))
            .expect("no more pairs than ranks, as checked");
        ranked.push((pair, open.remove(place)));
    }
    ranked
}

fn check(maximum: Seconds, supplied: &[EstimateShare]) -> Result<(), EstimateError> {
    let mut seen = BTreeSet::new();
    for &EstimateShare { time, per_cent } in supplied {
        if time <= Seconds::ZERO || time > maximum {
            return Err(EstimateError::SuppliedTime { time, maximum });
        }
        if !(per_cent > 0.0 && per_cent <= 100.0) {
            return Err(EstimateError::SuppliedShare { time, per_cent });
        }
        if !seen.insert(time) {
            return Err(EstimateError::SuppliedTwice { time });
        }
    }
    let most = if seen.contains(&maximum) { POPULAR } else { POPULAR - 1 };
    if supplied.len() > most {
        return Err(EstimateError::TooManySupplied { given: supplied.len(), most });
    }
    let sum: f64 = supplied.iter().map(|pair| pair.per_cent).sum();
    // Shares that are meant to sum to 100 may miss it by a rounding error.
    if sum > 100.0 + 1e-9 {
        return Err(EstimateError::SuppliedSum { sum });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3600;

    fn pair(time: i64, per_cent: f64) -> EstimateShare {
        EstimateShare { time: Seconds(time), per_cent }
    }

    fn popular(maximum: i64, supplied: &[EstimateShare]) -> Result<PopularEstimates, EstimateError> {
        PopularEstimates::new(Seconds(maximum), supplied)
    }

    fn rank_of(popular: &PopularEstimates, time: i64) -> Option<usize> {
        popular.ranks[popular.times.iter().position(|&other| other == Seconds(time)).unwrap()]
    }

    #[test]
    fn nothing_supplied_is_the_default() {
        let popular = popular(18 * HOUR, &[]).unwrap();
        assert_eq!(popular.times[..2], [Seconds(18 * HOUR), Seconds(300)]);
        assert_eq!(popular.ranks, [None; POPULAR]);
        for (share, default) in popular.shares.into_iter().zip(popular_shares()) {
            assert!((share - default).abs() < 1e-12);
        }
    }

    #[test]
    fn a_supplied_time_replaces_the_closest_but_never_the_largest() {
        let popular = popular(18 * HOUR, &[pair(18 * HOUR - 60, 6.0), pair(700, 2.0)]).unwrap();
        assert_eq!(popular.times.len(), POPULAR);
        assert_eq!(popular.times[0], Seconds(18 * HOUR));
        assert!(popular.times.contains(&Seconds(18 * HOUR - 60)) && !popular.times.contains(&Seconds(17 * HOUR)));
        assert!(popular.times.contains(&Seconds(700)) && !popular.times.contains(&Seconds(600)));
    }

    #[test]
    fn a_large_share_leaves_the_first_rank_to_the_largest_time() {
        let popular = popular(4 * HOUR, &[pair(300, 25.0)]).unwrap();
        assert_eq!(rank_of(&popular, 300), Some(2));
        assert!((popular.shares.iter().sum::<f64>() - 89.0).abs() < 1e-9);
    }

    #[test]
    fn a_share_for_the_largest_time_replaces_the_one_reserved_for_it() {
        let popular = popular(18 * HOUR, &[pair(18 * HOUR, 9.8)]).unwrap();
        assert_eq!(popular.ranks[0], Some(1));
        let scale = (89.0 - 9.8) / (89.0 - popular_shares()[0]);
        assert!((popular.shares[1] - popular_shares()[1] * scale).abs() < 1e-9);
    }

    #[test]
    fn blue_horizon_gets_a_new_most_popular_time() {
        let supplied = [pair(2 * HOUR, 27.0), pair(36 * HOUR, 1.0), pair(900, 16.0), pair(1800, 18.0)];
        let popular = popular(36 * HOUR, &supplied).unwrap();
        // Rank 1 is the largest time's, whatever its share; 27, 18 and 16 are closest to 10.26, 8.65 and 7.30.
        let ranks = [36 * HOUR, 2 * HOUR, 1800, 900].map(|time| rank_of(&popular, time));
        assert_eq!(ranks, [1, 2, 3, 4].map(Some));
        assert_eq!(popular.shares[..4], [1.0, 27.0, 18.0, 16.0]);
        assert!((popular.shares.iter().sum::<f64>() - 89.0).abs() < 1e-9);
        assert!((popular.unpopular_per_cent - 11.0).abs() < 1e-9);
    }

    #[test]
    fn more_than_the_heads_share_leaves_only_the_tail() {
        let popular = popular(18 * HOUR, &[pair(300, 50.0), pair(600, 45.0)]).unwrap();
        assert_eq!(popular.shares.iter().filter(|&&share| share > 0.0).count(), 2);
        assert!((popular.unpopular_per_cent - 5.0).abs() < 1e-9);
    }

    #[test]
    fn twenty_small_shares_leave_the_rest_to_the_tail() {
        let supplied: Vec<EstimateShare> = (1..=20).map(|hours| pair(hours * HOUR, 1.0)).collect();
        let popular = popular(20 * HOUR, &supplied).unwrap();
        assert!(popular.ranks.iter().all(Option::is_some));
        assert!((popular.unpopular_per_cent - 80.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let refused = |supplied: &[EstimateShare]| popular(18 * HOUR, supplied).unwrap_err();
        let day = pair(24 * HOUR, 1.0);
        assert_eq!(refused(&[day]), EstimateError::SuppliedTime { time: day.time, maximum: Seconds(18 * HOUR) });
        assert!(matches!(refused(&[pair(0, 1.0)]), EstimateError::SuppliedTime { .. }));
        assert!(matches!(refused(&[pair(60, f64::NAN)]), EstimateError::SuppliedShare { .. }));
        assert!(matches!(refused(&[pair(60, 0.0)]), EstimateError::SuppliedShare { .. }));
        assert!(matches!(refused(&[pair(60, 1.0), pair(60, 2.0)]), EstimateError::SuppliedTwice { .. }));
        assert!(matches!(refused(&[pair(60, 60.0), pair(90, 41.0)]), EstimateError::SuppliedSum { .. }));
        let twenty: Vec<EstimateShare> = (1..=20).map(|minutes| pair(minutes * 60, 1.0)).collect();
        assert_eq!(refused(&twenty), EstimateError::TooManySupplied { given: 20, most: 19 });
    }
}
