//! What a forecaster must beat on a log's own waits: it waits as long as the last hundred did, of all, of its class or of its user.

use queuecast_workload::{Submission, Time};

use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::pooled::{RecentByKind, WaitCurve};
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
    waits: RecentByKind,
}

impl RecentForecaster {
    /// Of these.
    pub fn new(of: RecentOf) -> Self {
        Self { of, waits: RecentByKind::default() }
    }
}

impl WaitForecaster for RecentForecaster {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        let recent = self.waits.of(job, 0.0);
        let own = match self.of {
            RecentOf::All => None,
            RecentOf::Class => recent.class,
            RecentOf::User => recent.user,
        };
        let curve = own.or(recent.all).unwrap_or_else(|| WaitCurve::of([]));
        WaitForecast::from_distribution(curve.distribution(WaitCurve::quantile))
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.waits.started(job, (now - job.submitted).as_f64().max(0.0));
    }
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::{Machine, UserId};

    use super::*;

    #[test]
    fn a_user_is_told_what_its_own_jobs_waited_and_a_stranger_what_all_did() {
        let state = SiteState::new(Machine { processors: 8 });
        let job = |number, user| Submission { user: Some(UserId(user)), ..submission(number, 0, 1, None) };
        let [mut of_all, mut of_user] = [RecentOf::All, RecentOf::User].map(RecentForecaster::new);
        for forecaster in [&mut of_all, &mut of_user] {
            (0..40).for_each(|number| forecaster.on_start(&job(number, 1), Time(100)));
            (40..80).for_each(|number| forecaster.on_start(&job(number, 2), Time(50_000)));
        }
        let middle = |forecaster: &mut RecentForecaster, user| {
            forecaster.on_arrival(&job(100, user), &state, Time(0)).distribution.quantile(0.4)
        };
        assert!((90.0..110.0).contains(&middle(&mut of_user, 1)));
        assert!(middle(&mut of_user, 2) > 40_000.0);
        assert!((90.0..110.0).contains(&middle(&mut of_user, 3)), "of a stranger nothing is known");
        assert!((90.0..110.0).contains(&middle(&mut of_all, 2)));
    }
}
