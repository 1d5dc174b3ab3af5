//! A configuration over many slightly different workloads: what tells a figure from its noise.

use queuecast_simulate::shaken;
use queuecast_workload::{Seconds, TracedJob};
use rayon::prelude::*;

use crate::measures::FIGURES;
use crate::{Configuration, Replicates, Spread};

/// How to shake. The same three give every configuration the same workloads, so that figures can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shaking {
    /// How many workloads.
    pub replicates: u32,
    /// Submissions move by at most this much, earlier or later.
    pub jitter: Seconds,
    /// Decides every random number.
    pub seed: u64,
}

/// The headline figures of every replicate, in order of replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct ShakenFigures(Vec<[f64; FIGURES.len()]>);

impl Shaking {
    /// Replays every replicate, as many at a time as the current thread pool has threads, and calls `on_replayed`
    /// after each. The result does not depend on how many run at a time: replicates are seeded by their number and
    /// collected in its order.
    pub fn run(
        self,
        configuration: &Configuration,
        jobs: &[TracedJob],
        on_replayed: &(dyn Fn() + Sync),
    ) -> ShakenFigures {
        let replicates = (0..self.replicates).into_par_iter().map(|replicate| {
            let jobs = shaken(jobs, self.jitter, self.seed, u64::from(replicate));
            let (summary, _) = configuration.replay(jobs.into_iter(), &mut ());
            on_replayed();
            summary.figures().map(|(_, value)| value)
        });
        ShakenFigures(replicates.collect())
    }
}

impl ShakenFigures {
    /// How many replicates there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// One figure over all replicates.
    ///
    /// # Panics
    /// If there is no figure of that name.
    pub fn of(&self, figure: &str) -> Replicates {
        let index = FIGURES.iter().position(|name| *name == figure).expect("a figure that exists");
        self.0.iter().map(|figures| figures[index]).collect()
    }

    /// Every figure with its spread.
    pub fn spreads(&self) -> Vec<(&'static str, Spread)> {
        FIGURES.iter().map(|name| (*name, self.of(name).spread())).collect()
    }
}
