//! The example in Python says what its description says, done in Rust.

use std::collections::{HashMap, VecDeque};

use queuecast_exec::ProgramForecaster;
use queuecast_forecast::{
    ForecastJob, ForecastObserver, SiteState, WaitDistribution, WaitForecast, WaitForecaster, replay_waits,
};
use queuecast_workload::{JobId, Machine, Submission, Time, UserId};

use crate::support::{example, jobs};

const MACHINE: Machine = Machine { processors: 16 };

#[derive(Default)]
struct LastHundred {
    all: VecDeque<f64>,
    by_user: HashMap<Option<UserId>, VecDeque<f64>>,
}

impl WaitForecaster for LastHundred {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
        let own = self.by_user.get(&job.user).unwrap_or(&self.all);
        WaitForecast::from_distribution(WaitDistribution::of(own.iter().copied()))
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        for waits in [&mut self.all, self.by_user.entry(job.user).or_default()] {
            waits.push_back((now - job.submitted).as_f64());
            if waits.len() > 100 {
                waits.pop_front();
            }
        }
    }
}

#[derive(Default)]
struct Said(Vec<(JobId, WaitForecast)>);

impl ForecastObserver for Said {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.push((job.submission.job, job.forecast.clone()));
    }
}

#[test]
fn the_example_says_what_the_last_hundred_waited() {
    let jobs = jobs(4, 1_500);
    let said = |forecaster: &mut dyn WaitForecaster| {
        let mut said = Said::default();
        replay_waits(jobs.iter().copied(), MACHINE, forecaster, &mut said);
        said.0
    };
    let ours = said(&mut LastHundred::default());
    let theirs = said(&mut ProgramForecaster::begin(&example("recent_waits.py"), MACHINE));
    assert_eq!(ours.len(), 1_500);
    assert!(ours == theirs);
}
