//! A look made up for tests.

use queuecast_api::forecast::ForecastAnswer;

use super::look::{Load, Look};
use crate::queue::sample;

/// At these jobs, in a cluster where twelve others run.
pub fn look(jobs: Vec<ForecastAnswer>) -> Look {
    Look {
        cluster: "alpha".to_owned(),
        now: sample::waiting(1).now,
        data_age_seconds: Some(12),
        complaint: None,
        load: Load { waiting: jobs.len() as u64, running: 12 },
        jobs,
        is_cut: false,
    }
}
