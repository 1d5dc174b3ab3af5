//! Template sets as bits: what crossover cuts and mutation flips.

use std::num::{NonZeroU32, NonZeroUsize};

use queuecast_predict::templates::{Characteristic, Data, Estimator, Template};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::SearchSpace;

/// The most templates a set may have.
pub const TEMPLATES_MAX: usize = 10;
/// The bits of an exponent of a processors range or a history.
const EXPONENT_BITS: usize = 4;
/// Ranges of processors are of 2^0 to 2^9. The exponents beyond start over, so that every gene is a template.
const RANGE_EXPONENTS: u32 = 10;

/// A template as bits, the first of the encoding lowest.
pub type Gene = u32;

/// A set of templates as bits: 1 to [`TEMPLATES_MAX`] genes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Individual(pub Vec<Gene>);

/// Which bit means what. In order: estimator (one bit or two), data (one, or none in a log without limits), each
/// characteristic, processors (one for whether, four for the range), history (the same, where it is searched).
#[derive(Clone, Debug)]
pub struct Encoding {
    estimators: &'static [Estimator],
    relative: bool,
    characteristics: Vec<Characteristic>,
    maximum_history: bool,
}

impl Encoding {
    pub fn new(space: &SearchSpace) -> Self {
        Self {
            estimators: space.estimators.estimators(),
            relative: space.relative,
            characteristics: space.characteristics.iter().collect(),
            maximum_history: space.maximum_history,
        }
    }

    /// How many bits a gene has.
    pub fn bits(&self) -> usize {
        let history = if self.maximum_history { 1 + EXPONENT_BITS } else { 0 };
        let labels = self.characteristics.len();
        self.estimator_bits() + usize::from(self.relative) + labels + 1 + EXPONENT_BITS + history
    }

    fn estimator_bits(&self) -> usize {
        self.estimators.len().ilog2() as usize
    }

    /// A set of any size, of any templates.
    pub fn random(&self, generator: &mut Pcg64) -> Individual {
        let templates = generator.random_range(1..=TEMPLATES_MAX);
        Individual((0..templates).map(|_| generator.random_range(0..1 << self.bits())).collect())
    }

    /// The templates of a set, each once: the second of two equal ones is never surer.
    pub fn templates(&self, individual: &Individual) -> Vec<Template> {
        let mut templates = Vec::with_capacity(individual.0.len());
        for gene in &individual.0 {
            let template = self.template(*gene);
            if !templates.contains(&template) {
                templates.push(template);
            }
        }
        templates
    }

    fn template(&self, gene: Gene) -> Template {
        let mut rest = gene;
        let mut take = |bits: usize| {
            let value = rest & ((1 << bits) - 1);
            rest >>= bits;
            value
        };
        let estimator = self.estimators[take(self.estimator_bits()) as usize];
        let data = if self.relative && take(1) == 1 { Data::Relative } else { Data::Actual };
        let characteristics = self.characteristics.iter().copied().filter(|_| take(1) == 1).collect();
        let (by_processors, exponent) = (take(1) == 1, take(EXPONENT_BITS) % RANGE_EXPONENTS);
        let processors_range = NonZeroU32::new(1 << exponent).filter(|_| by_processors);
        // Without these bits there are only zeros left to take.
        let (limited, exponent) = (take(1) == 1, take(EXPONENT_BITS) + 1);
        let maximum_history = NonZeroUsize::new(1 << exponent).filter(|_| limited);
        Template { characteristics, processors_range, maximum_history, data, estimator }
    }
}

#[cfg(test)]
pub mod tests {
    use std::collections::BTreeSet;

    use queuecast_predict::templates::{Characteristics, Selection};
    use rand::SeedableRng;

    use super::*;
    use crate::EstimatorChoice;

    pub fn encoding(estimators: EstimatorChoice, relative: bool, maximum_history: bool) -> Encoding {
        let characteristics: Characteristics = [Characteristic::Queue, Characteristic::User].into_iter().collect();
        let selection = Selection::Smallest;
        Encoding::new(&SearchSpace { characteristics, relative, estimators, maximum_history, selection })
    }

    #[test]
    fn genes_are_the_templates_of_the_search_space_and_no_others() {
        for (estimators, relative, maximum_history, bits, templates) in [
            (EstimatorChoice::MeanOrLinear, false, false, 1 + 2 + 5, 2 * 4 * 11),
            (EstimatorChoice::MeanOrLinear, true, false, 1 + 1 + 2 + 5, 2 * 2 * 4 * 11),
            (EstimatorChoice::Journal, false, true, 2 + 2 + 5 + 5, 4 * 4 * 11 * 17),
            (EstimatorChoice::Journal, true, true, 2 + 1 + 2 + 5 + 5, 4 * 2 * 4 * 11 * 17),
        ] {
            let encoding = encoding(estimators, relative, maximum_history);
            assert_eq!(encoding.bits(), bits);
            let distinct: BTreeSet<Template> = (0..1 << bits).map(|gene| encoding.template(gene)).collect();
            assert_eq!(distinct.len(), templates);
        }
    }

    #[test]
    fn bits_mean_what_the_encoding_says() {
        let encoding = encoding(EstimatorChoice::Journal, true, true);
        assert_eq!(encoding.template(0).to_string(), "(mean,act)");
        // From the lowest: log 11, rel 1, q 1, u 0, processors 1 with 2^0011, history 1 with 2^(0100 + 1).
        let gene = 0b010_0100_1110_1111;
        assert_eq!(encoding.template(gene).to_string(), "(q,n=8,log,rel,mh=32)");
    }

    #[test]
    fn equal_templates_of_a_set_count_once() {
        let encoding = encoding(EstimatorChoice::Journal, true, true);
        // The second has a range of processors, which do not count in it.
        let individual = Individual(vec![0, 0b00_1100_0000, 1]);
        assert_eq!(encoding.templates(&individual).len(), 2);
    }

    #[test]
    fn random_sets_have_one_to_ten_templates() {
        let encoding = encoding(EstimatorChoice::MeanOrLinear, false, false);
        let mut generator = Pcg64::seed_from_u64(1);
        let sizes: BTreeSet<usize> = (0..1_000).map(|_| encoding.random(&mut generator).0.len()).collect();
        assert!(sizes.into_iter().eq(1..=TEMPLATES_MAX));
    }
}
