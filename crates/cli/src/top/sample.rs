//! A snapshot made up for tests.

use queuecast_api::forecast::ForecastResponse;

use super::snapshot::{Load, Snapshot};
use crate::queue::sample;

/// At these jobs, in a cluster where twelve others run.
pub fn snapshot(jobs: Vec<ForecastResponse>) -> Snapshot {
    Snapshot {
        cluster: "alpha".to_owned(),
        now: sample::waiting(1).now,
        data_age_seconds: Some(12),
        complaint: None,
        load: Load { waiting: jobs.len() as u64, running: 12 },
        jobs,
        is_cut: false,
    }
}
