//! Where should a job go? Choosers of sites for several clusters on one clock (R-K12, R-K13).
//!
//! For: staying home, the least loaded site, several sites of which the first to start a job keeps it, and the site with the
//! least expected wait or completion, by any forecaster.
//!
//! Not for: running the sites (`queuecast_simulate::simulate_sites`).

mod expected;
mod simple;

pub use expected::{Expectation, LeastExpected};
pub use simple::{LeastLoaded, Redundant, Static};

use queuecast_workload::{Machine, Submission, Time};

use crate::state::SiteState;

/// The states of all sites, kept up by what a chooser is told.
#[derive(Clone, Debug)]
struct SiteStates(Vec<SiteState>);

impl SiteStates {
    fn new(machines: impl IntoIterator<Item = Machine>) -> Self {
        Self(machines.into_iter().map(SiteState::new).collect())
    }

    /// Work that waits or is left, over the site's size (Subramani et al.).
    fn load(&self, site: usize, now: Time) -> f64 {
        self.0[site].work(now) / f64::from(self.0[site].machine().processors.max(1))
    }

    fn submitted(&mut self, site: usize, job: &Submission) {
        self.0[site].arrive(job);
    }

    fn started(&mut self, site: usize, job: &Submission, now: Time) {
        self.0[site].start(job.job, now);
    }

    fn ended(&mut self, site: usize, job: &Submission) {
        self.0[site].end(job.job);
    }

    fn withdrawn(&mut self, site: usize, job: &Submission) {
        self.0[site].withdraw(job.job);
    }
}

/// The place of the least value; of equals the first.
fn least(values: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    values.reduce(|best, next| if next.1 < best.1 { next } else { best }).map(|(site, _)| site)
}
