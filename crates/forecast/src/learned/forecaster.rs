//! The forecaster: another one's word, the site's memory, and trees that weigh them.

use queuecast_workload::{Outcome, Submission, Time};

use super::examples::Examples;
use super::exceedance::Exceedances;
use crate::circumstances::{Circumstances, Memory, QUANTILES, Shape, WaitingJobs};
use crate::features::Demand;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// How much is remembered and how often it is learnt anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnedSettings {
    /// Of so many arrivals.
    pub history_jobs: usize,
    /// After so many starts for the first time; until then the other forecaster's word is passed on.
    pub first_jobs: u32,
    /// And again after so many more.
    pub retrain_jobs: u32,
    /// Trees for each threshold.
    pub trees: u32,
    /// Decides every random number.
    pub seed: u64,
}

impl Default for LearnedSettings {
    fn default() -> Self {
        Self { history_jobs: 30_000, first_jobs: 1_000, retrain_jobs: 2_000, trees: 100, seed: 1 }
    }
}

/// Learns waits on top of another forecaster.
pub struct LearnedForecaster<F> {
    settings: LearnedSettings,
    other: F,
    waiting: WaitingJobs,
    memory: Memory,
    examples: Examples,
    learnt: Option<Exceedances>,
    starts_until_training: u32,
}

impl<F: WaitForecaster> LearnedForecaster<F> {
    /// On top of this one.
    pub fn new(settings: LearnedSettings, other: F) -> Self {
        Self {
            settings,
            other,
            waiting: WaitingJobs::default(),
            memory: Memory::new(),
            examples: Examples::new(settings.history_jobs),
            learnt: None,
            starts_until_training: settings.first_jobs.max(1),
        }
    }
}

impl<F: WaitForecaster> WaitForecaster for LearnedForecaster<F> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let said = self.other.on_arrival(job, state, now);
        let demand = Demand { processors: job.request.processors, estimate: state.estimate(job) };
        let circumstances = Circumstances {
            job,
            state,
            now,
            features: state.features(job, now),
            said: QUANTILES.map(|(_, share)| said.distribution.quantile(share)),
            said_quick: said.classes[0],
            stuck: 0,
            sight: self.waiting.sight(job, demand, now),
            remembered: self.memory.remembered(job, Shape::of(demand), now),
        };
        let row = circumstances.named().map(|(_, value)| value);
        self.waiting.arrive(job, demand);
        self.examples.arrive(job.job, now, &row);
        match &self.learnt {
            Some(learnt) => WaitForecast::from_distribution(learnt.distribution(&row)),
            None => said,
        }
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.other.on_start(job, now);
        let Some(demand) = self.waiting.leave(job) else { return };
        self.memory.started(job, Shape::of(demand), now);
        self.examples.start(job.job, now - job.submitted);
        self.starts_until_training -= 1;
        if self.starts_until_training == 0 {
            self.learnt = Some(Exceedances::learn(&self.examples, now, self.settings.trees, self.settings.seed));
            self.starts_until_training = self.settings.retrain_jobs.max(1);
        }
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.other.on_end(job, outcome);
        self.memory.ended(job, outcome);
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.other.on_withdrawn(job);
        self.waiting.leave(job);
        self.examples.withdraw(job.job);
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Machine, UserId};

    use super::*;
    use crate::majority::MajorityForecaster;
    use queuecast_testkit::submission;

    /// One user is served at once, the other after five hours: a fact no policy tells.
    #[test]
    fn a_site_that_favours_a_user_is_found_out() {
        let settings = LearnedSettings { first_jobs: 200, retrain_jobs: 200, ..LearnedSettings::default() };
        let mut forecaster = LearnedForecaster::new(settings, MajorityForecaster::new());
        let state = SiteState::new(Machine { processors: 4 });
        let of = |id: u64, user: u32| {
            let submitted = i64::try_from(id).expect("a small number") * 60;
            Submission { user: Some(UserId(user)), ..submission(id, submitted, 1, Some(600)) }
        };
        for id in 0..400_u64 {
            let job = of(id, u32::from(id % 2 == 0));
            forecaster.on_arrival(&job, &state, job.submitted);
            let wait = if id % 2 == 0 { 0 } else { 18_000 };
            forecaster.on_start(&job, Time(job.submitted.0 + wait));
        }
        let mut quick = |user| {
            let job = of(1_000, user);
            let said = forecaster.on_arrival(&job, &state, Time(60_000)).classes[0];
            forecaster.on_withdrawn(&job);
            said
        };
        assert!(quick(1) > 0.8 && quick(0) < 0.2, "{} {}", quick(1), quick(0));
    }
}
