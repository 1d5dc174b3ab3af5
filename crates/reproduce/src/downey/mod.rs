//! Downey: Tables 1 and 2, the figures of the text (R-D9 to R-D11), the same with the equations put right, and beyond the
//! paper (planned queues, backfilling, real logs).
//!
//! Every replicate is a workload of its own seed: 120 days at a load of three quarters. Two things the paper leaves open were
//! settled by what comes out: each day begins on an empty machine, and a job takes its average parallelism rounded up. With
//! these, every figure that needs no prediction comes out. For the predictions two models are run side by side
//! (`workloads::Model`): as published, and put right.

mod beyond;
mod pictures;
mod tables;
mod workloads;

pub use beyond::{DEPTH, LOGS};
pub use workloads::DAYS;

use crate::{Effort, Log, Picture, Table};
use beyond::Beyond;
use workloads::BySeed;

/// How many steps of work [`reproduce`] reports.
pub fn steps(logs: &[Log], effort: Effort) -> u64 {
    u64::from(effort.shaking.replicates) + beyond::simulations(effort) * logs.len() as u64
}

/// Everything. `logs` are those of [`LOGS`], in its order; `on_step` is called after every step.
pub fn reproduce(logs: &[Log], effort: Effort, on_step: &(dyn Fn() + Sync)) -> (Vec<Table>, Vec<Picture>) {
    let seeds = BySeed::run(effort, on_step);
    let beyond: Vec<Beyond> = logs.iter().map(|log| Beyond::run(log, effort, on_step)).collect();
    let tables = vec![
        tables::workload(&seeds),
        tables::application_centric(&seeds),
        tables::savings(&seeds),
        tables::system_centric(&seeds),
        tables::order(&seeds),
        tables::bias(&seeds),
        tables::put_right(&seeds),
        beyond::table(&beyond),
    ];
    (
        tables,
        vec![
            pictures::speedups(),
            pictures::queue_times(effort),
            pictures::strategies(&seeds),
            pictures::beyond(&beyond),
        ],
    )
}
