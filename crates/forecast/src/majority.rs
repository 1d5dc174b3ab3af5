//! What most jobs waited: the answer that any forecaster has to beat (R-P6).
//!
//! For: the distribution of all waits so far, the same for everybody. On real logs "up to an hour" alone is right more
//! often than several published methods.
//!
//! Waits are kept in narrow bands of their logarithm, none across a bound of a class, so that memory does not grow.

use std::collections::BTreeMap;

use queuecast_workload::{Submission, Time};

use crate::class::WaitClass;
use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// Bands of the natural logarithm of one second more than the wait: neighbours differ by 5 %.
const BANDS_PER_E_FOLD: f64 = 20.0;

/// Forecasts that all jobs wait alike.
#[derive(Clone, Debug, Default)]
pub struct MajorityForecaster {
    /// By class and band: how many waits, and their sum in seconds.
    bands: BTreeMap<(WaitClass, i64), (f64, f64)>,
}

impl MajorityForecaster {
    /// That has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// All waits so far.
    pub fn distribution(&self) -> WaitDistribution {
        WaitDistribution::weighted(self.bands.values().map(|(count, sum)| (sum / count, *count)))
    }
}

impl WaitForecaster for MajorityForecaster {
    fn on_arrival(&mut self, _job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        WaitForecast::from_distribution(self.distribution())
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        let wait_seconds = (now - job.submitted).as_f64().max(0.0);
        #[expect(clippy::cast_possible_truncation, reason = "the logarithm of any number is small")]
        let band = (wait_seconds.ln_1p() * BANDS_PER_E_FOLD).floor() as i64;
        let (count, sum) = self.bands.entry((WaitClass::of(wait_seconds), band)).or_default();
        *count += 1.0;
        *sum += wait_seconds;
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn everybody_gets_the_share_of_each_class() {
        let mut forecaster = MajorityForecaster::new();
        let state = SiteState::new(Machine { processors: 4 });
        for (job, wait) in [(0, 0), (1, 3_600), (2, 3_601), (3, 90_000)] {
            forecaster.on_start(&submission(job, 0, 1, None), Time(wait));
        }
        let forecast = forecaster.on_arrival(&submission(4, 90_000, 1, None), &state, Time(90_000));
        for (found, expected) in forecast.classes.into_iter().zip([0.5, 0.25, 0.0, 0.0, 0.0, 0.25]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(forecast.ranges.single.index(), 0);
        assert!((forecast.bound95_seconds - 90_000.0).abs() < 1e-6);
    }
}
