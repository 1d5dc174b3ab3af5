//! Chance that is the same in every run: a number for a seed, a job and a question.
//!
//! Each question has a draw of its own, so that one more question does not change the answers to the others.
//!
//! Source: the finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).

/// The draws of one job.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// Those of a job of a stretch.
    pub fn of(seed: u64, job: usize) -> Self {
        Self { state: mixed(mixed(seed) ^ job as u64) }
    }

    /// A number below `bound` for this question.
    pub fn below(self, question: &str, bound: u64) -> u64 {
        let asked = question.bytes().fold(self.state, |state, byte| mixed(state ^ u64::from(byte)));
        asked % bound.max(1)
    }

    /// Whether it happens, in so many of a hundred.
    pub fn percent(self, question: &str, percent: u64) -> bool {
        self.below(question, 100) < percent
    }

    /// One of these.
    pub fn one_of<T: Copy>(self, question: &str, choices: &[T]) -> T {
        let place = self.below(question, choices.len() as u64);
        choices[usize::try_from(place).expect("it is below a length")]
    }
}

fn mixed(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_again_and_differ_by_seed_job_and_question() {
        let draw = |seed, job, question| Draws::of(seed, job).below(question, 1 << 40);
        assert_eq!(draw(1, 2, "size"), draw(1, 2, "size"));
        assert_ne!(draw(1, 2, "size"), draw(2, 2, "size"));
        assert_ne!(draw(1, 2, "size"), draw(1, 3, "size"));
        assert_ne!(draw(1, 2, "size"), draw(1, 2, "name"));
    }

    #[test]
    fn about_so_many_of_a_hundred_happen() {
        let happened = (0..10_000).filter(|job| Draws::of(7, *job).percent("rain", 30)).count();
        assert!((2_800..3_200).contains(&happened), "{happened}");
    }
}
