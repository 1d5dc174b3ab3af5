//! A bound taken for the wait itself, which is how we read the paper's QBETS: it does not say what it scored, but 4 % of
//! classes right on CTC is what a bound that is meant to hold for 95 % of the jobs gets, not what is thought most likely.

use queuecast_forecast::{NamedWaitClasses, SiteState, WaitForecast, WaitForecaster};
use queuecast_workload::{Outcome, Submission, Time};

/// A forecaster that says its 95 % bound when asked for a number or a class.
pub struct BoundAsClass<F>(pub F);

impl<F: WaitForecaster> WaitForecaster for BoundAsClass<F> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let forecast = self.0.on_arrival(job, state, now);
        let bound = forecast.bound95_seconds;
        WaitForecast { point_seconds: bound, ranges: NamedWaitClasses::around(bound, &forecast.classes), ..forecast }
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        self.0.on_start(job, now);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.0.on_end(job, outcome);
    }
    fn on_withdrawn(&mut self, job: &Submission) {
        self.0.on_withdrawn(job);
    }
}
