//! Talby, Tsafrir, Goldberg and Feitelson: Tables 1, 2, 4, 5 and 6, Figures 3 to 5, and the findings of section 5.3 (R-T3,
//! R-T6 to R-T10).
//!
//! Everything is simulated with SJBF over shaken replicates of the four logs, and compared replicate by replicate. The
//! paper's improvements are relative changes on each log, averaged over logs (R-MET-4); accuracies are weighted over a
//! job's whole stay (equation 2). Jobs that exceed their estimate run on, as in the authors' simulator. CTC has 512
//! nodes in the paper's sources (E-S0.1); the 338 of the log's header are simulated beside it and stand outside the mean.

mod dataset;
mod doubling;
mod findings;
mod pictures;
mod shaken_runs;
mod tables;

use self::shaken_runs::ShakenRuns;
use crate::{Effort, Log, LogSpecification, Picture, Table};

/// Whether a log counts in means over logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is one of the paper's.
    InMean,
    /// It is shown beside them.
    Beside,
}

/// The four logs, and CTC once more with the size its header states.
pub const LOGS: [LogSpecification<Standing>; 5] = [
    LogSpecification::new("SDSC-SP2", "SDSC-SP2", 128).with(Standing::InMean),
    LogSpecification::new("CTC-SP2 (512)", "CTC-SP2", 512).with(Standing::InMean),
    LogSpecification::new("KTH-SP2", "KTH-SP2", 100).with(Standing::InMean),
    LogSpecification::new("SDSC-BLUE", "SDSC-BLUE", 1_152).with(Standing::InMean),
    LogSpecification::new("CTC-SP2 (338)", "CTC-SP2", 338).with(Standing::Beside),
];

/// How many replays [`reproduce`] makes.
pub fn replays(effort: Effort) -> u64 {
    // Each once more as it is, for other weeks and users.
    shaken_runs::runs().len() as u64 * LOGS.len() as u64 * (u64::from(effort.shaking.replicates) + 1)
}

/// Everything. `logs` are those of [`LOGS`], in its order; `on_replayed` is called after every replay.
pub fn reproduce(logs: &[Log], effort: Effort, on_replayed: &(dyn Fn() + Sync)) -> (Vec<Table>, Vec<Picture>) {
    let shaken = ShakenRuns::new(logs, effort.shaking, on_replayed);
    let tables = vec![
        dataset::table(logs),
        doubling::table(&shaken),
        tables::reference_predictors(&shaken),
        tables::sessions(&shaken),
        tables::without_estimates(&shaken),
        tables::without_information(&shaken),
        findings::sessions_far_back(&shaken),
        findings::depth_first(&shaken),
        findings::proximity_alone(&shaken),
        findings::propagation(&shaken),
        findings::value_of_estimates(&shaken),
        findings::constants(&shaken),
        tables::steps_after_the_raise(&shaken),
    ];
    (tables, vec![pictures::reference_predictors(&shaken), pictures::sessions(&shaken)])
}
