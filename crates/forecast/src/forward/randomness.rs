//! Uniform numbers by place: one for every job in every future, found without drawing those before it.
//!
//! For: common random numbers. A job meets the same luck in the future of the same number whoever is asked about and
//! whoever starts first, so that two forecasts differ by what has happened in between and not by new dice, and results
//! are the same in any order and on any number of threads.
//!
//! Not for: anything that must not be guessed. The mixer is `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).

use queuecast_workload::JobId;

/// Uniform numbers that depend on a seed, a future and a job, and on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Randomness {
    seed: u64,
}

impl Randomness {
    /// All the numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed: mixed(seed) }
    }

    /// Those of one future.
    #[must_use]
    pub fn of_future(self, future: u64) -> Self {
        Self { seed: mixed(self.seed ^ mixed(future)) }
    }

    /// The job's number, from zero to below one.
    pub fn uniform(self, job: JobId) -> f64 {
        (mixed(self.seed ^ job.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_over_jobs_and_over_futures() {
        let randomness = Randomness::new(1);
        let over_jobs: Vec<f64> = (0..10_000).map(|job| randomness.of_future(3).uniform(JobId(job))).collect();
        let over_futures: Vec<f64> = (0..10_000).map(|future| randomness.of_future(future).uniform(JobId(7))).collect();
        for numbers in [over_jobs, over_futures] {
            for tenth in 0..10 {
                let within = |number: &&f64| (f64::from(tenth)..f64::from(tenth + 1)).contains(&(**number * 10.0));
                let share = numbers.iter().filter(within).count() as f64 / 10_000.0;
                assert!((share - 0.1).abs() < 0.015, "{tenth}: {share}");
            }
            let lagged: f64 = numbers.windows(2).map(|pair| (pair[0] - 0.5) * (pair[1] - 0.5)).sum::<f64>() / 9_999.0;
            assert!(lagged.abs() < 0.003, "neighbours go together: {lagged}");
        }
    }
}
