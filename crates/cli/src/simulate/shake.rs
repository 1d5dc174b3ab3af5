//! `--shake`: the same replay of many slightly different workloads, to tell a figure from its noise.

use std::sync::Mutex;

use clap::Args;
use queuecast_evaluate::{Replicates, Spread};
use queuecast_simulate::shaken;
use queuecast_workload::{Seconds, TracedJob};
use rayon::prelude::*;

use super::replay::Configuration;
use crate::failure::Failure;
use crate::trace::progress::Progress;

/// How to shake.
#[derive(Clone, Copy, Debug, Args)]
pub struct ShakeArgs {
    /// Replay this many replicates with shaken submission times and give every figure an interval.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    shake: u32,
    /// Submissions move by at most this much, earlier or later.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(i64).range(0..=Seconds::MAX.0))]
    jitter: i64,
    /// Decides every random number; the same seed gives every configuration the same replicates.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Replicates at a time [default: one for each core].
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

/// The figures over all replicates.
pub struct Shaken {
    pub replicates: u32,
    pub figures: Vec<(&'static str, Spread)>,
}

impl ShakeArgs {
    pub fn is_asked_for(&self) -> bool {
        self.shake > 0
    }

    /// Replays every replicate. The result does not depend on how many run at a time: replicates are seeded by
    /// their number and collected in its order.
    pub fn run(&self, configuration: &Configuration, jobs: &[TracedJob]) -> Result<Option<Shaken>, Failure> {
        if self.shake == 0 {
            return Ok(None);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| Failure::usage(format_args!("--threads {}: {error}", self.threads)))?;
        let progress = Mutex::new(Progress::of_replicates(u64::from(self.shake)));
        let summaries: Vec<_> = pool.install(|| {
            (0..self.shake)
                .into_par_iter()
                .map(|replicate| {
                    let jobs = shaken(jobs, Seconds(self.jitter), self.seed, u64::from(replicate));
                    let measured = configuration.replay(jobs.into_iter(), &mut ());
                    progress.lock().expect("no replicate panicked").advance();
                    measured.summary.figures()
                })
                .collect()
        });
        progress.into_inner().expect("no replicate panicked").finish();
        let spread_of =
            |index: usize| summaries.iter().map(|figures| figures[index].1).collect::<Replicates>().spread();
        let figures = summaries[0].iter().enumerate().map(|(index, (name, _))| (*name, spread_of(index))).collect();
        Ok(Some(Shaken { replicates: self.shake, figures }))
    }
}
