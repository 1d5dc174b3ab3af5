//! Tsafrir, Etsion and Feitelson, *Modeling User Runtime Estimates*: what the logs look like, what the model makes of
//! them, and whether schedules with made-up estimates are like those with the real ones (R-E1 to R-E3, R-E10 and
//! R-E11); and, beyond the paper, estimates for users who repeat themselves.
//!
//! Everything is simulated with EASY on the machines of Table 1, every random model with as many seeds as replicates; some of it
//! also with the shortest backfilled first (`shortest_first.rs`).
//! `workload.rs` says how logs are cut.

mod disparity;
mod findings;
mod logs;
mod model;
mod pictures;
mod shortest_first;
mod simulated;
mod tables;
mod workload;

use queuecast_workload::generate::estimates::EstimateError;

use self::shortest_first::ShortestFirst;
use self::simulated::Schedules;
use crate::{Effort, Log, Picture, Table};

pub use self::logs::{COVERED_PER_CENT, Estimates, LOGS, Published};
pub use self::model::Model;
pub use self::workload::Workload;

/// How many replays [`reproduce`] makes.
pub fn replays(effort: Effort) -> u64 {
    let replicates = effort.shaking.replicates;
    simulated::replays(LOGS.len(), replicates) + shortest_first::replays(LOGS.len(), replicates)
}

/// Everything. `logs` are those of [`LOGS`], in its order; `effort` says how many seeds there are and how the original
/// is shaken; `on_replayed` is called after every replay.
pub fn reproduce(
    logs: &[Log],
    effort: Effort,
    on_replayed: &(dyn Fn() + Sync),
) -> Result<(Vec<Table>, Vec<Picture>), EstimateError> {
    let workloads: Vec<Workload> =
        logs.iter().zip(&LOGS).map(|(log, specification)| Workload::new(log, &specification.particulars)).collect();
    let runs = Schedules::new(&workloads, effort.shaking, on_replayed)?;
    let shortest_first = ShortestFirst::new(&workloads, effort.shaking, on_replayed)?;
    let tables = vec![
        tables::logs(&workloads),
        tables::numbers_of_estimates(&workloads),
        tables::distributions(&workloads, effort.shaking.replicates, effort.shaking.seed)?,
        findings::realism(&runs),
        shortest_first::order(&shortest_first),
        shortest_first::schedules(&shortest_first),
        findings::sessions(&runs),
        findings::repetition(&runs),
        findings::schedules(&runs),
    ];
    let pictures = vec![pictures::distributions(&workloads, effort.shaking.seed)?, pictures::schedules(&runs)];
    Ok((tables, pictures))
}
