//! Run times drawn from what similar jobs did, conditioned on age: the distributions of `queuecast-predict`.

use queuecast_predict::distribution::{RuntimeDistribution, RuntimeDistributions, Workspace};
use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::forward::samplers::{Prospect, RuntimeSampler};

/// Draws from run-time distributions.
#[derive(Clone, Debug, Default)]
pub struct HistorySampler<D> {
    distributions: D,
    /// Of the jobs of this forecast, by place; more of them than places keep their memory for later.
    prepared: Vec<RuntimeDistribution>,
    workspace: Workspace,
}

impl<D: RuntimeDistributions> HistorySampler<D> {
    /// From these.
    pub fn new(distributions: D) -> Self {
        Self { distributions, prepared: Vec::new(), workspace: Workspace::default() }
    }

    /// What is drawn from, to tell it what happens.
    pub fn distributions(&mut self) -> &mut D {
        &mut self.distributions
    }
}

impl<D: RuntimeDistributions> RuntimeSampler for HistorySampler<D> {
    fn prepare(&mut self, prospects: &[Prospect], now: Time) {
        if self.prepared.len() < prospects.len() {
            self.prepared.resize_with(prospects.len(), RuntimeDistribution::default);
        }
        for (Prospect { submission, age }, prepared) in prospects.iter().zip(&mut self.prepared) {
            let age = age.unwrap_or(Seconds::ZERO);
            self.distributions.distribution_into(submission, age, now, &mut self.workspace, prepared);
        }
    }

    fn sample(&self, place: usize, uniform: f64) -> Seconds {
        self.prepared[place].sample(uniform)
    }

    fn on_arrival(&mut self, job: &Submission, now: Time) {
        self.distributions.on_arrival(job, now);
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.distributions.on_start(job, now);
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.distributions.on_end(job, outcome);
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.distributions.on_withdrawn(job);
    }
}
