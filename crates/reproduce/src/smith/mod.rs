//! Smith, Foster and Taylor: Tables 4 to 10, the claims of their text, and the figures of their journal version (R-S7 to
//! R-S12), as far as logs in Standard Workload Format carry the fields.
//!
//! Jobs are predicted when they start, in the order and at the times the log records, from jobs that had ended. A mean
//! error is given as a share of the mean run time: the paper's logs were not cut like the archive's, so minutes do not
//! compare. The interval comes from resampling the log's weeks. Every set a search finds is scored by replaying the log
//! through the predictor that runs live, not by the search's own arithmetic.

mod findings;
mod results;
mod tables;

pub use results::{NamedLog, POPULATION};

use crate::{Effort, Log, LogSpecification, Table};
use results::Results;

/// Nothing is scheduled: the machine is whatever the log ran on.
const UNSCHEDULED: u32 = u32::MAX;

/// The logs: two of the paper's four, and two with executables.
pub const LOGS: [NamedLog; 4] = [
    LogSpecification::new("SDSC-Par-96", "SDSC-Par-1996", UNSCHEDULED).with(Some("SDSC96")),
    LogSpecification::new("CTC-SP2", "CTC-SP2", UNSCHEDULED).with(Some("CTC")),
    LogSpecification::new("Sandia-Ross", "Sandia-Ross", UNSCHEDULED).with(None),
    LogSpecification::new("LANL-CM5", "LANL-CM5", UNSCHEDULED).with(None),
];

/// How many searches [`reproduce`] makes.
pub fn searches(logs: &[Log]) -> u64 {
    logs.iter().map(results::searches).sum()
}

/// Everything. `logs` are those of [`LOGS`], in its order; `on_searched` is called after every search.
pub fn reproduce(logs: &[Log], effort: Effort, on_searched: &(dyn Fn() + Sync)) -> Vec<Table> {
    let results: Vec<Results> =
        logs.iter().zip(LOGS).map(|(log, which)| Results::new(log, which, effort, on_searched)).collect();
    vec![
        tables::greedy(&results),
        tables::greedy_with_processors(&results),
        tables::genetic(&results),
        tables::published_sets(&results),
        tables::gibbons(&results),
        tables::gibbons_relative(&results),
        tables::downey(&results),
        tables::journal(&results),
        findings::greedy_trends(&results),
        findings::honest_split(&results),
    ]
}
