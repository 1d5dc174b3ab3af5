//! `--shake`: the same replay of many slightly different workloads, to tell a figure from its noise.

use std::sync::Mutex;

use clap::Args;
use queuecast_evaluate::{Configuration, ShakenFigures, Shaking};
use queuecast_workload::{Seconds, TracedJob};

use crate::failure::Failure;
use crate::input::progress::Progress;

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

impl ShakeArgs {
    pub fn is_asked_for(&self) -> bool {
        self.shake > 0
    }

    /// How many replicates were asked for.
    pub fn replicates(&self) -> u32 {
        self.shake
    }

    /// Replays every replicate, if any were asked for.
    pub fn run(&self, configuration: &Configuration, jobs: &[TracedJob]) -> Result<Option<ShakenFigures>, Failure> {
        if self.shake == 0 {
            return Ok(None);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| Failure::usage(format_args!("--threads {}: {error}", self.threads)))?;
        let progress = Mutex::new(Progress::of_replicates(u64::from(self.shake)));
        let shaking = Shaking { replicates: self.shake, jitter: Seconds(self.jitter), seed: self.seed };
        let advance = || progress.lock().expect("no replicate panicked").advance();
        let figures = pool.install(|| shaking.run(configuration, jobs, &advance));
        progress.into_inner().expect("no replicate panicked").finish();
        Ok(Some(figures))
    }
}
