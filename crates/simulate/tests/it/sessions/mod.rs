//! The indexed session-based predictor says what a literal reading of the paper's listing says, event by event.

mod reference;

use queuecast_predict::{Outlived, PredictorSpecification, Revisions, RuntimePredictor};
use queuecast_simulate::{Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{Machine, Outcome, ProgramId, Seconds, Submission, Time};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{Setup, crowded};
use reference::{Criterion, Search, Sessions};

const ANY: Criterion = Criterion { processors: false, limit: false, program: false };
const P: Criterion = Criterion { processors: true, ..ANY };
const E: Criterion = Criterion { limit: true, ..ANY };
const X: Criterion = Criterion { program: true, ..ANY };
const PE: Criterion = Criterion { limit: true, ..P };
const PEX: Criterion = Criterion { program: true, ..PE };

const LISTS: [(&str, &[Criterion]); 5] =
    [("PE/P/E/*", &[PE, P, E, ANY]), ("E/P/X", &[E, P, X]), ("PEX/*", &[PEX, ANY]), ("*", &[ANY]), ("X/PE", &[X, PE])];

/// A predictor that is held against the reference at every event.
struct Held {
    predictor: Box<dyn RuntimePredictor>,
    reference: Sessions,
    criteria: &'static [Criterion],
    search: Search,
    depth: Option<usize>,
    /// How often the reference found a match.
    matched: u32,
}

impl RuntimePredictor for &mut Held {
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds {
        self.reference.arrived(job, now);
        let expected = self.reference.predict(job, self.criteria, self.search, self.depth);
        self.matched += u32::from(expected.is_some());
        let limit = job.limit.expect("every job of this test has one");
        let planned = self.predictor.on_arrival(job, now, revisions);
        assert_eq!(planned, expected.unwrap_or(limit).min(limit), "job {:?} at {now}", job.job);
        planned
    }
    fn on_start(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) {
        self.predictor.on_start(job, now, revisions);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        self.reference.ended(job, outcome.run(), outcome.ended);
        self.predictor.on_end(job, outcome, revisions);
    }
    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        self.predictor.on_outlived(job, miss, now, revisions)
    }
}

/// Jobs that meet, with executables, spread out so that sessions end.
fn compare(seed: u64) -> u32 {
    let generator = &mut Pcg64::seed_from_u64(seed);
    let machine = Machine { processors: generator.random_range(1..=8) };
    let mut jobs = crowded(generator, machine, 20..=120);
    let spread = [1, 40, 400][generator.random_range(0..3)];
    for job in &mut jobs {
        job.submission.submitted = Time(job.submission.submitted.0 * spread);
        job.submission.program = [None, Some(ProgramId(1)), Some(ProgramId(2))][generator.random_range(0..3)];
        // Few distinct limits, so that they match.
        job.submission.limit = Some(Seconds(generator.random_range(1..=4) * 40));
    }
    let (list, criteria) = LISTS[generator.random_range(0..LISTS.len())];
    let (search, search_name) =
        [(Search::DepthFirst, "dfs"), (Search::BreadthFirst, "bfs")][generator.random_range(0..2)];
    let (depth, depth_name) = [(None, "all"), (Some(1), "1"), (Some(3), "3")][generator.random_range(0..3)];
    let name = format!("session:criteria={list},search={search_name},depth={depth_name}");
    let specification: PredictorSpecification = name.parse().expect("a predictor");
    let setup = Setup::with_estimates(machine.processors, Rules::Clean, "easy-sjbf");
    let propagate = generator.random_ratio(1, 2);
    let (predictor, _) = specification.build(specification.default_correction(), propagate);
    let mut held = Held { predictor, reference: Sessions::default(), criteria, search, depth, matched: 0 };
    let jobs = Replay::new(jobs.into_iter(), machine, Overrun::RunOn, false);
    let mut cluster = SimulatedCluster::new(machine, setup.rules, &mut held, setup.policy.build(machine));
    simulate(jobs, &mut cluster, &mut ());
    held.matched
}

#[test]
fn every_first_prediction_is_that_of_the_listing() {
    let matched: u32 = (0..3_000).map(compare).sum();
    assert!(matched > 50_000, "matches were found for {matched} jobs only");
}
