//! What is searched and what is scored on each log.

use std::sync::Arc;

use queuecast_evaluate::{Resampled, WeeklyErrors};
use queuecast_predict::templates::{Characteristic, Characteristics, Data, Estimator, Selection};
use queuecast_predict::{PredictorSpecification, TemplateSet};
use queuecast_search::{EstimatorChoice, Found, GeneticOptions, GreedyOptions, SearchSpace, Workload, genetic, greedy};
use queuecast_simulate::{AskedAt, Overrun, as_logged, replay_as_logged};
use queuecast_workload::TracedJob;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::{Claim, Effort, Log, LogSpecification, Measured};

/// A log and what the paper calls it, if it is one of the paper's.
pub type NamedLog = LogSpecification<Option<&'static str>>;

/// Template sets in a generation; with the usual number of generations some 4,500 are tried, which the journal version
/// found to be enough.
pub const POPULATION: usize = 50;

/// What was found on one log and how good everything is there.
pub struct Results {
    /// The log.
    pub which: NamedLog,
    /// The jobs in the order they start.
    jobs: Vec<TracedJob>,
    /// The same in the order they are submitted.
    jobs_by_submission: Vec<TracedJob>,
    /// The first job of the remaining two thirds.
    pub rest_from: u64,
    seed: u64,
    /// Greedy searches over the characteristics but processors, one for each estimator and kind of data.
    pub greedy: Vec<Greedy>,
    /// The best of these estimators and data, with processors.
    pub greedy_processors: Found,
    /// The same with maximum history.
    pub greedy_history: Found,
    /// The paper's genetic search.
    pub genetic: Found,
    /// The journal's, with maximum history and all regressions.
    pub genetic_history: Found,
    /// Ours: means and medians, under the rule that does not fall for narrow intervals of small categories.
    pub genetic_ours: Found,
    /// What the same searches find when they are only shown the first third of the log.
    pub first_third: FirstThird,
}

/// A greedy search with one estimator and one kind of data.
pub struct Greedy {
    /// Which.
    pub estimator: Estimator,
    /// Which.
    pub data: Data,
    /// What it found.
    pub found: Found,
}

/// Sets found on the first third alone.
pub struct FirstThird {
    /// By the greedy search with processors.
    pub greedy_processors: Found,
    /// By the paper's genetic search.
    pub genetic: Found,
    /// By the journal's.
    pub genetic_history: Found,
    /// By ours.
    pub genetic_ours: Found,
}

/// The searches made on a log.
pub fn searches(log: &Log) -> u64 {
    greedy_kinds(has_limits(log)).len() as u64 + 9
}

fn has_limits(log: &Log) -> bool {
    log.jobs.iter().any(|job| job.submission.limit.is_some())
}

fn greedy_kinds(has_limits: bool) -> Vec<(Estimator, Data)> {
    let kinds = [Data::Actual, Data::Relative].into_iter().filter(|data| has_limits || *data == Data::Actual);
    kinds.flat_map(|data| [(Estimator::Mean, data), (Estimator::Linear, data)]).collect()
}

impl Results {
    /// Searches and remembers.
    pub fn new(log: &Log, which: NamedLog, effort: Effort, on_searched: &(dyn Fn() + Sync)) -> Self {
        let jobs = as_logged(&log.jobs, AskedAt::Start);
        let whole = Workload::new(&log.jobs, AskedAt::Start);
        let rest_from = whole.len().div_ceil(3);
        let third = whole.first(rest_from);
        let searcher = Searcher { effort, on_searched };

        let kinds = greedy_kinds(has_limits(log)).into_iter();
        let greedy: Vec<Greedy> = kinds
            .map(|(estimator, data)| {
                let options = GreedyOptions { estimator, data, ..greedy_options(&whole) };
                Greedy { estimator, data, found: searcher.greedy(&whole, options) }
            })
            .collect();
        let best = greedy.iter().min_by_key(|greedy| greedy.found.score.error_sum_seconds).expect("at least two");
        let best =
            GreedyOptions { estimator: best.estimator, data: best.data, processors: true, ..greedy_options(&whole) };

        let space = SearchSpace { characteristics: papers_characteristics(&whole), ..SearchSpace::of(&whole) };
        let journal_space =
            SearchSpace { estimators: EstimatorChoice::Journal, maximum_history: true, ..space.clone() };
        let our_space = SearchSpace {
            characteristics: whole.characteristics(),
            selection: Selection::Shrunk,
            estimators: EstimatorChoice::MeanOrMedian,
            ..journal_space.clone()
        };
        let (paper, journal) = (
            GeneticOptions::paper(POPULATION, effort.generations),
            GeneticOptions::journal(POPULATION, effort.generations),
        );
        Self {
            which,
            jobs,
            jobs_by_submission: as_logged(&log.jobs, AskedAt::Submission),
            rest_from: rest_from as u64,
            seed: effort.shaking.seed,
            greedy_processors: searcher.greedy(&whole, best),
            greedy_history: searcher.greedy(&whole, GreedyOptions { maximum_history: true, ..best }),
            genetic: searcher.genetic(&whole, &space, &paper),
            genetic_history: searcher.genetic(&whole, &journal_space, &journal),
            genetic_ours: searcher.genetic(&whole, &our_space, &journal),
            first_third: FirstThird {
                greedy_processors: searcher.greedy(&third, best),
                genetic: searcher.genetic(&third, &space, &paper),
                genetic_history: searcher.genetic(&third, &journal_space, &journal),
                genetic_ours: searcher.genetic(&third, &our_space, &journal),
            },
            greedy,
        }
    }

    /// The best of the greedy searches without processors.
    pub fn best_greedy(&self) -> &Found {
        let best = self.greedy.iter().min_by_key(|greedy| greedy.found.score.error_sum_seconds);
        &best.expect("at least two").found
    }

    /// The greedy search of one kind, where the log has limits for it.
    pub fn greedy_of(&self, estimator: Estimator, data: Data) -> Option<&Found> {
        self.greedy
            .iter()
            .find(|greedy| (greedy.estimator, greedy.data) == (estimator, data))
            .map(|greedy| &greedy.found)
    }

    /// The errors of a predictor, asked when jobs start, over the whole log or from one job on.
    pub fn errors(&self, predictor: &PredictorSpecification, from: u64) -> WeeklyErrors {
        errors(&self.jobs, predictor, from)
    }

    /// The same asked when jobs are submitted, as a scheduler has to.
    pub fn errors_at_submission(&self, predictor: &PredictorSpecification, from: u64) -> WeeklyErrors {
        errors(&self.jobs_by_submission, predictor, from)
    }

    /// The errors of a set.
    pub fn errors_of(&self, set: &TemplateSet, from: u64) -> WeeklyErrors {
        self.errors(&of_set(set), from)
    }

    /// What is claimed of the paper's logs, tried on this one.
    pub fn on_its_log(&self, claim: Claim) -> Claim {
        if self.which.particulars.is_some() { claim } else { claim.standing_in("not one of the paper's logs") }
    }

    /// The error over the mean run time, in per cent.
    pub fn relative_error(&self, errors: &WeeklyErrors) -> Measured {
        in_per_cent(errors.relative_error(self.seed))
    }

    /// By how many per cent the error is smaller than another's.
    pub fn improvement(&self, errors: &WeeklyErrors, other: &WeeklyErrors) -> Measured {
        in_per_cent(errors.improvement_over(other, self.seed))
    }
}

/// A set as a predictor.
pub fn of_set(set: &TemplateSet) -> PredictorSpecification {
    PredictorSpecification::Templates(Arc::new(set.clone()))
}

fn errors(jobs: &[TracedJob], predictor: &PredictorSpecification, from: u64) -> WeeklyErrors {
    let mut errors = WeeklyErrors::from_job(from);
    let built = predictor.build(predictor.default_correction(), false);
    replay_as_logged(jobs.iter().copied(), Overrun::RunOn, built, &mut errors);
    errors
}

fn in_per_cent(Resampled { value, low95, high95 }: Resampled) -> Measured {
    let finite = |value: f64| value.is_finite().then_some(100.0 * value);
    Measured { measured: finite(value), low95: finite(low95), high95: finite(high95) }
}

/// The paper uses the limit only to divide run times by: users' limits are not one of its characteristics. Ours may use it as one.
fn papers_characteristics(workload: &Workload) -> Characteristics {
    workload.characteristics().without(Characteristic::Limit)
}

fn greedy_options(workload: &Workload) -> GreedyOptions {
    GreedyOptions {
        characteristics: papers_characteristics(workload),
        processors: false,
        maximum_history: false,
        estimator: Estimator::Mean,
        data: Data::Actual,
        selection: Selection::Smallest,
    }
}

struct Searcher<'a> {
    effort: Effort,
    on_searched: &'a (dyn Fn() + Sync),
}

impl Searcher<'_> {
    fn greedy(&self, workload: &Workload, options: GreedyOptions) -> Found {
        let found = greedy(workload, &options, &|_| {});
        (self.on_searched)();
        found
    }

    fn genetic(&self, workload: &Workload, space: &SearchSpace, options: &GeneticOptions) -> Found {
        let mut generator = Pcg64::seed_from_u64(self.effort.shaking.seed);
        let found = genetic(workload, space, options, &mut generator, &|_| {});
        (self.on_searched)();
        found
    }
}
