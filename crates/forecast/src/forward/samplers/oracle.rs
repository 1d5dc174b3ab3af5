//! Every run time known. A bound to measure against, never a product: what it gets wrong is what later arrivals do.
//!
//! It is lent the trace on purpose, through the [`Foresight`] it comes with, as the oracle among the predictors is.

use queuecast_predict::{Foresight, Perfect, RuntimeModel};
use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::forward::samplers::{Prospect, RuntimeSampler};

/// The run time the job will really have; the limit where it was not told.
#[derive(Clone, Debug)]
pub struct OracleSampler {
    oracle: Perfect,
    runs: Vec<Seconds>,
}

impl OracleSampler {
    /// The oracle and its ear, which must hear every job under the handle its events will carry.
    pub fn new() -> (Self, Foresight) {
        let (oracle, foresight) = Perfect::new();
        (Self { oracle, runs: Vec::new() }, foresight)
    }
}

impl RuntimeSampler for OracleSampler {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.runs.clear();
        let known = |job: &Submission| self.oracle.predict(job).or(job.limit).unwrap_or(Seconds::MAX);
        self.runs.extend(prospects.iter().map(|prospect| known(&prospect.submission)));
    }

    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.runs[place]
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.oracle.learn(job, outcome.run());
    }
}
