//! Talby, Tsafrir, Goldberg and Feitelson: Tables 2, 4, 5 and 6 and the findings of section 5.3 (R-T3, R-T6 to R-T9).
//!
//! Everything is simulated with SJBF over shaken replicates of the four logs, and compared replicate by replicate. The
//! paper's improvements are relative changes on each log, averaged over logs (R-MET-4); accuracies are weighted over a
//! job's whole stay (equation 2). Jobs that exceed their estimate run on, as in the authors' simulator. CTC has 512
//! nodes in the paper's sources (E-S0.1); the 338 of the log's header are simulated beside it and stand outside the mean.

mod findings;
mod lab;
mod tables;

use queuecast_evaluate::Shaking;

use self::lab::Lab;
use crate::{Log, Table};

/// A log of the paper: the name reports use, how its file begins, and the processors the paper simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSpecification {
    /// What reports call it.
    pub name: &'static str,
    /// How the file begins.
    pub file_prefix: &'static str,
    /// The machine.
    pub processors: u32,
    /// Whether it counts in means over logs.
    pub in_mean: bool,
}

/// The four logs, and CTC once more with the size its header states.
pub const LOGS: [LogSpecification; 5] = [
    LogSpecification { name: "SDSC-SP2", file_prefix: "SDSC-SP2", processors: 128, in_mean: true },
    LogSpecification { name: "CTC-SP2 (512)", file_prefix: "CTC-SP2", processors: 512, in_mean: true },
    LogSpecification { name: "KTH-SP2", file_prefix: "KTH-SP2", processors: 100, in_mean: true },
    LogSpecification { name: "SDSC-BLUE", file_prefix: "SDSC-BLUE", processors: 1_152, in_mean: true },
    LogSpecification { name: "CTC-SP2 (338)", file_prefix: "CTC-SP2", processors: 338, in_mean: false },
];

/// How many replays [`reproduce`] makes.
pub fn replays(shaking: Shaking) -> u64 {
    lab::runs().len() as u64 * LOGS.len() as u64 * u64::from(shaking.replicates)
}

/// Everything. `logs` are those of [`LOGS`], in its order; `on_replayed` is called after every replay.
pub fn reproduce(logs: &[Log], shaking: Shaking, on_replayed: &(dyn Fn() + Sync)) -> Vec<Table> {
    let lab = Lab::new(logs, shaking, on_replayed);
    vec![
        tables::reference_predictors(&lab),
        tables::sessions(&lab),
        tables::without_estimates(&lab),
        tables::without_information(&lab),
        findings::sessions_far_back(&lab),
        findings::depth_first(&lab),
        findings::proximity_alone(&lab),
        findings::propagation(&lab),
        findings::value_of_estimates(&lab),
        findings::constants(&lab),
    ]
}
