//! Where should a job go? Choosers of sites for several clusters on one clock (R-K12, R-K13).
//!
//! For: staying home, the least loaded site, several sites of which the first to start a job keeps it, Kumar and Vadhiyar's
//! least predicted wait, and the least expected wait or completion by any forecaster.
//!
//! Not for: running the sites (`queuecast_simulate::simulate_sites`).

mod expected;
mod predicted;
mod run_times;
mod simple;
#[cfg(test)]
mod test_forecasters;

pub use expected::{Expectation, LeastExpected};
pub use predicted::LeastPredicted;
pub use simple::{LeastLoaded, Redundant, Static};

use queuecast_simulate::submission_at_speed;
use queuecast_workload::{Machine, Submission, Time};

use crate::state::SiteState;

/// A site as a chooser knows it.
#[derive(Clone, Copy, Debug)]
pub struct ForecastSite<F> {
    /// Its size.
    pub machine: Machine,
    /// How much faster jobs run there than at a site of speed one.
    pub speed: f64,
    /// Who forecasts waits there.
    pub forecaster: F,
}

/// The states of all sites, kept up by what a chooser is told.
#[derive(Clone, Debug)]
struct SiteStates {
    states: Vec<SiteState>,
    speeds: Vec<f64>,
}

impl SiteStates {
    /// Of speed one; a chooser that forecasts nothing takes limits as they are.
    fn new(machines: impl IntoIterator<Item = Machine>) -> Self {
        let states: Vec<SiteState> = machines.into_iter().map(SiteState::new).collect();
        Self { speeds: vec![1.0; states.len()], states }
    }

    fn with_forecasters<F>(sites: impl IntoIterator<Item = ForecastSite<F>>) -> (Self, Vec<F>) {
        let (mut states, mut speeds, mut forecasters) = (Vec::new(), Vec::new(), Vec::new());
        for ForecastSite { machine, speed, forecaster } in sites {
            states.push(SiteState::new(machine));
            speeds.push(speed);
            forecasters.push(forecaster);
        }
        (Self { states, speeds }, forecasters)
    }

    fn of(&self, site: usize) -> &SiteState {
        &self.states[site]
    }

    fn speed(&self, site: usize) -> f64 {
        self.speeds[site]
    }

    /// The job as it would be submitted there.
    fn job_at(&self, site: usize, job: &Submission) -> Submission {
        submission_at_speed(job, self.speeds[site])
    }

    /// Work that waits or is left, over the site's size (Subramani et al.).
    fn load(&self, site: usize, now: Time) -> f64 {
        self.states[site].work(now) / f64::from(self.states[site].machine().processors.max(1))
    }

    fn submitted(&mut self, site: usize, job: &Submission) {
        self.states[site].arrive(job);
    }

    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        self.states[site].start(job.job, now);
    }

    fn ended(&mut self, site: usize, job: &Submission) {
        self.states[site].end(job.job);
    }

    fn withdrawn(&mut self, site: usize, job: &Submission) {
        self.states[site].withdraw(job.job);
    }
}

/// The place of the least values, the first deciding before the second; of equals the first.
fn least<const N: usize>(values: impl Iterator<Item = (usize, [f64; N])>) -> Option<usize> {
    values.reduce(|best, next| if next.1 < best.1 { next } else { best }).map(|(site, _)| site)
}
