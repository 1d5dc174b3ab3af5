//! Strategies on the same jobs, replicate by replicate.

use queuecast_evaluate::Replicates;
use queuecast_evaluate::sites::{SiteSpecification, SitesRun, SitesSummary};
use queuecast_simulate::RoamingJob;
use rayon::prelude::*;

use crate::{Effort, Measured};

pub const STATIC: &str = "static";
pub const LEAST_LOADED: &str = "least-loaded";
pub const K_DISTRIBUTED: &str = "k-distributed:2";
pub const REDUNDANT: &str = "redundant";
pub const LEAST_PREDICTED: &str = "least-predicted";
pub const LEAST_WAIT: &str = "least-wait:forward";
pub const LEAST_COMPLETION: &str = "least-completion:forward";

/// The sites, and what came of every strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    pub sites: Vec<SiteSpecification>,
    pub strategies: &'static [&'static str],
    /// By strategy and replicate.
    runs: Vec<Vec<SitesSummary>>,
}

impl Experiment {
    /// Runs every strategy on the jobs of every replicate. What comes out does not depend on the number of threads.
    pub fn run(
        sites: Vec<SiteSpecification>,
        strategies: &'static [&'static str],
        effort: Effort,
        jobs_of: impl Fn(u32) -> Vec<RoamingJob> + Sync,
        on_step: &(dyn Fn() + Sync),
    ) -> Self {
        let policy = "easy".parse().expect("a policy that exists");
        let replicates = effort.shaking.replicates as usize;
        let one = |place: usize| {
            let (strategy, replicate) = (strategies[place / replicates], place % replicates);
            let replicate = u32::try_from(replicate).unwrap_or(u32::MAX);
            let seed = effort.shaking.seed.wrapping_add(u64::from(replicate));
            let run = SitesRun { policy, futures: effort.futures, seed };
            let strategy = strategy.parse().expect("a strategy that exists");
            let summary = run.simulate(strategy, &sites, &jobs_of(replicate));
            on_step();
            summary
        };
        let all: Vec<SitesSummary> =
            (0..strategies.len() * replicates).into_par_iter().with_max_len(1).map(one).collect();
        let runs = all.chunks(replicates).map(<[SitesSummary]>::to_vec).collect();
        Self { sites, strategies, runs }
    }

    /// A figure over replicates.
    pub fn over(&self, strategy: &str, figure: impl Fn(&SitesSummary) -> f64) -> Replicates {
        let place = self.strategies.iter().position(|other| *other == strategy).expect("a strategy that was run");
        self.runs[place].iter().map(figure).collect()
    }

    /// Mean waits in minutes.
    pub fn wait_minutes(&self, strategy: &str) -> Replicates {
        self.over(strategy, |summary| summary.wait_seconds / 60.0)
    }

    /// Mean turnarounds in minutes.
    pub fn turnaround_minutes(&self, strategy: &str) -> Replicates {
        self.over(strategy, |summary| summary.turnaround_seconds / 60.0)
    }

    /// The change in mean wait from one strategy to another, in per cent, replicate by replicate.
    pub fn wait_change(&self, strategy: &str, from: &str) -> Measured {
        Measured::over(&self.wait_minutes(strategy).percent_over(&self.wait_minutes(from)))
    }

    /// The same in mean turnaround.
    pub fn turnaround_change(&self, strategy: &str, from: &str) -> Measured {
        Measured::over(&self.turnaround_minutes(strategy).percent_over(&self.turnaround_minutes(from)))
    }
}
