//! How popular the most popular estimate is, and the second, and so on.
//!
//! For: the share of the jobs, in per cent, by popularity rank: a first one that stands out, an exponential for the
//! other popular ones and a power law for the unpopular ones.
//!
//! Not for: which time has which rank (`popularity_pool` for popular ones, `distribution` for the others).
//!
//! Requirement: R-E3 (Tsafrir, Etsion and Feitelson, section 8).

/// How many estimates are popular.
pub const POPULAR: usize = 20;

/// What the popular estimates cover, in per cent of the jobs.
pub const POPULAR_PER_CENT: f64 = 89.0;

/// The popular estimates' shares in per cent, the largest first. They sum to [`POPULAR_PER_CENT`].
pub fn popular_shares() -> [f64; POPULAR] {
    let mut shares = [0.0; POPULAR];
    for (place, share) in shares.iter_mut().enumerate().skip(1) {
        *share = 14.05 * (-0.18 * (place + 1) as f64).exp() + 0.46;
    }
    shares[0] = POPULAR_PER_CENT - shares[1..].iter().sum::<f64>();
    shares
}

/// The shares in per cent of that many unpopular estimates, the largest first. They sum to `total`.
pub fn unpopular_shares(estimates: usize, total: f64) -> Vec<f64> {
    // The law's factor of 795.6 falls out: they are scaled to their total.
    let law: Vec<f64> = (POPULAR + 1..=POPULAR + estimates).map(|rank| (rank as f64).powf(-2.27)).collect();
    let sum: f64 = law.iter().sum();
    law.into_iter().map(|share| share * total / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_has_the_shares_of_the_formula() {
        let popular = popular_shares();
        for (rank, expected) in [(1, 22.70), (2, 10.26)] {
            assert!((popular[rank - 1] - expected).abs() < 0.005, "rank {rank}: {}", popular[rank - 1]);
        }
        assert!((popular[19] - 0.844).abs() < 0.0005, "rank 20: {}", popular[19]);
        assert!(popular.is_sorted_by(|more, less| more > less));
    }

    #[test]
    fn head_and_tail_are_everybody() {
        for unpopular in [1, 30, 300, 500] {
            let total: f64 = popular_shares().iter().chain(&unpopular_shares(unpopular, 11.0)).sum();
            assert!((total - 100.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_tail_falls_by_the_power_law() {
        let unpopular = unpopular_shares(300, 11.0);
        assert!((unpopular[21] / unpopular[0] - 2.0_f64.powf(-2.27)).abs() < 1e-12, "rank 42 against rank 21");
        assert!(unpopular[0] < popular_shares()[19]);
    }
}
