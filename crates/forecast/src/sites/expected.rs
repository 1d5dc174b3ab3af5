//! The site with the least expected wait, by any forecaster (R-K12).

use queuecast_simulate::SiteChooser;
use queuecast_workload::{Machine, Outcome, Submission, Time};

use super::{SiteStates, least};
use crate::forecaster::WaitForecaster;

/// What is expected of a site and should be least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// The wait, among the sites where the job is thought to start within an hour, if there are any and there are others
    /// (the paper's least predicted wait).
    QuickStartersFirst,
    /// The wait.
    Wait,
}

/// Jobs go to the site with the least expected wait. Each site has a forecaster of its own, which learns what happens there.
pub struct LeastExpected<F> {
    states: SiteStates,
    forecasters: Vec<F>,
    expectation: Expectation,
}

/// Above this probability of the first class a job is thought to be a quick starter.
const QUICK: f64 = 0.5;

impl<F: WaitForecaster> LeastExpected<F> {
    /// With one forecaster for each machine.
    pub fn new(sites: impl IntoIterator<Item = (Machine, F)>, expectation: Expectation) -> Self {
        let (machines, forecasters): (Vec<Machine>, Vec<F>) = sites.into_iter().unzip();
        Self { states: SiteStates::new(machines), forecasters, expectation }
    }
}

impl<F: WaitForecaster> SiteChooser for LeastExpected<F> {
    fn choose(&mut self, job: &Submission, _home: usize, open: &[usize], now: Time, chosen: &mut Vec<usize>) {
        let mut expected: Vec<(usize, f64, bool)> = Vec::with_capacity(open.len());
        for &site in open {
            let forecast = self.forecasters[site].on_arrival(job, &self.states.0[site], now);
            expected.push((site, forecast.distribution.mean(), forecast.classes[0] > QUICK));
        }
        let quick = expected.iter().filter(|(_, _, is_quick)| *is_quick).count();
        let only_quick = self.expectation == Expectation::QuickStartersFirst && quick > 0 && quick < expected.len();
        let candidates = expected.iter().filter(|(_, _, is_quick)| *is_quick || !only_quick);
        let best = least(candidates.map(|(site, wait, _)| (*site, *wait)));
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
    }
    fn ended(&mut self, site: usize, job: &Submission, outcome: &Outcome) {
        self.states.ended(site, job);
        self.forecasters[site].on_end(job, outcome);
    }
    fn withdrawn(&mut self, site: usize, job: &Submission, _now: Time) {
        self.states.withdrawn(site, job);
        self.forecasters[site].on_withdrawn(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::WaitDistribution;
    use crate::forecast::WaitForecast;
    use crate::state::SiteState;
    use crate::test_jobs::submission;

    /// Always says the same, and counts who is gone.
    struct Fixed {
        waits: Vec<f64>,
        gone: u32,
    }

    impl WaitForecaster for Fixed {
        fn on_arrival(&mut self, _job: &Submission, _state: &SiteState, _now: Time) -> WaitForecast {
            WaitForecast::from_distribution(WaitDistribution::of(self.waits.iter().copied()))
        }
        fn on_start(&mut self, _job: &Submission, _now: Time) {}
        fn on_withdrawn(&mut self, _job: &Submission) {
            self.gone += 1;
        }
    }

    fn chosen(waits: [&[f64]; 2], expectation: Expectation) -> (Vec<usize>, Vec<u32>) {
        let machine = Machine { processors: 4 };
        let sites = waits.map(|waits| (machine, Fixed { waits: waits.to_vec(), gone: 0 }));
        let mut chooser = LeastExpected::new(sites, expectation);
        let job = submission(1, 0, 1, None);
        let mut sites = Vec::new();
        chooser.choose(&job, 0, &[0, 1], Time(0), &mut sites);
        (sites, chooser.forecasters.iter().map(|forecaster| forecaster.gone).collect())
    }

    #[test]
    fn the_least_wait_wins_and_the_others_are_told() {
        assert_eq!(chosen([&[500.0], &[100.0]], Expectation::Wait), (vec![1], vec![1, 0]));
    }

    /// Mostly at once but sometimes for a week, against two hours for certain.
    #[test]
    fn quick_starters_come_first_where_that_is_asked_for() {
        let waits: [&[f64]; 2] = [&[0.0, 0.0, 600_000.0], &[7_200.0]];
        assert_eq!(chosen(waits, Expectation::Wait).0, [1]);
        assert_eq!(chosen(waits, Expectation::QuickStartersFirst).0, [0]);
    }
}
