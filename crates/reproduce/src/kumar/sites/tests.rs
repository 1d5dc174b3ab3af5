//! A few jobs of everything.

use super::experiment::{LEAST_WAIT, STATIC};
use super::scenarios::{self, DENSITIES, SCENARIO_STRATEGIES, Scenario};
use super::*;
use queuecast_evaluate::Shaking;
use queuecast_workload::generate::lublin::{Kinds, LublinJobs};
use queuecast_workload::{Machine, Seconds};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::sync::atomic::{AtomicU64, Ordering};

const SMALL: Effort = Effort {
    shaking: Shaking { replicates: 2, jitter: Seconds(60), seed: 1 },
    generations: 1,
    futures: 4,
    first: Some(200),
};

/// Sites like those of the paper, with jobs of the model.
fn logs() -> Vec<Log> {
    let logs = LOGS.iter().zip(0..).map(|(specification, seed)| {
        let machine = Machine { processors: specification.processors.min(128) };
        let jobs = LublinJobs::new(machine, Kinds::Batch, Pcg64::seed_from_u64(seed)).expect("sound parameters");
        let limited = jobs.take(150).map(|mut job| {
            job.submission.limit = Some(job.recorded.run + job.recorded.run);
            job
        });
        Log { name: specification.name.to_owned(), machine, jobs: limited.collect() }
    });
    logs.collect()
}

#[test]
fn everything_runs_and_every_step_is_told() {
    let told = AtomicU64::new(0);
    let effort = Effort { first: Some(20), ..SMALL };
    let (tables, pictures) = reproduce(&logs(), effort, &|| {
        told.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(told.into_inner(), steps(effort));
    assert_eq!((tables.len(), pictures.len()), (7, 3));
    assert!(tables.iter().all(|table| !table.claims.is_empty()));
    let shares = tables[1].claims.iter().filter(|claim| claim.claim.starts_with("static: jobs at"));
    let sum: f64 = shares.filter_map(|claim| claim.measured.measured).sum();
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
}

#[test]
fn the_same_comes_out_on_one_thread_and_on_four() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| scenarios::run(&Scenario::all()[..1], SMALL, &|| ()))
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn there_are_32_scenarios_and_jobs_that_come_more_often_wait_longer() {
    assert_eq!(Scenario::all().len(), 32);
    assert!(DENSITIES.is_sorted_by(|sparse, dense| sparse > dense));
    let effort = Effort { first: Some(1_000), ..SMALL };
    // The one with the most work.
    let by_density = scenarios::run(&Scenario::all()[1..2], effort, &|| ());
    let wait = |place: usize, strategy: &str| by_density[place].wait_minutes(strategy).spread().mean;
    assert!(wait(0, STATIC) < wait(1, STATIC));
    assert!(SCENARIO_STRATEGIES.iter().all(|strategy| wait(0, strategy) <= wait(0, STATIC)));
    assert!(wait(0, LEAST_WAIT) < wait(0, STATIC) / 2.0);
}
