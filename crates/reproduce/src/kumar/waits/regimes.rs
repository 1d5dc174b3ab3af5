//! Every forecaster along every log.

use std::collections::BTreeMap;

use queuecast_evaluate::Configuration;
use queuecast_evaluate::wait::{WaitScores, WaitSummary, with_simulated_waits};
use queuecast_forecast::{ForecastJob, ForecastObserver, MethodContext, replay_waits};
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_workload::{Machine, TracedJob};
use rayon::prelude::*;

use super::logs::{Expected, LOGS};
use super::methods::{self, Method, UNDER_EASY};
use crate::{Effort, Log, LogSpecification, Measured};

/// Jobs of each log that only teach, and never more than a fifth of them. Where EASY decides it is a hundredth.
pub const TEACHING_JOBS: u64 = 10_000;
/// Jobs of each log, at most.
pub const JOBS: usize = 50_000;
/// The paper scores "from the 10,001st job up to a maximum of 50,000 jobs": up to job 50,000, or 50,000 of them. The first is scored, the second stands beside.
pub const JOBS_IF_FIFTY_THOUSAND_ARE_SCORED: usize = 60_000;

/// Everything that was run.
pub struct Regimes {
    /// On the waits on record, a log each.
    pub on_logs: Vec<Site>,
    /// Where EASY decides, a log each.
    pub under_easy: Vec<Site>,
    /// Decides the resampling.
    pub seed: u64,
}

/// One log in one regime.
pub struct Site {
    /// The log.
    pub which: LogSpecification<Expected>,
    runs: BTreeMap<&'static str, Run>,
}

struct Run {
    scores: WaitScores,
    summary: WaitSummary,
    /// Of [`JOBS_IF_FIFTY_THOUSAND_ARE_SCORED`].
    of_more_jobs: WaitSummary,
}

/// The same forecasts, scored up to one job and up to another.
struct Both<'a>(&'a mut WaitScores, &'a mut WaitScores);

impl ForecastObserver for Both<'_> {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.started(job);
        self.1.started(job);
    }
}

/// What is run on: jobs with the waits that are to be forecast.
struct Ground {
    which: LogSpecification<Expected>,
    machine: Machine,
    policy: Option<PolicySpecification>,
    jobs: Vec<TracedJob>,
    teaching_jobs: u64,
    methods: Vec<Method>,
}

/// How many forecasters are run along a log.
pub fn runs(logs: &[Log]) -> u64 {
    let of = |which: &LogSpecification<Expected>| {
        let on_log = which.particulars.published.map_or(0, |_| methods::on_record().count());
        on_log + which.particulars.asked.map_or(0, |_| UNDER_EASY.len())
    };
    logs.iter().zip(&LOGS).map(|(_, which)| of(which) as u64).sum()
}

impl Regimes {
    /// Runs everything, as many runs at a time as there are threads.
    pub fn run(logs: &[Log], effort: Effort, on_run: &(dyn Fn() + Sync)) -> Self {
        let known: Vec<(&Log, LogSpecification<Expected>)> = logs.iter().zip(LOGS).collect();
        let logged = known.iter().filter(|(_, which)| which.particulars.published.is_some());
        let simulated: Vec<_> = known.iter().filter(|(_, which)| which.particulars.asked.is_some()).collect();
        let mut grounds: Vec<Ground> = logged.map(|(log, which)| on_record(log, *which)).collect();
        let on_logs = grounds.len();
        grounds.par_extend(simulated.par_iter().map(|(log, which)| by_easy(log, *which)));
        let tasks: Vec<(usize, Method)> = grounds
            .iter()
            .enumerate()
            .flat_map(|(place, ground)| ground.methods.iter().map(move |method| (place, *method)))
            .collect();
        let runs: Vec<(usize, &'static str, Run)> = tasks
            .par_iter()
            .with_max_len(1)
            .map(|(place, method)| {
                let run = grounds[*place].forecast(*method, effort);
                on_run();
                (*place, method.name, run)
            })
            .collect();
        let mut sites: Vec<Site> =
            grounds.iter().map(|ground| Site { which: ground.which, runs: BTreeMap::new() }).collect();
        for (place, name, run) in runs {
            sites[place].runs.insert(name, run);
        }
        let under_easy = sites.split_off(on_logs);
        Self { on_logs: sites, under_easy, seed: effort.shaking.seed }
    }
}

/// The waits on record.
fn on_record(log: &Log, which: LogSpecification<Expected>) -> Ground {
    let jobs = log.jobs.iter().copied().filter(|job| job.recorded.wait.is_some());
    let jobs = jobs.take(JOBS_IF_FIFTY_THOUSAND_ARE_SCORED);
    let jobs: Vec<TracedJob> = jobs.collect();
    Ground {
        which,
        machine: log.machine,
        policy: None,
        teaching_jobs: TEACHING_JOBS.min(jobs.len().min(JOBS) as u64 / 5),
        jobs,
        methods: methods::on_record().collect(),
    }
}

/// The waits that EASY gives with users' limits.
fn by_easy(log: &Log, which: LogSpecification<Expected>) -> Ground {
    let policy = "easy".parse().expect("a policy that exists");
    let configuration = Configuration::new(log.machine, policy, PredictorSpecification::Estimate);
    let jobs = with_simulated_waits(&configuration, &log.jobs[..log.jobs.len().min(JOBS)]);
    let teaching_jobs = jobs.len() as u64 / 100;
    Ground { which, machine: log.machine, policy: Some(policy), jobs, teaching_jobs, methods: UNDER_EASY.to_vec() }
}

impl Ground {
    fn forecast(&self, method: Method, effort: Effort) -> Run {
        let context = MethodContext {
            machine: self.machine,
            policy: self.policy,
            futures: effort.futures,
            seed: effort.shaking.seed,
            jobs: &self.jobs,
        };
        let mut forecaster = (method.build)(&context);
        let mut scores = WaitScores::new(self.teaching_jobs, JOBS as u64);
        let mut of_more_jobs = WaitScores::new(self.teaching_jobs, u64::MAX);
        let mut both = Both(&mut scores, &mut of_more_jobs);
        replay_waits(self.jobs.iter().copied(), self.machine, &mut forecaster, &mut both);
        let seed = effort.shaking.seed;
        Run { summary: scores.summary(seed), of_more_jobs: of_more_jobs.summary(seed), scores }
    }
}

/// A figure that has an interval: its name, and what it is multiplied with to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// As `qcast wait` calls it.
    pub name: &'static str,
    /// Shares are shown in per cent.
    pub factor: f64,
}

impl Figure {
    /// In per cent.
    pub const fn percent(name: &'static str) -> Self {
        Self { name, factor: 100.0 }
    }

    /// As a multiple of the mean wait.
    pub const fn of_mean_wait(name: &'static str) -> Self {
        Self { name, factor: 1.0 }
    }
}

impl Site {
    /// What came out of a method.
    pub fn summary(&self, method: &str) -> Option<&WaitSummary> {
        self.runs.get(method).map(|run| &run.summary)
    }

    /// A figure of a method, with its interval.
    pub fn measured(&self, method: &str, figure: Figure) -> Measured {
        self.summary(method).map_or(Measured::NOTHING, |summary| Self::of(summary, figure))
    }

    /// The same of [`JOBS_IF_FIFTY_THOUSAND_ARE_SCORED`].
    pub fn measured_of_more_jobs(&self, method: &str, figure: Figure) -> Measured {
        self.runs.get(method).map_or(Measured::NOTHING, |run| Self::of(&run.of_more_jobs, figure))
    }

    fn of(summary: &WaitSummary, figure: Figure) -> Measured {
        let finite = |value: f64| Some(value * figure.factor).filter(|value| value.is_finite());
        let interval = summary.intervals.get(figure.name);
        Measured {
            measured: summary.figure(figure.name).and_then(finite),
            low95: interval.and_then(|interval| finite(interval.low95)),
            high95: interval.and_then(|interval| finite(interval.high95)),
        }
    }

    /// How much larger a figure of one method is than of another, over the same weeks.
    pub fn difference(&self, method: &str, other: &str, figure: Figure, seed: u64) -> Measured {
        let pair = self.runs.get(method).zip(self.runs.get(other));
        let difference = pair.and_then(|(one, other)| one.scores.difference(&other.scores, figure.name, seed));
        let finite = |value: f64| Some(value * figure.factor).filter(|value| value.is_finite());
        difference.map_or(Measured::NOTHING, |difference| Measured {
            measured: finite(difference.value),
            low95: finite(difference.low95),
            high95: finite(difference.high95),
        })
    }
}
