//! The interface of forecasters.

use queuecast_workload::{Outcome, Submission, Time};

use crate::forecast::WaitForecast;
use crate::state::SiteState;

/// Says how long a job will wait, told only what has happened so far.
pub trait WaitForecaster {
    /// A job is about to be submitted: how long will it wait? `state` does not hold it yet.
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast;

    /// A job started; its wait is known from now on.
    fn on_start(&mut self, job: &Submission, now: Time);

    /// A job ended; its run time is known from now on.
    fn on_end(&mut self, _job: &Submission, _outcome: &Outcome) {}

    /// A job that was asked about did not come, or left without having started: it will neither start nor end here.
    fn on_withdrawn(&mut self, _job: &Submission) {}
}

impl<F: WaitForecaster + ?Sized> WaitForecaster for Box<F> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        (**self).on_arrival(job, state, now)
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        (**self).on_start(job, now);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        (**self).on_end(job, outcome);
    }
    fn on_withdrawn(&mut self, job: &Submission) {
        (**self).on_withdrawn(job);
    }
}
