//! The site where a job is expected to start, or to be done, first, by any forecaster.
//!
//! For: what R-K12 is about with forecasts of any kind: one number a site, no classes; and with sites of different speed,
//! where the shortest wait is not the earliest end.
//!
//! Not for: the rule as Kumar and Vadhiyar print it ([`super::LeastPredicted`]).

use queuecast_simulate::SiteChooser;
use queuecast_workload::{Outcome, Submission, Time};

use super::run_times::ExpectedRunTimes;
use super::{ForecastSite, SiteStates, least};
use crate::forecaster::WaitForecaster;

/// What is expected of a site and should be least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// The wait.
    Wait,
    /// The wait and the run time at the site's speed.
    Completion,
}

/// Jobs go to the site of which the least is expected; of equals to the least loaded. Each site has a forecaster of its own,
/// which learns what happens there.
pub struct LeastExpected<F> {
    states: SiteStates,
    forecasters: Vec<F>,
    /// Where completion counts.
    run_times: Option<ExpectedRunTimes>,
}

impl<F: WaitForecaster> LeastExpected<F> {
    /// Of these sites.
    pub fn new(sites: impl IntoIterator<Item = ForecastSite<F>>, expectation: Expectation) -> Self {
        let (states, forecasters) = SiteStates::with_forecasters(sites);
        let run_times = (expectation == Expectation::Completion).then(ExpectedRunTimes::new);
        Self { states, forecasters, run_times }
    }
}

impl<F: WaitForecaster> SiteChooser for LeastExpected<F> {
    fn choose(&mut self, job: &Submission, _home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>) {
        let run_seconds = self.run_times.as_mut().map_or(0.0, |run_times| run_times.on_arrival(job, now));
        let Self { states, forecasters, .. } = self;
        let expected = open.iter().map(|&site| {
            let there = states.job_at(site, job);
            let forecast = forecasters[site].on_arrival(&there, states.of(site), now);
            let end_seconds = forecast.distribution.mean() + run_seconds / states.speed(site);
            (site, [end_seconds, states.load(site, now)])
        });
        let best = least(expected);
        for site in open.iter().filter(|site| Some(**site) != best) {
            self.forecasters[*site].on_withdrawn(job);
        }
        chosen.extend(best);
    }

    fn submitted(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.submitted(site, job);
    }
    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        self.states.started(site, job, now);
        self.forecasters[site].on_start(job, now);
        if let Some(run_times) = &mut self.run_times {
            run_times.on_start(job, now);
        }
    }
    fn ended(&mut self, site: usize, job: &Submission, outcome: &Outcome) {
        self.states.ended(site, job);
        self.forecasters[site].on_end(job, outcome);
        if let Some(run_times) = &mut self.run_times {
            run_times.on_end(job, outcome, self.states.speed(site));
        }
    }
    fn withdrawn(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.withdrawn(site, job);
        self.forecasters[site].on_withdrawn(job);
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Machine, Seconds, Status};

    use super::*;
    use crate::sites::test_forecasters::Fixed;
    use queuecast_testkit::submission;

    fn sites(waits: [&[f64]; 2], speeds: [f64; 2]) -> impl Iterator<Item = ForecastSite<Fixed>> {
        let machine = Machine { processors: 4 };
        let sites = waits.map(Fixed::saying).into_iter().zip(speeds);
        sites.map(move |(forecaster, speed)| ForecastSite { machine, speed, forecaster })
    }

    fn chosen(chooser: &mut LeastExpected<Fixed>, job: u64) -> Vec<usize> {
        let mut chosen = Vec::new();
        chooser.choose(&submission(job, 0, 1, Some(90_000)), 0, &[0, 1], Time(0), &mut chosen);
        chosen
    }

    #[test]
    fn the_least_wait_wins_and_the_others_are_told() {
        let mut chooser = LeastExpected::new(sites([&[500.0], &[100.0]], [1.0; 2]), Expectation::Wait);
        assert_eq!(chosen(&mut chooser, 1), [1]);
        assert_eq!(chooser.forecasters.iter().map(|forecaster| forecaster.gone).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn of_equal_waits_the_least_loaded_wins() {
        let mut chooser = LeastExpected::new(sites([&[0.0], &[0.0]], [1.0; 2]), Expectation::Wait);
        assert_eq!(chosen(&mut chooser, 1), [0]);
        chooser.submitted(0, &submission(1, 0, 1, Some(90_000)), Time(0));
        assert_eq!(chosen(&mut chooser, 2), [1]);
    }

    /// Two hours of waiting at a site twice as fast: not for a wait, not for jobs that are short, worth it for long ones.
    #[test]
    fn a_long_job_waits_for_a_fast_site_and_a_short_one_does_not() {
        let waits: [&[f64]; 2] = [&[0.0], &[7_200.0]];
        for (expectation, run, best) in
            [(Expectation::Wait, 80_000, 0), (Expectation::Completion, 80_000, 1), (Expectation::Completion, 60, 0)]
        {
            let mut chooser = LeastExpected::new(sites(waits, [1.0, 2.0]), expectation);
            for past in 0..50 {
                assert_eq!(chosen(&mut chooser, past).len(), 1);
                let outcome = Outcome { started: Time(0), ended: Time(0) + Seconds(run), status: Status::Completed };
                chooser.ended(0, &submission(past, 0, 1, Some(90_000)), &outcome);
            }
            assert_eq!(chosen(&mut chooser, 99), [best], "{expectation:?} {run}");
        }
    }
}
