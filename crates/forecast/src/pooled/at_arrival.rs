//! The forecaster on a log or a simulation, where jobs are asked about as they arrive: the policy played forward is its model.

use queuecast_workload::{Outcome, Seconds, Submission, Time};

use super::forecaster::{Pooled, PooledSettings, Question};
use super::word::Word;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::forward::{ForwardForecaster, RuntimeSampler};
use crate::learnt_order::LearntOrder;
use crate::room::stuck;
use crate::state::SiteState;

/// What the model says of a job.
struct ModelSays {
    /// As it is and repaired.
    words: [Word; 2],
    /// The waits in its futures, repaired if they were, sorted.
    futures: Vec<f64>,
    /// How many it took to be stuck.
    stuck: usize,
}

/// Forecasts waits at arrival.
pub struct PooledForecaster<S> {
    forward: ForwardForecaster<S>,
    order: LearntOrder,
    pooled: Pooled,
}

impl<S: RuntimeSampler> PooledForecaster<S> {
    /// With this model of a machine of so many processors.
    pub fn new(settings: PooledSettings, forward: ForwardForecaster<S>, processors: u32) -> Self {
        Self { forward, order: LearntOrder::new(processors, settings.forest.seed), pooled: Pooled::new(settings) }
    }

    /// What the model says.
    fn model_says(&mut self, job: &Submission, state: &SiteState, now: Time) -> ModelSays {
        let seconds = |waits: &[Seconds]| waits.iter().map(|wait| wait.as_f64()).collect::<Vec<_>>();
        let mut futures = seconds(self.forward.waits(job, state, now));
        let word = Word::of(&mut futures);
        if !self.pooled.is_repaired() {
            return ModelSays { words: [word; 2], futures, stuck: 0 };
        }
        let is_ordered = self.order.is_better();
        let mut waiting: Vec<(f64, &Submission)> = state.waiting().map(|other| (0.0, other)).collect();
        let mut own = 0.0;
        if is_ordered {
            own = self.order.worth(job, now);
            for (worth, other) in &mut waiting {
                *worth = self.order.worth(other, now);
            }
            waiting.sort_by(|one, other| other.0.total_cmp(&one.0));
        }
        let stuck = stuck(waiting.iter().map(|(_, other)| *other), state.room(), now);
        if stuck.is_empty() && !is_ordered {
            return ModelSays { words: [word; 2], futures, stuck: 0 };
        }
        let is_played = |other: &&(f64, &Submission)| !stuck.contains(&other.1.job);
        let before = waiting.iter().filter(is_played).filter(|(worth, _)| *worth >= own).map(|(_, other)| *other);
        let behind = waiting.iter().filter(is_played).filter(|(worth, _)| *worth < own).map(|(_, other)| *other);
        let mut futures = seconds(self.forward.waits_in_order(before, job, behind, state, now));
        ModelSays { words: [word, Word::of(&mut futures)], futures, stuck: stuck.len() }
    }
}

impl<S: RuntimeSampler> WaitForecaster for PooledForecaster<S> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        self.pooled.advance(now);
        let ModelSays { words, futures, stuck } = self.model_says(job, state, now);
        let answer = self.pooled.ask(&Question { job, now, state, words: &words, futures: &futures, stuck });
        let forecast = WaitForecast::from_distribution(answer.distribution.clone());
        self.pooled.keep(job.job, answer);
        self.pooled.arrived(job, state);
        self.order.arrived(job);
        self.forward.arrived(job, now);
        forecast
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.forward.on_start(job, now);
        self.order.started(job, now);
        self.pooled.started(job, now);
        if let Some(lesson) = self.pooled.lesson() {
            self.pooled.take(lesson.grow());
        }
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.forward.on_end(job, outcome);
        self.order.ended(job, outcome.ended);
        self.pooled.ended(job, outcome);
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.forward.on_withdrawn(job);
        self.order.left(job);
        self.pooled.left(job);
    }
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::Machine;

    use super::*;
    use crate::forward::{ForwardParameters, LimitSampler};
    use queuecast_schedule::PolicySpecification;

    /// Eight processors that were all in use once, and have been free for an hour; one who wants all of them has waited as long.
    #[test]
    fn who_fits_and_does_not_start_is_no_obstacle() {
        let mut state = SiteState::new(Machine { processors: 8 });
        let (once, held) = (submission(1, 0, 8, Some(60)), submission(2, 100, 8, Some(36_000)));
        state.arrive(&once);
        state.start(once.job, Time(0));
        state.advance(Time(60));
        state.end(once.job);
        state.advance(Time(100));
        state.arrive(&held);
        state.advance(Time(3_700));
        let says = |are_priorities_told| {
            let policy: PolicySpecification = "easy".parse().expect("a policy");
            let forward = ForwardForecaster::new(ForwardParameters::new(policy), LimitSampler::default());
            let settings = PooledSettings { are_priorities_told, ..PooledSettings::default() };
            let mut forecaster = PooledForecaster::new(settings, forward, 8);
            let ModelSays { words, stuck, .. } =
                forecaster.model_says(&submission(3, 3_700, 8, Some(600)), &state, Time(3_700));
            (words.map(|word| word.median_seconds), stuck)
        };
        let ([as_it_is, repaired], stuck) = says(false);
        assert_eq!(stuck, 1);
        assert!(as_it_is > 30_000.0 && repaired.abs() < 1e-9, "{as_it_is}, {repaired}");
        let ([_, not_repaired], stuck) = says(true);
        assert_eq!(stuck, 0);
        assert!(not_repaired > 30_000.0, "who knows the order takes it as it is: {not_repaired}");
    }
}
