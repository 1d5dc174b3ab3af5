//! How long jobs wait wherever they went, and where that was (R-K14, R-K15).

use queuecast_simulate::{FinishedJob, SitesObserver};
use queuecast_workload::Seconds;
use serde::Serialize;

use crate::bounded_slowdown;

const HOUR_SECONDS: f64 = 3_600.0;
const DAY_SECONDS: f64 = 24.0 * HOUR_SECONDS;
/// Run times below this count as this in bounded slowdown.
const SLOWDOWN_THRESHOLD: Seconds = Seconds(10);

/// Observes a simulation of several sites.
#[derive(Clone, Debug)]
pub struct SitesMeasures {
    jobs_by_site: Vec<u64>,
    wait_seconds: f64,
    turnaround_seconds: f64,
    slowdown: f64,
    within_an_hour: u64,
    over_a_day: u64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SitesSummary {
    /// How many jobs.
    pub jobs: u64,
    /// Mean seconds in the queue.
    pub wait_seconds: f64,
    /// Mean seconds from submission to end.
    pub turnaround_seconds: f64,
    /// Mean bounded slowdown.
    pub bounded_slowdown: f64,
    /// Share of jobs that waited for an hour at most.
    pub within_1_hour: f64,
    /// Share that waited for a day or more.
    pub over_1_day: f64,
    /// Share of jobs that ran at each site.
    pub share_by_site: Vec<f64>,
}

impl SitesMeasures {
    /// Of so many sites.
    pub fn new(sites: usize) -> Self {
        Self {
            jobs_by_site: vec![0; sites],
            wait_seconds: 0.0,
            turnaround_seconds: 0.0,
            slowdown: 0.0,
            within_an_hour: 0,
            over_a_day: 0,
        }
    }

    /// What came out so far.
    pub fn summary(&self) -> SitesSummary {
        let jobs: u64 = self.jobs_by_site.iter().sum();
        let count = (jobs as f64).max(1.0);
        SitesSummary {
            jobs,
            wait_seconds: self.wait_seconds / count,
            turnaround_seconds: self.turnaround_seconds / count,
            bounded_slowdown: self.slowdown / count,
            within_1_hour: self.within_an_hour as f64 / count,
            over_1_day: self.over_a_day as f64 / count,
            share_by_site: self.jobs_by_site.iter().map(|jobs| *jobs as f64 / count).collect(),
        }
    }
}

impl SitesObserver for SitesMeasures {
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>) {
        let (wait, run) = (job.wait(), job.outcome.run());
        self.jobs_by_site[site] += 1;
        self.wait_seconds += wait.as_f64();
        self.turnaround_seconds += (wait + run).as_f64();
        self.slowdown += bounded_slowdown(wait, run, SLOWDOWN_THRESHOLD);
        self.within_an_hour += u64::from(wait.as_f64() <= HOUR_SECONDS);
        self.over_a_day += u64::from(wait.as_f64() >= DAY_SECONDS);
    }
}
