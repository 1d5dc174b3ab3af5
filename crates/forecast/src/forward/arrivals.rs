//! Jobs that may yet arrive. Under EASY in order of arrival they matter little, because they can only fill holes
//! (R-O4: four in a hundred classes at stake); where later jobs overtake they matter more.
//!
//! Not for: how they are drawn. A forecaster without an [`ArrivalSampler`] plays the futures in which nobody comes.

use queuecast_workload::{Outcome, Seconds, Submission, Time};

/// A job that arrives in one of the futures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledArrival {
    /// When; not before the forecast is made.
    pub arrives: Time,
    /// What it asks for.
    pub processors: u32,
    /// Its limit, if it has one.
    pub limit: Option<Seconds>,
    /// What the scheduler plans with.
    pub planned: Seconds,
    /// How long it runs.
    pub run: Seconds,
}

/// Draws who arrives after a job.
pub trait ArrivalSampler {
    /// Those who arrive in the future of this number after `job`, written to `arrivals` in order of arrival. The same
    /// job and number give the same jobs.
    fn arrivals(&mut self, job: &Submission, now: Time, future: u64, arrivals: &mut Vec<SampledArrival>);

    /// A job arrived.
    fn on_arrival(&mut self, _job: &Submission, _now: Time) {}

    /// A job ended.
    fn on_end(&mut self, _job: &Submission, _outcome: &Outcome) {}

    /// A job that was asked about did not come, or left without having started.
    fn on_withdrawn(&mut self, _job: &Submission) {}
}
