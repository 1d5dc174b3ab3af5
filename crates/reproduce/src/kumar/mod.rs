//! Kumar and Vadhiyar: predicting queue waiting times, and choosing sites by them (R-K1 to R-K15), and beyond the paper.
//!
//! For: both halves. [`waits`]: Tables 3 and 4, Figure 2 and the quick starters on the logs' own waits, every forecaster of
//! ours beside them, and the same jobs under a policy that is known. [`sites`]: Figure 3, Tables 7 and 8, and sites of
//! different speed.

pub mod sites;
pub mod waits;

use crate::{Effort, Log, Picture, Table};

/// The logs of each half; they differ in which there are and, in one case, in how large the machine is taken to be.
#[derive(Clone, Debug)]
pub struct Logs {
    /// Those of [`waits::LOGS`], in its order.
    pub waits: Vec<Log>,
    /// Those of [`sites::LOGS`], in its order.
    pub sites: Vec<Log>,
}

/// How many steps of work [`reproduce`] reports.
pub fn steps(logs: &Logs, effort: Effort) -> u64 {
    waits::steps(&logs.waits) + sites::steps(effort)
}

/// Everything; `on_step` is called after every step.
pub fn reproduce(logs: &Logs, effort: Effort, on_step: &(dyn Fn() + Sync)) -> (Vec<Table>, Vec<Picture>) {
    let (mut tables, mut pictures) = waits::reproduce(&logs.waits, effort, on_step);
    let (more_tables, more_pictures) = sites::reproduce(&logs.sites, effort, on_step);
    tables.extend(more_tables);
    pictures.extend(more_pictures);
    (tables, pictures)
}
