//! Beyond the paper: the same choice on real logs, with predicted run times and with backfilling. Does it still pay?
//!
//! Jobs of a log are taken to have the parallelism they asked for, and a variance in it that is drawn as the paper draws
//! it; their speedup is known to whoever chooses, as in the paper. Everything is held against the same jobs, rigid, in a
//! conservatively backfilled queue planned with users' limits, which is what a site has today.

use queuecast_evaluate::Replicates;
use queuecast_evaluate::mouldable::{AllocationSummary, PlannedConfiguration};
use queuecast_simulate::mouldable::{MouldableTracedJob, Moulding, Passing};
use queuecast_simulate::shaken;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::{Claim, Effort, Log, LogSpecification, Measured, OnTrace, Table, Verdict};

/// Logs with users and limits on machines that are busy.
pub const LOGS: [LogSpecification; 3] = [
    LogSpecification::new("KTH-SP2", "KTH-SP2", 100),
    LogSpecification::new("SDSC-SP2", "SDSC-SP2", 128),
    LogSpecification::new("CTC-SP2", "CTC-SP2", 338),
];

/// So many jobs at the front of the queue are planned.
pub const DEPTH: usize = 32;

/// More replicates than this of a log tell nothing more: the intervals are narrow, and a replicate takes minutes.
const REPLICATES_MOST: u32 = 10;

const LIMITS: &str = "estimate";
const SESSIONS: &str = "session:criteria=PE/P/E/*,search=dfs,depth=all";
const ORACLE: &str = "perfect";

const BACKFILLING: Passing = Passing::Planned(DEPTH);
const SELFISH: Moulding = Moulding::Turnaround { pays_for_others: false };
const SHARING: Moulding = Moulding::Turnaround { pays_for_others: true };

/// One way to run a site.
pub struct Way {
    /// What reports call it.
    pub name: &'static str,
    moulding: Moulding,
    passing: Passing,
    predictor: &'static str,
}

/// The first is what the others are held against.
pub const WAYS: [Way; 12] = [
    way("rigid, backfilling, limits", Moulding::Rigid, BACKFILLING, LIMITS),
    way("rigid, backfilling, oracle", Moulding::Rigid, BACKFILLING, ORACLE),
    way("AVG, strict", Moulding::Average, Passing::Nobody, LIMITS),
    way("selfish, strict, limits", SELFISH, Passing::Nobody, LIMITS),
    way("selfish, strict, sessions", SELFISH, Passing::Nobody, SESSIONS),
    way("selfish, strict, oracle", SELFISH, Passing::Nobody, ORACLE),
    way("selfish, backfilling, limits", SELFISH, BACKFILLING, LIMITS),
    way("selfish, backfilling, sessions", SELFISH, BACKFILLING, SESSIONS),
    way("selfish, backfilling, oracle", SELFISH, BACKFILLING, ORACLE),
    way("sharing, backfilling, limits", SHARING, BACKFILLING, LIMITS),
    way("sharing, backfilling, sessions", SHARING, BACKFILLING, SESSIONS),
    way("sharing, backfilling, oracle", SHARING, BACKFILLING, ORACLE),
];

const fn way(name: &'static str, moulding: Moulding, passing: Passing, predictor: &'static str) -> Way {
    Way { name, moulding, passing, predictor }
}

/// How many simulations are run on one log.
pub fn simulations(effort: Effort) -> u64 {
    WAYS.len() as u64 * u64::from(replicates(effort))
}

fn replicates(effort: Effort) -> u32 {
    effort.shaking.replicates.min(REPLICATES_MOST)
}

/// What came out on one log, in the order of [`WAYS`].
pub struct Beyond {
    pub log: String,
    turnarounds: Vec<Replicates>,
}

impl Beyond {
    pub fn run(log: &Log, effort: Effort, on_step: &(dyn Fn() + Sync)) -> Self {
        let replicates: Vec<Vec<f64>> = (0..replicates(effort))
            .into_par_iter()
            .map(|replicate| {
                let jobs = mouldable(log, effort, replicate);
                let turnarounds = WAYS.iter().map(|way| {
                    let summary = way.run(&jobs, log.machine.processors);
                    on_step();
                    summary.turnaround_seconds
                });
                turnarounds.collect()
            })
            .collect();
        let of = |way: usize| replicates.iter().map(|figures| figures[way]).collect();
        Self { log: log.name.clone(), turnarounds: (0..WAYS.len()).map(of).collect() }
    }

    /// The change in mean turnaround from one way to another, in per cent, replicate by replicate.
    pub fn change(&self, way: usize, from: usize) -> Measured {
        Measured::over(&self.turnarounds[way].percent_over(&self.turnarounds[from]))
    }

    fn on_trace(&self, measured: Measured) -> OnTrace {
        OnTrace { trace: self.log.clone(), measured }
    }
}

impl Way {
    fn run(&self, jobs: &[MouldableTracedJob], processors: u32) -> AllocationSummary {
        let predictor = self.predictor.parse().expect("a predictor that exists");
        let Self { moulding, passing, .. } = *self;
        let allocated = PlannedConfiguration { processors, moulding, passing, predictor }.run(jobs);
        AllocationSummary::of(&[allocated], processors)
    }
}

/// The log's jobs, shaken, and with a variance in parallelism of their own in every replicate.
fn mouldable(log: &Log, effort: Effort, replicate: u32) -> Vec<MouldableTracedJob> {
    let jobs = shaken(&log.jobs, effort.shaking.jitter, effort.shaking.seed, u64::from(replicate));
    MouldableTracedJob::of_log(&jobs, &mut Pcg64::seed_from_u64(effort.shaking.seed.wrapping_add(u64::from(replicate))))
}

pub fn table(logs: &[Beyond]) -> Table {
    let ways = WAYS.iter().enumerate().skip(1);
    let claims = ways.map(|(index, way)| {
        let changes: Vec<Measured> = logs.iter().map(|log| log.change(index, 0)).collect();
        let pays = changes.iter().filter(|change| change.below(0.0) == Verdict::Holds).count();
        let verdict = Verdict::of_all(changes.iter().map(|change| change.below(0.0)));
        let traces = logs.iter().zip(&changes).map(|(log, change)| log.on_trace(*change)).collect();
        let mean: Vec<Replicates> =
            logs.iter().map(|log| log.turnarounds[index].percent_over(&log.turnarounds[0])).collect();
        let measured = if logs.is_empty() { Measured::NOTHING } else { Measured::over(&Replicates::mean_of(&mean)) };
        let reason = format!("significantly shorter on {pays} of {} logs", logs.len());
        let claim = format!("{}: mean turnaround shorter than rigid with limits on every log", way.name);
        Claim::of_statement("ours", claim, "%", None, measured, (verdict, reason), traces).ours()
    });
    Table {
        title: "Beyond the paper: real logs made mouldable, change in mean turnaround".to_owned(),
        claims: claims.collect(),
    }
}
