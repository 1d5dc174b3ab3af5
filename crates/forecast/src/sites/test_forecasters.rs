//! Forecasters for tests.

use queuecast_workload::{Submission, Time};

use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// Always says the same, and counts who is gone.
pub(super) struct Fixed {
    waits: Vec<f64>,
    pub(super) gone: u32,
}

impl Fixed {
    pub(super) fn saying(waits: &[f64]) -> Self {
        Self { waits: waits.to_vec(), gone: 0 }
    }
}

impl WaitForecaster for Fixed {
    fn on_arrival(&mut self, _job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        WaitForecast::from_distribution(WaitDistribution::of(self.waits.iter().copied()))
    }
    fn on_start(&mut self, _job: &Submission, _now: Time) {}
    fn on_withdrawn(&mut self, _job: &Submission) {
        self.gone += 1;
    }
}
