//! The genetic search of the paper (R-S6).
//!
//! Sets of templates are individuals; the smaller their error, the more children they have. Children are crossed from
//! two sets and a little mutated; the best two of a generation live on. What the paper leaves open (the size of the
//! population, the number of generations) is the caller's.

mod breeding;
mod genome;
mod parents;

use queuecast_predict::templates::{Template, TemplateSet};
use rand_pcg::Pcg64;
use rayon::prelude::*;

pub use parents::ParentSelection;

use crate::columns::Columns;
use crate::{Found, Progress, Score, SearchSpace, Workload};
use genome::{Encoding, Individual};

/// The best of a generation that live on unchanged.
const ELITE: usize = 2;

/// How a genetic search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneticOptions {
    /// Sets in a generation; at least four are used.
    pub population: usize,
    /// Generations, the random first one included; at least one is used.
    pub generations: usize,
    /// How parents are drawn.
    pub parents: ParentSelection,
    /// The probability that a bit of a child is flipped.
    pub mutation: f64,
}

impl GeneticOptions {
    /// As in the paper.
    pub fn paper(population: usize, generations: usize) -> Self {
        Self { population, generations, parents: ParentSelection::RemainderSampling, mutation: 0.001 }
    }

    /// As in its journal version: more mutation, and parents drawn with replacement.
    pub fn journal(population: usize, generations: usize) -> Self {
        Self { population, generations, parents: ParentSelection::Roulette, mutation: 0.01 }
    }
}

/// Searches for the set of least mean error on `workload`. A generator in the same state gives the same result, whatever
/// the number of threads.
pub fn genetic(
    workload: &Workload,
    space: &SearchSpace,
    options: &GeneticOptions,
    generator: &mut Pcg64,
    progress: &dyn Fn(&Progress),
) -> Found {
    let encoding = Encoding::new(space);
    let mut columns = Columns::new(workload, space.selection);
    let mut population: Vec<Individual> =
        (0..options.population.max(2 * ELITE)).map(|_| encoding.random(generator)).collect();
    let mut scores = score_all(workload, &mut columns, &encoding, &population);
    let mut evaluations = scores.len();
    let mut history = vec![Progress::of(0, &scores)];
    progress(&history[0]);
    for generation in 1..options.generations {
        let elite: Vec<Individual> = ranking(&scores).take(ELITE).map(|index| population[index].clone()).collect();
        let parents = options.parents.draw(&parents::fitness(&scores), population.len() - ELITE, generator);
        let children = breeding::children(&encoding, &population, &parents, options.mutation, generator);
        evaluations += children.len();
        population = elite.into_iter().chain(children).collect();
        scores = score_all(workload, &mut columns, &encoding, &population);
        history.push(Progress::of(generation, &scores));
        progress(&history[generation]);
    }
    // Thanks to the elite, the best of the last generation is the best of all.
    let best = ranking(&scores).next().expect("a population is never empty");
    let set = TemplateSet { templates: encoding.templates(&population[best]), selection: space.selection };
    Found { set, score: scores[best], evaluations: evaluations as u64, history }
}

/// The places of the sets, least error first.
fn ranking(scores: &[Score]) -> impl Iterator<Item = usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by_key(|&place| scores[place].error_sum_seconds);
    places.into_iter()
}

fn score_all(
    workload: &Workload,
    columns: &mut Columns<'_>,
    encoding: &Encoding,
    population: &[Individual],
) -> Vec<Score> {
    let sets: Vec<Vec<Template>> = population.iter().map(|individual| encoding.templates(individual)).collect();
    columns.hold(&sets.iter().flatten().copied().collect());
    let score = |set: &Vec<Template>| Score::of(workload, 0..workload.len(), &columns.of(set));
    sets.par_iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{AskedAt, EstimatorChoice, score, test_jobs};

    fn search(seed: u64, options: &GeneticOptions) -> (Workload, Found) {
        let workload = Workload::new(&test_jobs::random(150, 9), AskedAt::Start);
        let estimators = EstimatorChoice::Journal;
        let space = SearchSpace { estimators, maximum_history: true, ..SearchSpace::of(&workload) };
        let found = genetic(&workload, &space, options, &mut Pcg64::seed_from_u64(seed), &|_| ());
        (workload, found)
    }

    #[test]
    fn the_same_seed_finds_the_same_set_with_any_number_of_threads() {
        let options = GeneticOptions::journal(20, 15);
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| search(7, &options).1)
        };
        let found = with_threads(1);
        assert_eq!(with_threads(4), found);
        assert_ne!(search(8, &options).1.history, found.history);
    }

    #[test]
    fn the_score_is_that_of_the_set_that_is_returned() {
        for options in [GeneticOptions::paper(11, 8), GeneticOptions::journal(12, 8)] {
            let (workload, found) = search(3, &options);
            assert_eq!(found.score, score(&workload, 0..workload.len(), &found.set));
            assert_eq!(found.evaluations, (options.population + 7 * (options.population - ELITE)) as u64);
            assert_eq!(found.history.len(), 8);
        }
    }

    #[test]
    fn the_best_never_gets_worse_and_a_search_is_better_than_chance() {
        let (_, found) = search(1, &GeneticOptions::journal(30, 25));
        let best: Vec<f64> = found.history.iter().map(|progress| progress.best_error_seconds).collect();
        assert!(best.is_sorted_by(|earlier, later| later <= earlier), "{best:?}");
        assert!(best[24] < best[0], "{best:?}");
        assert!(found.history.iter().all(|p| p.best_error_seconds <= p.mean_error_seconds));
        assert!(found.history.iter().all(|p| p.mean_error_seconds <= p.worst_error_seconds));
    }

    #[test]
    fn a_single_generation_and_a_workload_without_jobs_are_no_problem() {
        assert_eq!(search(1, &GeneticOptions::paper(0, 0)).1.evaluations, 4);
        let empty = Workload::new(&[], AskedAt::Start);
        let (space, options) = (SearchSpace::of(&empty), GeneticOptions::paper(6, 5));
        let found = genetic(&empty, &space, &options, &mut Pcg64::seed_from_u64(1), &|_| ());
        assert_eq!(found.score, Score::default());
    }
}
