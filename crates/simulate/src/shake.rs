//! Input shaking (Tsafrir, Ouaknine and Feitelson): the same workload with every submission moved a little.
//!
//! A schedule is chaotic: one job thirty seconds later can move a mean by several per cent. Replicates that differ
//! only in such jitter show how much of a difference is noise. How far a job moves depends on the seed, the replicate
//! and the job's number in its log alone. So two policies shaken with the same seed see the same workloads and can be
//! compared pair by pair, and whoever leaves jobs out moves the others as far as whoever does not.

use queuecast_workload::{Seconds, TracedJob};
use rustc_hash::FxHashMap;

/// The jobs, each submitted up to `jitter` earlier or later, in order of submission. Jobs that share a number, as in
/// logs that were put together, are told apart by which of them comes first.
pub fn shaken(jobs: &[TracedJob], jitter: Seconds, seed: u64, replicate: u64) -> Vec<TracedJob> {
    let of_replicate = mixed(mixed(seed) ^ replicate);
    let mut met: FxHashMap<i64, u64> = FxHashMap::with_capacity_and_hasher(jobs.len(), rustc_hash::FxBuildHasher);
    let mut shaken = jobs.to_vec();
    for job in &mut shaken {
        let namesakes_before = met.entry(job.number).or_default();
        let of_job = mixed(mixed(of_replicate ^ job.number.cast_unsigned()) ^ *namesakes_before);
        *namesakes_before += 1;
        job.submission.submitted = job.submission.submitted + within(jitter, of_job);
    }
    shaken.sort_by_key(|job| (job.submission.submitted, job.number));
    shaken
}

/// A number from which nobody sees what it was made of: the output function of Steele, Lea and Flood's `SplitMix64`.
fn mixed(number: u64) -> u64 {
    let mut number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// From `-jitter` to `jitter`, each as likely as the next: 64 random bits as a share of one, times how many there are.
fn within(jitter: Seconds, random: u64) -> Seconds {
    let choices = u128::from(jitter.0.unsigned_abs()) * 2 + 1;
    let place =
        i64::try_from((u128::from(random) * choices) >> 64).expect("below twice a span, which is at most 10^12");
    Seconds(place - jitter.0)
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Recorded, Submission, Time};

    use super::*;

    const JITTER: Seconds = Seconds(60);

    fn log(numbers: impl Iterator<Item = i64>) -> Vec<TracedJob> {
        let job = |(number, place): (i64, i64)| TracedJob {
            number,
            submission: Submission::new(Time(1_000 * place), 1),
            recorded: Recorded::completed(Seconds(1)),
        };
        numbers.zip(0..).map(job).collect()
    }

    /// How far each moved, in order of submission, which a thousand seconds between them keep.
    fn moves(jobs: &[TracedJob], seed: u64, replicate: u64) -> Vec<i64> {
        let shaken = shaken(jobs, JITTER, seed, replicate);
        jobs.iter().zip(&shaken).map(|(job, moved)| (moved.submission.submitted - job.submission.submitted).0).collect()
    }

    #[test]
    fn whoever_is_left_out_the_others_move_as_far() {
        let all = log(1..=1_000);
        let odd: Vec<TracedJob> = all.iter().copied().filter(|job| job.number % 2 == 1).collect();
        let of_all: Vec<i64> = moves(&all, 1, 3).into_iter().step_by(2).collect();
        assert_eq!(moves(&odd, 1, 3), of_all);
    }

    #[test]
    fn every_move_within_the_jitter_is_as_likely_as_the_next() {
        let moves = moves(&log(1..=121_000), 1, 0);
        for moved in -60..=60 {
            let count = moves.iter().filter(|&&found| found == moved).count();
            assert!((850..=1_150).contains(&count), "{count} of 1,000 expected moved by {moved} s");
        }
    }

    /// Seeds and replicates next to each other, and jobs next to each other, have nothing to do with each other.
    #[test]
    fn seeds_replicates_and_jobs_move_independently() {
        let jobs = log(1..=20_000);
        let one = moves(&jobs, 1, 0);
        let correlation = |other: &[i64]| {
            let product: i64 = one.iter().zip(other).map(|(one, other)| one * other).sum();
            product as f64 / one.iter().map(|moved| moved * moved).sum::<i64>() as f64
        };
        for other in [moves(&jobs, 2, 0), moves(&jobs, 1, 1), moves(&jobs, 0, 1), one[1..].to_vec()] {
            assert!(correlation(&other).abs() < 0.03, "{}", correlation(&other));
        }
    }

    #[test]
    fn jobs_without_numbers_of_their_own_do_not_move_together() {
        let moves = moves(&log(std::iter::repeat_n(-1, 1_000)), 1, 0);
        assert!(moves.iter().any(|&moved| moved < -30) && moves.iter().any(|&moved| moved > 30), "{moves:?}");
    }

    #[test]
    fn without_jitter_nobody_moves_and_the_largest_is_held() {
        assert_eq!(moves(&log(1..=3), 1, 0).len(), 3);
        assert_eq!(within(Seconds(0), u64::MAX), Seconds(0));
        assert_eq!((within(Seconds::MAX, 0), within(Seconds::MAX, u64::MAX)), (Seconds(-Seconds::MAX.0), Seconds::MAX));
    }
}
