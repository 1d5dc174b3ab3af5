//! Things of several kinds, drawn at random and not put back.
//!
//! For: taking one of many estimates, each as likely as there are copies of it left, in the logarithm of the number of
//! different ones.
//!
//! Not for: drawing with replacement (`distribution`).

use rand::RngExt;
use rand_pcg::Pcg64;

/// How many of each kind are left. Kinds are numbered from zero.
///
/// A Fenwick tree: place i holds the sum of the kinds from i less its lowest bit up to i, so that both a change and a
/// draw touch one place a bit.
#[derive(Clone, Debug)]
pub(super) struct Urn {
    sums: Vec<u64>,
    total: u64,
}

impl Urn {
    /// With none of any kind.
    pub(super) fn empty(kinds: usize) -> Self {
        Self { sums: vec![0; kinds + 1], total: 0 }
    }

    /// With this many of each kind.
    pub(super) fn of(counts: &[u64]) -> Self {
        let mut urn = Self::empty(counts.len());
        counts.iter().enumerate().for_each(|(kind, &count)| urn.add(kind, count));
        urn
    }

    /// Puts more of a kind in.
    pub(super) fn add(&mut self, kind: usize, count: u64) {
        self.total += count;
        let mut place = kind + 1;
        while place < self.sums.len() {
            self.sums[place] += count;
            place += place & place.wrapping_neg();
        }
    }

    /// Takes one at random; none if there is none.
    pub(super) fn draw(&mut self, generator: &mut Pcg64) -> Option<usize> {
        if self.total == 0 {
            return None;
        }
        let mut passed_over = generator.random_range(0..self.total);
        self.total -= 1;
        // Downwards through the tree to the kind in which the one drawn lies. Every place left aside on the way to it,
        // and no other, counts that kind in its sum.
        let mut kind = 0;
        let mut step = self.sums.len().next_power_of_two();
        while step > 0 {
            if let Some(sum) = self.sums.get_mut(kind + step) {
                if *sum <= passed_over {
                    passed_over -= *sum;
                    kind += step;
                } else {
                    *sum -= 1;
                }
            }
            step /= 2;
        }
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn an_empty_urn_gives_nothing() {
        assert_eq!(Urn::empty(3).draw(&mut Pcg64::seed_from_u64(1)), None);
        assert_eq!(Urn::of(&[]).draw(&mut Pcg64::seed_from_u64(1)), None);
    }

    #[test]
    fn a_kind_is_drawn_as_often_as_its_share() {
        let mut generator = Pcg64::seed_from_u64(2);
        let mut drawn = [0; 5];
        for _ in 0..40_000 {
            drawn[Urn::of(&[1, 0, 4, 2, 1]).draw(&mut generator).unwrap()] += 1;
        }
        for (count, expected) in drawn.into_iter().zip([5_000, 0, 20_000, 10_000, 5_000]) {
            // Five standard deviations of the largest share are 500.
            assert!(i32::abs(count - expected) <= 500, "{drawn:?}");
        }
        assert_eq!(drawn[1], 0);
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out_and_no_more(counts in proptest::collection::vec(0..9_u64, 0..40), seed: u64) {
            let mut urn = Urn::of(&counts);
            let mut generator = Pcg64::seed_from_u64(seed);
            let mut drawn = vec![0; counts.len()];
            while let Some(kind) = urn.draw(&mut generator) {
                drawn[kind] += 1;
                prop_assert_eq!(urn.total, (counts.iter().sum::<u64>()) - drawn.iter().sum::<u64>());
            }
            prop_assert_eq!(drawn, counts);
        }
    }
}
