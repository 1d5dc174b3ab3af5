//! Who is drawn next, without anybody being drawn twice before all have been.
//!
//! For: keeping what chance does to the load small. A few users make most of a log's work; drawn independently, the
//! heaviest would sometimes come three times in a log's length and sometimes not at all.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

/// Numbers from zero on, shuffled anew whenever all have been drawn.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    order: Vec<usize>,
    drawn: usize,
}

impl Deck {
    pub(super) fn new(count: usize, generator: &mut Pcg64) -> Self {
        let mut order: Vec<usize> = (0..count).collect();
        order.shuffle(generator);
        Self { order, drawn: 0 }
    }

    /// The order in which they lie now.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The next, or `None` if there is nobody at all.
    pub(super) fn draw(&mut self, generator: &mut Pcg64) -> Option<usize> {
        if self.drawn == self.order.len() {
            self.order.shuffle(generator);
            self.drawn = 0;
        }
        let next = self.order.get(self.drawn).copied();
        self.drawn += usize::from(next.is_some());
        next
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn nobody_is_drawn_twice_before_all_have_been() {
        let mut generator = Pcg64::seed_from_u64(1);
        let mut deck = Deck::new(50, &mut generator);
        let mut rounds = Vec::new();
        for _ in 0..3 {
            let round: Vec<usize> = (0..50).filter_map(|_| deck.draw(&mut generator)).collect();
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..50));
            rounds.push(round);
        }
        assert!(rounds[0] != rounds[1] && rounds[1] != rounds[2], "every round is shuffled");
        assert_eq!(Deck::new(0, &mut generator).draw(&mut generator), None);
    }
}
