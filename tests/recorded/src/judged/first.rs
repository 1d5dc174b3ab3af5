//! The first forecast of every job, beside Slurm's plan at the same moment.

use queuecast_workload::Time;

use crate::starts::Starts;
use crate::store::FirstForecast;

/// A first forecast of a job that started later.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedFirst {
    /// The partition it started in.
    pub partition: String,
    /// How far it was off.
    pub error_seconds: f64,
    /// How far Slurm's plan was off, if there was one.
    pub slurm_error_seconds: Option<f64>,
}

/// All of them. Whoever had started before the forecast was made, without the daemon's knowing yet, is left out.
pub fn judge(firsts: &[FirstForecast], starts: &Starts) -> Vec<JudgedFirst> {
    let judge = |first: &FirstForecast| {
        let start = starts.next(&first.job, first.submitted).filter(|start| start.at >= first.made)?;
        let off = |told: Time| (told - start.at).as_f64().abs();
        Some(JudgedFirst {
            partition: start.partition.clone(),
            error_seconds: off(first.median),
            slurm_error_seconds: first.slurm_estimate.map(off),
        })
    };
    firsts.iter().filter_map(judge).collect()
}
