//! One strategy, from jobs to figures.

use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{RoamingJob, Rules, SimulatedCluster, Site, SitesObserver, simulate_sites};
use queuecast_workload::Machine;

use super::{SitesMeasures, SitesSummary, StrategySpecification};

/// A site as it is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteSpecification {
    /// What reports call it.
    pub name: String,
    /// Its size.
    pub machine: Machine,
    /// How much faster jobs run there than recorded.
    pub speed: f64,
}

/// What strategies run under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SitesRun {
    /// Who starts when, at every site, by limits.
    pub policy: PolicySpecification,
    /// Futures that are played for every forecast, where any are.
    pub futures: u32,
    /// Decides every random number of forecasts.
    pub seed: u64,
}

impl SitesRun {
    /// Runs the jobs, in order of submission, to the end.
    pub fn simulate(
        &self,
        strategy: StrategySpecification,
        sites: &[SiteSpecification],
        jobs: &[RoamingJob],
    ) -> SitesSummary {
        self.simulate_telling(strategy, sites, jobs, &mut ())
    }

    /// The same, and tells somebody else of every job that ends.
    pub fn simulate_telling(
        &self,
        strategy: StrategySpecification,
        sites: &[SiteSpecification],
        jobs: &[RoamingJob],
        observer: &mut impl SitesObserver,
    ) -> SitesSummary {
        let mut clusters: Vec<_> = sites
            .iter()
            .map(|site| {
                let estimate = PredictorSpecification::Estimate;
                let (predictor, _) = estimate.build(estimate.default_correction(), false);
                let scheduler = self.policy.build(site.machine);
                let cluster = SimulatedCluster::new(site.machine, Rules::Clean, predictor, scheduler);
                Site { cluster, machine: site.machine, speed: site.speed }
            })
            .collect();
        let mut measures = SitesMeasures::new(sites.len());
        let mut chooser = strategy.build(sites, self);
        simulate_sites(jobs.iter().copied(), &mut clusters, &mut chooser, &mut (&mut measures, observer));
        measures.summary()
    }
}
