//! `--shake`: the same replay of many slightly different workloads, to tell a figure from its noise.

use clap::Args;
use queuecast_evaluate::{Configuration, ShakenFigures};
use queuecast_workload::TracedJob;

use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};
use crate::options::shaking::{ShakingArgs, parse_replicates};

/// Whether and how to shake.
#[derive(Clone, Copy, Debug, Args)]
pub struct ShakeArgs {
    /// Number of replicates with shaken submission times, for intervals: 2 or more, or 0 for none.
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = parse_replicates_or_none)]
    shake: u32,
    #[command(flatten)]
    shaking: ShakingArgs,
}

fn parse_replicates_or_none(text: &str) -> Result<u32, String> {
    if text == "0" { Ok(0) } else { parse_replicates(text) }
}

impl ShakeArgs {
    pub fn is_asked_for(&self) -> bool {
        self.shake > 0
    }

    /// How many replicates were asked for.
    pub fn replicates(&self) -> u32 {
        self.shake
    }

    /// What decides every random number.
    pub fn seed(&self) -> u64 {
        self.shaking.seed
    }

    /// Replays every replicate, if any were asked for.
    pub fn run(&self, configuration: &Configuration, jobs: &[TracedJob]) -> Result<Option<ShakenFigures>, Failure> {
        if self.shake == 0 {
            return Ok(None);
        }
        let pool = self.shaking.pool()?;
        let progress = SharedProgress::new(Unit::Replicates, u64::from(self.shake));
        let figures =
            pool.install(|| self.shaking.shaking(self.shake).run(configuration, jobs, &|| progress.advance()));
        progress.finish();
        Ok(Some(figures))
    }
}
