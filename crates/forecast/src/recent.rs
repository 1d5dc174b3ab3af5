//! What a forecaster must beat on a log's own waits: it waits as long as the last hundred did, of all, of its class or of its user.

use queuecast_workload::{Submission, Time};

use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::pooled::{Experts, WaitCurve};
use crate::state::SiteState;

/// Whose waits are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecentOf {
    /// Everybody's.
    All,
    /// Those of like size and limit.
    Class,
    /// Those of the same user.
    User,
}

/// Says what the last hundred waits were; where none is known, what all were.
#[derive(Debug)]
pub struct RecentForecaster {
    of: RecentOf,
    waits: Experts,
}

impl RecentForecaster {
    /// Of these.
    pub fn new(of: RecentOf) -> Self {
        Self { of, waits: Experts::default() }
    }
}

impl WaitForecaster for RecentForecaster {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        let recent = self.waits.recent(job, 0.0);
        let own = match self.of {
            RecentOf::All => None,
            RecentOf::Class => recent.class,
            RecentOf::User => recent.user,
        };
        let curve = own.or(recent.all).unwrap_or_else(|| WaitCurve::of([]));
        WaitForecast::from_distribution(curve.distribution(|share| share))
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.waits.started(job, (now - job.submitted).as_f64().max(0.0));
    }
}
