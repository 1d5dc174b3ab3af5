//! The options of shaking that every subcommand with replicates shares.

use clap::Args;
use queuecast_evaluate::Shaking;
use queuecast_workload::Seconds;

use crate::failure::Failure;

/// How to shake, beside how often.
#[derive(Clone, Copy, Debug, Args)]
pub struct ShakingArgs {
    /// Maximum shift of a submission time in a replicate, earlier or later, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(i64).range(0..=Seconds::MAX.0))]
    jitter: i64,
    /// Random seed; one seed gives the same replicates for all configurations.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of replicates to run in parallel [default: the number of cores].
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

/// How many replicates: so many that they have a spread.
pub fn parse_replicates(text: &str) -> Result<u32, String> {
    let count: u32 = text.parse().map_err(|_| "expected a number of replicates".to_owned())?;
    let why = "an interval needs 2 replicates or more";
    if count < 2 { Err(why.to_owned()) } else { Ok(count) }
}

impl ShakingArgs {
    /// So many replicates.
    pub fn shaking(&self, replicates: u32) -> Shaking {
        Shaking { replicates, jitter: Seconds(self.jitter), seed: self.seed }
    }

    /// The threads to replay on.
    pub fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map_err(|error| Failure::usage(format_args!("--threads {}: {error}", self.threads)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_replicate_is_refused_and_told_why() {
        assert_eq!(parse_replicates("2"), Ok(2));
        for few in ["0", "1"] {
            assert!(parse_replicates(few).unwrap_err().contains("2 replicates or more"));
        }
        assert!(parse_replicates("-3").is_err() && parse_replicates("many").is_err());
    }
}
