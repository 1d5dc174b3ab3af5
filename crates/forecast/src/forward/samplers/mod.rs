//! Where the run times of the futures come from.
//!
//! For: the interface ([`RuntimeSampler`]), the two bounds to measure against (all run times are known; nothing but the
//! limits is) and a plain distribution of recent ratios.
//!
//! Not for: good run-time distributions; those come from `queuecast-predict` and are put behind the same interface.

mod history;
mod limit;
mod oracle;
mod recent_ratios;

use queuecast_workload::{Outcome, Seconds, Submission, Time};

pub use history::HistorySampler;
pub use limit::LimitSampler;
pub use oracle::OracleSampler;
pub use recent_ratios::{RecentRatios, RecentRatiosParameters};

/// A job whose run time is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// What was known at its submission.
    pub submission: Submission,
    /// How long it has run; `None` while it waits.
    pub age: Option<Seconds>,
}

/// Draws run times, told only what has happened so far.
///
/// What takes time is done in [`prepare`](RuntimeSampler::prepare), once a forecast; a draw is a look into a table.
pub trait RuntimeSampler {
    /// These are the jobs of the next forecast. Draws refer to them by place.
    fn prepare(&mut self, prospects: &[Prospect], now: Time);

    /// The run time, from start to end, of the job at this place for a uniform number from zero to below one. For a job
    /// that runs it lies beyond its age; where a sampler does not see to that, the forecaster does.
    fn sample(&self, place: usize, uniform: f64) -> Seconds;

    /// A job arrived; told after it was asked about.
    fn on_arrival(&mut self, _job: &Submission, _now: Time) {}

    /// A job started.
    fn on_start(&mut self, _job: &Submission, _now: Time) {}

    /// A job ended.
    fn on_end(&mut self, _job: &Submission, _outcome: &Outcome) {}

    /// A job that was asked about did not come, or left without having started.
    fn on_withdrawn(&mut self, _job: &Submission) {}
}

impl<S: RuntimeSampler + ?Sized> RuntimeSampler for Box<S> {
    fn prepare(&mut self, prospects: &[Prospect], now: Time) {
        (**self).prepare(prospects, now);
    }
    fn sample(&self, place: usize, uniform: f64) -> Seconds {
        (**self).sample(place, uniform)
    }
    fn on_arrival(&mut self, job: &Submission, now: Time) {
        (**self).on_arrival(job, now);
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
