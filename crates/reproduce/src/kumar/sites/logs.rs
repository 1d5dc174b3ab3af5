//! The super experiment: real logs on one clock (R-K14), and what we add to it.
//!
//! Intrepid's log is not in our collection. CEA-Curie's takes its place, which dwarfs the five as Intrepid does. It has
//! 93,312 processors, thirty times as many as they have together, and its log begins while it is new and far from full; whoever
//! may send jobs there hardly waits. Hence the same without it.
//!
//! The result at six sites depends on that window. So it is run a second time from day 120 of each log on, when Curie has work
//! for two thirds of its processors.

use queuecast_evaluate::sites::{SiteSpecification, Window, begun_together, roaming};
use queuecast_simulate::RoamingJob;
use queuecast_workload::TracedJob;

use super::DAYS;
use super::experiment::{
    Experiment, K_DISTRIBUTED, LEAST_COMPLETION, LEAST_LOADED, LEAST_PREDICTED, LEAST_WAIT, REDUNDANT, STATIC,
};
use crate::{Effort, Log, LogSpecification};

/// How much faster than recorded jobs run at a site, where speeds differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteSpeed(pub f64);

/// In the order of the paper's Table 7. SDSC-BLUE has 1,152 processors by its log; the paper says 1,024.
pub const LOGS: [LogSpecification<SiteSpeed>; 6] = [
    LogSpecification::new("CTC", "CTC-SP2", 430).with(SiteSpeed(1.0)),
    LogSpecification::new("Curie", "CEA-Curie", 93_312).with(SiteSpeed(1.0)),
    LogSpecification::new("LANL", "LANL-CM5", 1_024).with(SiteSpeed(0.7)),
    LogSpecification::new("HPC2N", "HPC2N", 240).with(SiteSpeed(2.0)),
    LogSpecification::new("SDSC-BLUE", "SDSC-BLUE", 1_152).with(SiteSpeed(1.5)),
    LogSpecification::new("SDSC-SP2", "SDSC-SP2", 128).with(SiteSpeed(0.8)),
];

/// The place of the largest.
const LARGEST: usize = 1;

/// What the paper runs, and ours.
pub const PUBLISHED_STRATEGIES: [&str; 6] =
    [STATIC, LEAST_LOADED, K_DISTRIBUTED, REDUNDANT, LEAST_PREDICTED, LEAST_WAIT];
/// With speeds.
pub const SPEED_STRATEGIES: [&str; 6] =
    [STATIC, LEAST_LOADED, REDUNDANT, LEAST_PREDICTED, LEAST_WAIT, LEAST_COMPLETION];

/// By then Curie is busy.
pub const BUSY_FROM_DAY: u32 = 120;

/// The paper's six sites, so many days after each log begins.
pub fn six_sites(logs: &[Log], from_day: u32, effort: Effort, on_step: &(dyn Fn() + Sync)) -> Experiment {
    let logs: Vec<(&Log, f64)> = logs.iter().map(|log| (log, 1.0)).collect();
    run(&logs, from_day, &PUBLISHED_STRATEGIES, effort, on_step)
}

/// Without the largest.
pub fn five_sites(logs: &[Log], effort: Effort, on_step: &(dyn Fn() + Sync)) -> Experiment {
    let logs: Vec<(&Log, f64)> = without_the_largest(logs).map(|(log, _)| (log, 1.0)).collect();
    run(&logs, 0, &PUBLISHED_STRATEGIES, effort, on_step)
}

/// Without the largest, each with its speed.
pub fn sites_of_different_speed(logs: &[Log], effort: Effort, on_step: &(dyn Fn() + Sync)) -> Experiment {
    let logs: Vec<(&Log, f64)> = without_the_largest(logs).collect();
    run(&logs, 0, &SPEED_STRATEGIES, effort, on_step)
}

fn without_the_largest(logs: &[Log]) -> impl Iterator<Item = (&Log, f64)> {
    let all = logs.iter().zip(&LOGS).enumerate();
    all.filter(|(place, _)| *place != LARGEST).map(|(_, (log, specification))| (log, specification.particulars.0))
}

fn run(
    logs: &[(&Log, f64)],
    from_day: u32,
    strategies: &'static [&'static str],
    effort: Effort,
    on_step: &(dyn Fn() + Sync),
) -> Experiment {
    let sites = logs.iter().map(|(log, speed)| SiteSpecification {
        name: log.name.clone(),
        machine: log.machine,
        speed: *speed,
    });
    let window = Window { from_day, days: Some(DAYS) };
    let jobs: Vec<Vec<TracedJob>> = logs.iter().map(|(log, _)| begun_together(log.jobs.clone(), window)).collect();
    let jobs_of = |replicate: u32| -> Vec<RoamingJob> {
        roaming(&jobs, effort.shaking.jitter, effort.shaking.seed, u64::from(replicate))
    };
    Experiment::run(sites.collect(), strategies, effort, jobs_of, on_step)
}
