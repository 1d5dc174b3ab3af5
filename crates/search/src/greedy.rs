//! The greedy search of the paper (R-S5): one template more a round, each with one characteristic more.
//!
//! Round i scores all templates of i characteristics beside those already chosen, and adds the best (E-S2.1: there are
//! n over i of them). The paper adds one every round, better or not; so does this, and returns the best of the sets
//! it went through. Where processors count as a characteristic, every range size is tried.

use std::num::{NonZeroU32, NonZeroUsize};

use queuecast_predict::templates::{
    Characteristic, Characteristics, Data, Estimator, Selection, Template, TemplateSet,
};
use rayon::prelude::*;

use crate::columns::Columns;
use crate::{Found, Progress, Score, Workload};

/// Templates scored at a time: bounds the memory that their columns take.
const BATCH: usize = 64;

/// What a greedy search tries. One estimator and one kind of data a search, as in the paper's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GreedyOptions {
    /// The characteristics to combine.
    pub characteristics: Characteristics,
    /// Whether ranges of processors, of 1 to 512 in powers of two, count as a characteristic.
    pub processors: bool,
    /// Whether to try maximum histories, from 2 to 65,536 in powers of two, for every template.
    pub maximum_history: bool,
    /// The estimator of all templates.
    pub estimator: Estimator,
    /// The data of all templates.
    pub data: Data,
    /// The rule by which one of a set's estimates is chosen.
    pub selection: Selection,
}

/// Searches for the set of least mean error on `workload`.
pub fn greedy(workload: &Workload, options: &GreedyOptions, progress: &dyn Fn(&Progress)) -> Found {
    let mut columns = Columns::new(workload, options.selection);
    let mut chosen: Vec<Template> = Vec::new();
    let mut best = (Score::default(), 0);
    let (mut evaluations, mut history) = (0, Vec::new());
    let rounds = options.characteristics.iter().count() + usize::from(options.processors);
    for round in 0..=rounds {
        let candidates = options.templates_of(round);
        let mut scores: Vec<Score> = Vec::with_capacity(candidates.len());
        for batch in candidates.chunks(BATCH) {
            columns.hold(&chosen.iter().chain(batch).copied().collect());
            let score =
                |candidate| Score::of(workload, 0..workload.len(), &columns.of(chosen.iter().chain([candidate])));
            scores.par_extend(batch.par_iter().map(score));
        }
        let by_error = scores.iter().zip(candidates).min_by_key(|(score, _)| score.error_sum_seconds);
        let Some((score, candidate)) = by_error else { break };
        chosen.push(candidate);
        if round == 0 || score.error_sum_seconds < best.0.error_sum_seconds {
            best = (*score, chosen.len());
        }
        evaluations += scores.len() as u64;
        history.push(Progress::of(round, &scores));
        progress(&history[round]);
    }
    let (score, length) = best;
    chosen.truncate(length);
    Found { set: TemplateSet { templates: chosen, selection: options.selection }, score, evaluations, history }
}

impl GreedyOptions {
    /// All templates of so many characteristics, in a fixed order.
    fn templates_of(self, count: usize) -> Vec<Template> {
        let known: Vec<Characteristic> = self.characteristics.iter().collect();
        let mut templates = Vec::new();
        for subset in 0..1_u32 << known.len() {
            let of_subset = known.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
            let characteristics: Characteristics = of_subset.map(|(_, characteristic)| *characteristic).collect();
            let size = subset.count_ones() as usize;
            for processors_range in self.processors_ranges() {
                if size + usize::from(processors_range.is_some()) != count {
                    continue;
                }
                let (data, estimator) = (self.data, self.estimator);
                let of_history =
                    |maximum_history| Template { characteristics, processors_range, maximum_history, data, estimator };
                templates.extend(self.maximum_histories().map(of_history));
            }
        }
        templates
    }

    fn processors_ranges(self) -> impl Iterator<Item = Option<NonZeroU32>> {
        let ranges = (0..=9).filter(move |_| self.processors).map(|exponent| NonZeroU32::new(1 << exponent));
        std::iter::once(None).chain(ranges)
    }

    fn maximum_histories(self) -> impl Iterator<Item = Option<NonZeroUsize>> {
        let limited = (1..=16).filter(move |_| self.maximum_history).map(|exponent| NonZeroUsize::new(1 << exponent));
        std::iter::once(None).chain(limited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AskedAt, score, test_jobs};

    const MEANS: GreedyOptions = GreedyOptions {
        characteristics: Characteristics::NONE,
        processors: false,
        maximum_history: false,
        estimator: Estimator::Mean,
        data: Data::Actual,
        selection: Selection::Smallest,
    };

    fn options(letters: &[Characteristic]) -> GreedyOptions {
        GreedyOptions { characteristics: letters.iter().copied().collect(), ..MEANS }
    }

    fn error(workload: &Workload, set: &str) -> i64 {
        score(workload, 0..workload.len(), &set.parse().expect(set)).error_sum_seconds
    }

    /// Every set the algorithm may look at, written out by hand.
    #[test]
    fn a_greedy_search_of_two_characteristics_is_the_one_made_by_hand() {
        for seed in 0..30 {
            let workload = Workload::new(&test_jobs::random(60, seed), AskedAt::Start);
            let found = greedy(&workload, &options(&[Characteristic::Queue, Characteristic::User]), &|_| ());
            let of_one = if error(&workload, "()/(q)") <= error(&workload, "()/(u)") { "()/(q)" } else { "()/(u)" };
            let of_two = format!("{of_one}/(q,u)");
            let prefixes = ["()", of_one, &of_two];
            let best = prefixes.into_iter().min_by_key(|set| error(&workload, set)).unwrap();
            assert_eq!(found.set, best.parse().unwrap(), "seed {seed}");
            assert_eq!(found.score.error_sum_seconds, error(&workload, best));
            assert_eq!((found.evaluations, found.history.len()), (1 + 2 + 1, 3));
        }
    }

    #[test]
    fn a_round_tries_every_subset_with_every_range_and_history() {
        let two = options(&[Characteristic::Queue, Characteristic::User]);
        let counts = |options: GreedyOptions| [0, 1, 2, 3].map(|round| options.templates_of(round).len());
        assert_eq!(counts(two), [1, 2, 1, 0]);
        assert_eq!(counts(GreedyOptions { processors: true, ..two }), [1, 2 + 10, 1 + 2 * 10, 10]);
        let all = GreedyOptions { processors: true, maximum_history: true, ..two };
        assert_eq!(counts(all), [17, 12 * 17, 21 * 17, 10 * 17]);
    }

    #[test]
    fn every_template_has_the_estimator_and_data_asked_for() {
        let options =
            GreedyOptions { estimator: Estimator::Linear, data: Data::Relative, ..options(&[Characteristic::User]) };
        assert!(options.templates_of(1).iter().all(|template| template.to_string() == "(u,lr,rel)"));
    }

    #[test]
    fn a_workload_without_jobs_has_the_template_of_all_jobs() {
        let found = greedy(&Workload::new(&[], AskedAt::Start), &options(&[Characteristic::User]), &|_| ());
        assert_eq!(found.set.to_string(), "(mean,act)");
    }
}
