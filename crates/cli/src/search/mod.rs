//! `qcast search`: which template set predicts this log's run times best?

mod result;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use queuecast_logs::WholeTrace;
use queuecast_predict::templates::{Characteristic, Characteristics, Data, Estimator, Selection};
use queuecast_search::{
    EstimatorChoice, Found, GeneticOptions, GreedyOptions, SearchSpace, Workload, genetic, greedy, score,
};
use queuecast_simulate::AskedAt;
use queuecast_workload::files::Output;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use self::result::{Scored, SearchResult};
use crate::failure::{Failure, OnSide};
use crate::input::progress::{Progress, Unit};
use crate::input::source::SourceArgs;
use crate::options::at::AskedAtChoice;
use crate::output::{self, FormatArgs};
use crate::provenance::Provenance;

/// The arguments of `qcast search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Search method.
    #[arg(long, value_enum, default_value_t)]
    method: Method,
    /// Also search the number of past jobs that each category remembers.
    #[arg(long)]
    maximum_history: bool,
    /// Job characteristics that templates may use, separated by commas: q (queue), p (partition), u (user), g (group),
    /// e (executable), l (limit) [default: all that the log contains].
    ///
    /// The paper uses q,p,u,g,e; it uses the limit only as the divisor of run times.
    #[arg(long, value_name = "LETTERS", value_parser = parse_characteristics)]
    characteristics: Option<Characteristics>,
    /// Estimators that a template may use; a greedy search tries each of them alone.
    #[arg(long, value_enum, default_value_t)]
    estimators: Estimators,
    /// Rule that selects one of several estimates.
    #[arg(long, value_enum, default_value_t)]
    select: SelectChoice,
    /// Time of the prediction.
    #[arg(long, value_enum, default_value_t)]
    at: AskedAtChoice,
    /// Share of the log, from its beginning, to search on; the result is scored on the rest.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = parse_share)]
    search_on: f64,
    /// Number of template sets in a generation of the genetic search.
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(4..=100_000))]
    population: u32,
    /// Number of generations of the genetic search.
    #[arg(long, value_name = "COUNT", default_value_t = 92, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Mutation and selection of the genetic search.
    #[arg(long, value_enum, default_value_t)]
    breeding: Breeding,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: the number of cores].
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// File to write the template set to, for --predictor templates:FILE.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Omit timings from the result, so that repeated runs print identical output.
    #[arg(long)]
    no_timing: bool,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Greedy search: each round adds one template and one characteristic.
    Greedy,
    /// Genetic search over sets of up to ten templates.
    #[default]
    Genetic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Estimators {
    /// Mean and linear regression, as in the paper.
    #[default]
    Paper,
    /// Also inverse and logarithmic regression, as in the journal version.
    Journal,
    /// Mean and median, an addition of Queuecast.
    Median,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SelectChoice {
    /// Narrowest interval, as in the paper.
    #[default]
    Smallest,
    /// Narrowest interval, with a penalty for small categories.
    Shrunk,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Breeding {
    /// Mutation rate 0.001 per bit and remainder sampling, as in the paper.
    Paper,
    /// Mutation rate 0.01 per bit and roulette selection, as in the journal version.
    #[default]
    Journal,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a share of the log, above 0 and up to 1".to_owned())
}

fn parse_characteristics(text: &str) -> Result<Characteristics, String> {
    let named = |letter: &str| Characteristic::ALL.into_iter().find(|characteristic| characteristic.letter() == letter);
    let read: Option<Characteristics> = text.split(',').map(|letter| named(letter.trim())).collect();
    read.ok_or_else(|| "expected letters out of q, p, u, g, e and l, separated by commas".to_owned())
}

/// Runs the subcommand.
pub fn run(arguments: &SearchArgs) -> Result<(), Failure> {
    if arguments.output.as_deref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(Failure::usage("--output needs a file name: standard output is used for the result"));
    }
    let trace = WholeTrace::load(arguments.source.open()?)?;
    let whole = Workload::new(&trace.jobs, AskedAt::from(arguments.at));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the number of jobs")]
    let searched = ((arguments.search_on * whole.len() as f64).ceil() as usize).clamp(1, whole.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build();
    let pool = pool.map_err(|error| Failure::usage(format_args!("--threads {}: {error}", arguments.threads)))?;
    // Before the search, so that it is not in vain.
    let file = arguments.output.as_deref().map(Output::create).transpose().writing()?;
    let begun = Instant::now();
    let (found, rest) = pool.install(|| {
        let found = arguments.search(&whole.first(searched));
        let rest = (searched < whole.len()).then(|| score(&whole, searched..whole.len(), &found.set));
        (found, rest)
    });
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(mut file) = file {
        let lines = format!("# found by qcast search on {}\n{}", trace.name, found.set.to_lines());
        file.write_all(lines.as_bytes()).writing()?;
        file.finish().writing()?;
    }
    let result = SearchResult {
        trace: trace.name,
        method: if arguments.method == Method::Greedy { "greedy" } else { "genetic" },
        seed: arguments.seed,
        searched_jobs: searched as u64,
        evaluations: found.evaluations,
        templates: found.set.templates.iter().map(ToString::to_string).collect(),
        select: found.set.selection.to_string(),
        predictor: format!("templates:{}", found.set),
        in_sample: Scored::from(found.score),
        on_the_rest: rest.map(Scored::from),
        history: found.history.iter().map(result::HistoryStep::from).collect(),
        seconds: (!arguments.no_timing).then_some(seconds),
    };
    let log = arguments.source.log_read().without(trace.dropped);
    let provenance = Provenance::of_this_command().with_seed(arguments.seed).with_log(log);
    output::print(&result, &provenance, arguments.format.format)
}

impl SearchArgs {
    fn search(&self, workload: &Workload) -> Found {
        match self.method {
            Method::Greedy => self.search_greedily(workload),
            Method::Genetic => self.search_genetically(workload),
        }
    }

    fn characteristics_of(&self, workload: &Workload) -> Characteristics {
        let known = workload.characteristics();
        self.characteristics.map_or(known, |allowed| known.and(allowed))
    }

    fn selection(&self) -> Selection {
        match self.select {
            SelectChoice::Smallest => Selection::Smallest,
            SelectChoice::Shrunk => Selection::Shrunk,
        }
    }

    /// The best over estimators and kinds of data, each searched alone.
    fn search_greedily(&self, workload: &Workload) -> Found {
        let estimators = match self.estimators {
            Estimators::Paper => &Estimator::ALL[..2],
            Estimators::Journal => &Estimator::ALL[..4],
            Estimators::Median => &[Estimator::Mean, Estimator::Median][..],
        };
        let data =
            [Data::Actual, Data::Relative].into_iter().filter(|data| *data == Data::Actual || workload.has_limits());
        let kinds: Vec<_> = data.flat_map(|data| estimators.iter().map(move |estimator| (*estimator, data))).collect();
        let progress = RefCell::new(Progress::of_many(Unit::Searches, kinds.len() as u64));
        let searches = kinds.into_iter().map(|(estimator, data)| {
            let options = GreedyOptions {
                characteristics: self.characteristics_of(workload),
                processors: true,
                maximum_history: self.maximum_history,
                estimator,
                data,
                selection: self.selection(),
            };
            let found = greedy(workload, &options, &|_| {});
            progress.borrow_mut().advance();
            found
        });
        let all: Vec<Found> = searches.collect();
        progress.borrow_mut().finish();
        let evaluations = all.iter().map(|found| found.evaluations).sum();
        let best = all.into_iter().min_by_key(|found| found.score.error_sum_seconds);
        Found { evaluations, ..best.expect("at least one estimator was tried") }
    }

    fn search_genetically(&self, workload: &Workload) -> Found {
        let space = SearchSpace {
            estimators: match self.estimators {
                Estimators::Paper => EstimatorChoice::MeanOrLinear,
                Estimators::Journal => EstimatorChoice::Journal,
                Estimators::Median => EstimatorChoice::MeanOrMedian,
            },
            maximum_history: self.maximum_history,
            selection: self.selection(),
            characteristics: self.characteristics_of(workload),
            ..SearchSpace::of(workload)
        };
        let (population, generations) = (self.population as usize, self.generations as usize);
        let options = match self.breeding {
            Breeding::Paper => GeneticOptions::paper(population, generations),
            Breeding::Journal => GeneticOptions::journal(population, generations),
        };
        let progress = RefCell::new(Progress::of_many(Unit::Generations, u64::from(self.generations)));
        let mut generator = Pcg64::seed_from_u64(self.seed);
        let found = genetic(workload, &space, &options, &mut generator, &|_| progress.borrow_mut().advance());
        progress.borrow_mut().finish();
        found
    }
}
