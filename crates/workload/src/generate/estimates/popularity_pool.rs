//! Which of the popular times is how popular.
//!
//! For: the pool algorithm, which learns from four logs where the popular ranks lie among the popular times: short
//! times tend to be the more popular, and the largest is the most popular of all.
//!
//! Not for: the unpopular times, which are matched with their shares at random (`distribution`).
//!
//! Requirement: R-E6 and the last part of R-E7 (Tsafrir, Etsion and Feitelson, sections 9.3 and 9.4, table 6).
//!
//! A popular time is known by its place: 0 for the largest, then 1 to 19 from the shortest up (the paper's *ttr*).

use rand::RngExt;
use rand_pcg::Pcg64;

use super::popularity::POPULAR;

/// The logs learnt from: SDSC without user 106, CTC, KTH with its four-hour jobs, Blue Horizon.
const LOGS: usize = 4;

/// By place, the popularity rank in each of the logs.
const RANKS_IN_LOGS: [[usize; LOGS]; POPULAR] = [
    [3, 1, 1, 1],
    [1, 3, 4, 6],
    [4, 4, 10, 5],
    [17, 2, 14, 3],
    [13, 12, 20, 7],
    [7, 9, 2, 2],
    [8, 8, 3, 18],
    [18, 18, 7, 19],
    [2, 6, 12, 4],
    [6, 7, 6, 11],
    [16, 11, 19, 20],
    [10, 20, 5, 9],
    [5, 16, 18, 10],
    [15, 5, 16, 14],
    [14, 14, 9, 13],
    [19, 13, 17, 16],
    [11, 10, 15, 15],
    [12, 15, 13, 17],
    [9, 17, 8, 8],
    [20, 19, 11, 12],
];

/// The popularity rank (1 to 20) by place, a permutation. Rank 1 is the largest time's; where `supplied` names a rank
/// for another place, that is its rank.
///
/// A place whose rank is supplied is passed over, but what the logs have there still enters the pool: it has been
/// seen at or before the places that follow. Should supplied ranks leave the pool empty, the lines that follow enter
/// early.
pub(super) fn ranks_by_place(supplied: &[Option<usize>; POPULAR], generator: &mut Pcg64) -> [usize; POPULAR] {
    let mut ranks = *supplied;
    ranks[0] = Some(1);
    let mut pool = PopularityPool::new(&ranks);
    let mut next_line = 1;
    for (place, rank) in ranks.iter_mut().enumerate().skip(1) {
        while next_line <= place || (rank.is_none() && pool.ranks.is_empty()) {
            pool.enter(next_line);
            next_line += 1;
        }
        rank.get_or_insert_with(|| pool.take(generator));
    }
    ranks.map(|rank| rank.expect("the largest time's rank is set first, every other in the loop"))
}

struct PopularityPool {
    /// The ranks seen and not given away, as often as seen.
    ranks: Vec<usize>,
    given: [bool; POPULAR + 1],
}

impl PopularityPool {
    fn new(ranks: &[Option<usize>; POPULAR]) -> Self {
        let mut given = [false; POPULAR + 1];
        for &rank in ranks.iter().flatten() {
            given[rank] = true;
        }
        Self { ranks: Vec::with_capacity(LOGS * POPULAR), given }
    }

    fn enter(&mut self, line: usize) {
        self.ranks.extend(RANKS_IN_LOGS[line].into_iter().filter(|&rank| !self.given[rank]));
    }

    fn take(&mut self, generator: &mut Pcg64) -> usize {
        let seen_in_all_logs = |rank: &usize| self.ranks.iter().filter(|&other| other == rank).count() == LOGS;
        let taken = (1..=POPULAR).find(seen_in_all_logs).unwrap_or_else(|| {
            let mut drawn = || self.ranks[generator.random_range(0..self.ranks.len())];
            drawn().min(drawn())
        });
        self.given[taken] = true;
        self.ranks.retain(|&rank| rank != taken);
        taken
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    const NONE: [Option<usize>; POPULAR] = [None; POPULAR];

    fn sorted(mut ranks: [usize; POPULAR]) -> Vec<usize> {
        ranks.sort_unstable();
        ranks.to_vec()
    }

    #[test]
    fn every_log_uses_every_rank_once() {
        for log in 0..LOGS {
            assert_eq!(sorted(RANKS_IN_LOGS.map(|line| line[log])), (1..=POPULAR).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_rank_goes_to_one_time_whatever_the_seed() {
        let mut sums = [0; POPULAR];
        for seed in 0..5_000 {
            let ranks = ranks_by_place(&NONE, &mut Pcg64::seed_from_u64(seed));
            assert_eq!(sorted(ranks), (1..=POPULAR).collect::<Vec<_>>(), "seed {seed}");
            assert_eq!(ranks[0], 1, "the largest time is the most popular");
            for (sum, rank) in sums.iter_mut().zip(ranks) {
                *sum += rank;
            }
        }
        // At place 1 the pool holds 3, 4 and 6: the mean of the smaller of two draws is 33 / 9.
        let mean = |place: usize| sums[place] as f64 / 5_000.0;
        assert!((mean(1) - 33.0 / 9.0).abs() < 0.06, "place 1: {}", mean(1));
        assert!((mean(19) - 18.8).abs() < 0.1, "place 19: {}", mean(19));
    }

    #[test]
    fn without_supplied_ranks_no_line_enters_early() {
        for seed in 0..5_000 {
            let ranks = ranks_by_place(&NONE, &mut Pcg64::seed_from_u64(seed));
            for (place, rank) in ranks.into_iter().enumerate().skip(1) {
                assert!(RANKS_IN_LOGS[1..=place].iter().flatten().any(|&seen| seen == rank), "seed {seed}");
            }
        }
    }

    #[test]
    fn a_pool_emptied_by_supplied_ranks_looks_ahead() {
        // All that the logs have at places 1 and 2 is supplied for the longest times.
        let mut supplied = NONE;
        for (place, rank) in (15..POPULAR).zip([3, 4, 5, 6, 10]) {
            supplied[place] = Some(rank);
        }
        for seed in 0..100 {
            let ranks = ranks_by_place(&supplied, &mut Pcg64::seed_from_u64(seed));
            assert!([2, 14, 17].contains(&ranks[1]), "the line of place 3: {}", ranks[1]);
            assert_eq!(sorted(ranks), (1..=POPULAR).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn supplied_ranks_stay_and_the_rest_is_dealt_out(
            places in Just((1..POPULAR).collect::<Vec<_>>()).prop_shuffle(),
            dealt in Just((2..=POPULAR).collect::<Vec<_>>()).prop_shuffle(),
            number in 0..POPULAR,
            seed: u64,
        ) {
            let mut supplied = NONE;
            for (&place, &rank) in places.iter().zip(&dealt).take(number) {
                supplied[place] = Some(rank);
            }
            let ranks = ranks_by_place(&supplied, &mut Pcg64::seed_from_u64(seed));
            prop_assert_eq!(sorted(ranks), (1..=POPULAR).collect::<Vec<_>>());
            for (rank, supplied) in ranks.into_iter().zip(supplied) {
                prop_assert_eq!(rank, supplied.unwrap_or(rank));
            }
        }
    }
}
