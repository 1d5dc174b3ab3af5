//! The next generation: pairs of parents, crossover, mutation.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::genome::{Encoding, Gene, Individual, TEMPLATES_MAX};

/// As many children as parents, two of each pair drawn at random; an odd parent out is crossed with itself.
pub fn children(
    encoding: &Encoding,
    population: &[Individual],
    parents: &[usize],
    mutation: f64,
    generator: &mut Pcg64,
) -> Vec<Individual> {
    let mut parents = parents.to_vec();
    parents.shuffle(generator);
    let mut children = Vec::with_capacity(parents.len() + 1);
    for pair in parents.chunks(2) {
        let (one, other) = (&population[pair[0]], &population[pair[pair.len() - 1]]);
        children.extend(cross(encoding.bits(), one, other, generator));
    }
    children.truncate(parents.len());
    for child in &mut children {
        mutate(encoding.bits(), child, mutation, generator);
    }
    children
}

/// Cuts both parents inside a template, at the same bit, and swaps what lies behind (E-S2.3). Of the second parent only
/// such templates are cut that neither child outgrows the maximum; there always is one.
fn cross(bits: usize, one: &Individual, other: &Individual, generator: &mut Pcg64) -> [Individual; 2] {
    let (one, other) = (&one.0, &other.0);
    let cut_one = generator.random_range(0..one.len());
    let lowest = (cut_one + other.len()).saturating_sub(TEMPLATES_MAX);
    let highest = (cut_one + TEMPLATES_MAX - one.len()).min(other.len() - 1);
    let cut_other = generator.random_range(lowest..=highest);
    let bit = generator.random_range(0..bits);
    [join(&one[..=cut_one], &other[cut_other..], bit), join(&other[..=cut_other], &one[cut_one..], bit)]
}

/// The head and the tail, with one template made of the head's last (its first bits) and the tail's first (the rest).
fn join(head: &[Gene], tail: &[Gene], bit: usize) -> Individual {
    let of_head = (1 << bit) - 1;
    let joint = head[head.len() - 1] & of_head | tail[0] & !of_head;
    Individual([&head[..head.len() - 1], &[joint], &tail[1..]].concat())
}

fn mutate(bits: usize, child: &mut Individual, probability: f64, generator: &mut Pcg64) {
    for gene in &mut child.0 {
        for bit in 0..bits {
            if generator.random::<f64>() < probability {
                *gene ^= 1 << bit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::super::genome::tests::encoding;
    use super::*;
    use crate::EstimatorChoice;

    const BITS: usize = 14;

    fn individuals() -> impl Strategy<Value = Individual> {
        proptest::collection::vec(0..1_u32 << BITS, 1..=TEMPLATES_MAX).prop_map(Individual)
    }

    #[test]
    fn a_child_has_the_head_of_one_parent_and_the_tail_of_the_other() {
        let child = join(&[1, 2, 0b1111_0000], &[0b0000_1111, 8, 9], 6);
        assert_eq!(child, Individual(vec![1, 2, 0b0011_0000, 8, 9]));
        assert_eq!(join(&[5], &[7], 0), Individual(vec![7]));
    }

    proptest! {
        #[test]
        fn children_have_one_to_ten_templates_and_all_bits_of_both_parents(
            one in individuals(), other in individuals(), seed in any::<u64>(),
        ) {
            let [first, second] = cross(BITS, &one, &other, &mut Pcg64::seed_from_u64(seed));
            for child in [&first, &second] {
                prop_assert!((1..=TEMPLATES_MAX).contains(&child.0.len()));
            }
            let ones = |genes: &[Gene]| genes.iter().map(|gene| gene.count_ones()).sum::<u32>();
            prop_assert_eq!(first.0.len() + second.0.len(), one.0.len() + other.0.len());
            prop_assert_eq!(ones(&first.0) + ones(&second.0), ones(&one.0) + ones(&other.0));
        }
    }

    #[test]
    fn bits_are_flipped_as_often_as_asked() {
        let mut generator = Pcg64::seed_from_u64(2);
        for (probability, expected) in [(0.0, 0.0_f64), (0.001, 1_000.0), (0.01, 10_000.0), (1.0, 1_000_000.0)] {
            let mut child = Individual(vec![0; 100_000]);
            mutate(10, &mut child, probability, &mut generator);
            let flipped: u32 = child.0.iter().map(|gene| gene.count_ones()).sum();
            assert!((f64::from(flipped) - expected).abs() <= 4.0 * expected.sqrt(), "{flipped} of {expected}");
            assert!(child.0.iter().all(|gene| *gene < 1 << 10));
        }
    }

    #[test]
    fn there_are_as_many_children_as_parents() {
        let encoding = encoding(EstimatorChoice::Journal, false, true);
        let mut generator = Pcg64::seed_from_u64(3);
        let population: Vec<Individual> = (0..9).map(|_| encoding.random(&mut generator)).collect();
        for count in 0..9 {
            let parents: Vec<usize> = (0..count).collect();
            assert_eq!(children(&encoding, &population, &parents, 0.01, &mut generator).len(), count);
        }
    }
}
