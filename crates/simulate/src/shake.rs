//! Input shaking (Tsafrir, Ouaknine and Feitelson): the same workload with every submission moved a little.
//!
//! A schedule is chaotic: one job thirty seconds later can move a mean by several per cent. Replicates that differ
//! only in such jitter show how much of a difference is noise. A replicate depends on the seed and its number
//! alone, so two policies shaken with the same seed see the same workloads and can be compared pair by pair.

use queuecast_workload::{Seconds, TracedJob};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The jobs, each submitted up to `jitter` earlier or later, in order of submission.
pub fn shaken(jobs: &[TracedJob], jitter: Seconds, seed: u64, replicate: u64) -> Vec<TracedJob> {
    let mut generator = Pcg64::seed_from_u64(seed ^ replicate.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut shaken = jobs.to_vec();
    for job in &mut shaken {
        let moved = Seconds(generator.random_range(-jitter.0..=jitter.0));
        job.submission.submitted = job.submission.submitted + moved;
    }
    shaken.sort_by_key(|job| (job.submission.submitted, job.number));
    shaken
}
