//! Many futures, one forecast.
//!
//! The wait said is the median over the futures, its spread is theirs. Nothing depends on how many threads there are or
//! who was asked before: every job's luck in the future of a number follows from the seed ([`Randomness`]).

use queuecast_schedule::PolicySpecification;
use queuecast_simulate::Overrun;
use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::forward::arrivals::{ArrivalSampler, SampledArrival};
use crate::forward::futures::Futures;
use crate::forward::planner::{LimitPlanner, Planner};
use crate::forward::playable_machine::PlayableMachine;
use crate::forward::randomness::Randomness;
use crate::forward::samplers::RuntimeSampler;
use crate::state::SiteState;

/// How the futures are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardParameters {
    /// The site's policy.
    pub policy: PolicySpecification,
    /// What happens to jobs at their limit.
    pub overrun: Overrun,
    /// How many futures.
    pub futures: u64,
    /// If so many futures in a row, from the first, give the same wait to the second, the others are not played.
    pub certain_after: u64,
    /// Decides all draws.
    pub seed: u64,
}

impl ForwardParameters {
    /// For a policy: 64 futures, 16 of one mind are enough, jobs are killed at their limits.
    pub fn new(policy: PolicySpecification) -> Self {
        Self { policy, overrun: Overrun::Kill, futures: 64, certain_after: 16, seed: 0 }
    }
}

/// Forecasts waits by playing the policy forward.
pub struct ForwardForecaster<S, P = LimitPlanner> {
    parameters: ForwardParameters,
    randomness: Randomness,
    sampler: S,
    planner: P,
    arrival_sampler: Option<Box<dyn ArrivalSampler>>,
    situation: PlayableMachine,
    futures: Futures,
    arrivals: Vec<SampledArrival>,
    waits: Vec<Seconds>,
}

impl<S: RuntimeSampler> ForwardForecaster<S> {
    /// Of a site that plans with limits, with nobody arriving in its futures.
    pub fn new(parameters: ForwardParameters, sampler: S) -> Self {
        Self::planned_by(parameters, sampler, LimitPlanner)
    }
}

impl<S: RuntimeSampler, P: Planner> ForwardForecaster<S, P> {
    /// Of a site with plans of its own.
    pub fn planned_by(parameters: ForwardParameters, sampler: S, planner: P) -> Self {
        Self {
            parameters,
            randomness: Randomness::new(parameters.seed),
            sampler,
            planner,
            arrival_sampler: None,
            situation: PlayableMachine::new(parameters.overrun),
            futures: Futures::new(parameters.policy),
            arrivals: Vec::new(),
            waits: Vec::new(),
        }
    }

    /// Lets jobs arrive in the futures.
    #[must_use]
    pub fn with_arrivals(mut self, sampler: Box<dyn ArrivalSampler>) -> Self {
        self.arrival_sampler = Some(sampler);
        self
    }

    /// The wait in every future, in which these stand before the job and those behind it. Who waits and is neither is not played.
    pub(crate) fn waits_in_order<'a>(
        &mut self,
        before: impl Iterator<Item = &'a Submission>,
        job: &Submission,
        behind: impl Iterator<Item = &'a Submission>,
        state: &SiteState,
        now: Time,
    ) -> &[Seconds] {
        self.waits.clear();
        self.situation.take_in_order(before, job, behind, state, now, &self.planner);
        self.forecast(job, now);
        &self.waits
    }

    /// The wait in every future; the job comes behind all who wait.
    pub(crate) fn waits(&mut self, job: &Submission, state: &SiteState, now: Time) -> &[Seconds] {
        self.waits.clear();
        if state.waiting().len() == 0
            && state.occupied_processors() + u64::from(job.request.processors) <= u64::from(state.machine().processors)
        {
            // Nobody before it and room for it: no policy lets it wait.
            self.waits.push(Seconds::ZERO);
        } else {
            self.situation.take(job, state, now, &self.planner);
            self.forecast(job, now);
        }
        &self.waits
    }

    fn forecast(&mut self, job: &Submission, now: Time) {
        if self.futures.prepare(&self.situation) {
            self.waits.push(Seconds::ZERO);
            return;
        }
        self.sampler.prepare(self.situation.prospects(), now);
        for future in 0..self.parameters.futures.max(1) {
            let wait = self.play(job, now, future);
            self.waits.push(wait);
            let played = future + 1;
            if played == self.parameters.certain_after && self.waits.iter().all(|other| *other == wait) {
                break;
            }
        }
    }

    /// A job arrived; told after it was asked about.
    pub(crate) fn arrived(&mut self, job: &Submission, now: Time) {
        self.sampler.on_arrival(job, now);
        if let Some(sampler) = &mut self.arrival_sampler {
            sampler.on_arrival(job, now);
        }
    }

    fn play(&mut self, job: &Submission, now: Time, future: u64) -> Seconds {
        self.arrivals.clear();
        let luck = self.randomness.of_future(future);
        let prospects = self.situation.prospects();
        for (place, job) in (self.situation.jobs.len()..).zip(&self.situation.behind) {
            self.arrivals.push(SampledArrival {
                arrives: now,
                processors: job.processors,
                limit: job.limit,
                planned: job.plan.planned,
                run: self.sampler.sample(place, luck.uniform(prospects[place].submission.job)),
            });
        }
        if let Some(sampler) = &mut self.arrival_sampler {
            sampler.arrivals(job, now, future, &mut self.arrivals);
        }
        let Self { sampler, situation, futures, arrivals, .. } = self;
        let prospects = situation.prospects();
        let started = futures
            .play(situation, arrivals, |place| sampler.sample(place, luck.uniform(prospects[place].submission.job)));
        started - now
    }
}

impl<S: RuntimeSampler, P: Planner> WaitForecaster for ForwardForecaster<S, P> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        self.planner.on_arrival(job, now);
        self.waits(job, state, now);
        self.arrived(job, now);
        WaitForecast::from_distribution(WaitDistribution::of(self.waits.iter().map(|wait| wait.as_f64())))
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.planner.on_start(job, now);
        self.sampler.on_start(job, now);
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.planner.on_end(job, outcome);
        self.sampler.on_end(job, outcome);
        if let Some(sampler) = &mut self.arrival_sampler {
            sampler.on_end(job, outcome);
        }
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.sampler.on_withdrawn(job);
        if let Some(sampler) = &mut self.arrival_sampler {
            sampler.on_withdrawn(job);
        }
    }
}
