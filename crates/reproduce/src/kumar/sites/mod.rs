//! Kumar and Vadhiyar, the metascheduling half: Figure 3, Tables 7 and 8 and the figures of the text (R-K12 to R-K15).
//!
//! For: where jobs should go if there are several sites. The super experiment puts six real logs on one clock, one of them in
//! the place of Intrepid's, which we do not have; beyond the paper the same without the largest site, and with sites of
//! different speed. The synthetic scenarios are the paper's 32, from the model of Lublin and Feitelson.
//!
//! Not for: how good predictions of waits are.
//!
//! All strategies of an experiment run the same jobs, replicate by replicate, under EASY with limits.

mod experiment;
mod logs;
mod pictures;
mod scenarios;
mod tables;
#[cfg(test)]
mod tests;

pub use logs::{LOGS, SiteSpeed};

use crate::{Effort, Kind, Log, Picture, Table};
use logs::{PUBLISHED_STRATEGIES, SPEED_STRATEGIES};
use scenarios::{SCENARIO_STRATEGIES, Scenario};

/// Days of each log.
pub const DAYS: u32 = 30;
/// Jobs of each synthetic scenario, all queues together, at most.
const SCENARIO_JOBS_MOST: u32 = 4_000;

/// Jobs of each synthetic scenario.
pub fn scenario_jobs(effort: Effort) -> u32 {
    let first = effort.first.and_then(|first| u32::try_from(first).ok());
    first.map_or(SCENARIO_JOBS_MOST, |first| first.min(SCENARIO_JOBS_MOST))
}

/// How many steps of work [`reproduce`] reports.
pub fn steps(effort: Effort) -> u64 {
    let with_logs = 3 * PUBLISHED_STRATEGIES.len() + SPEED_STRATEGIES.len();
    let scenarios = Scenario::all().len() * scenarios::DENSITIES.len() * SCENARIO_STRATEGIES.len();
    u64::from(effort.shaking.replicates) * (with_logs + scenarios) as u64
}

/// Everything. `logs` are those of [`LOGS`], in its order; `on_step` is called after every step.
pub fn reproduce(logs: &[Log], effort: Effort, on_step: &(dyn Fn() + Sync)) -> (Vec<Table>, Vec<Picture>) {
    let six = logs::six_sites(logs, 0, effort, on_step);
    let six_busy = logs::six_sites(logs, logs::BUSY_FROM_DAY, effort, on_step);
    let five = logs::five_sites(logs, effort, on_step);
    let speeds = logs::sites_of_different_speed(logs, effort, on_step);
    let scenarios = scenarios::run(&Scenario::all(), effort, on_step);
    let tables = vec![
        tables::waits("Figure 3: mean wait at six sites", Kind::StandIn, &six),
        tables::places(&six),
        tables::waits("Figure 3 from day 120 of each log, when the largest site is busy", Kind::Ours, &six_busy),
        tables::waits("Beyond the paper: the five sites without the largest", Kind::Ours, &five),
        tables::speeds(&speeds),
        tables::scenarios(&scenarios[0]),
        tables::busier_scenarios(&scenarios[1]),
    ];
    let pictures = vec![
        pictures::super_experiment(&six, &six_busy, &five),
        pictures::speeds(&speeds),
        pictures::scenarios(&scenarios),
    ];
    (tables, pictures)
}
