//! Which job gets which estimate.
//!
//! For: giving every job an estimate that is not below its run time, otherwise at random.
//!
//! Not for: users who estimate alike from job to job; jobs are taken to be independent, as in the paper.
//!
//! Requirement: R-E9 (Tsafrir, Etsion and Feitelson, section 11.2).
//!
//! Run times choose from the longest down. In that order the estimates to choose from only grow, so that the work is
//! that of sorting, and every job finds one whenever the estimates can be dealt out at all; in another order a short
//! job may take the last estimate that a long one needs.

use std::cmp::Reverse;

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Seconds;

use super::distribution::EstimateDistribution;

/// Estimates for jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedEstimates {
    /// By job, in the order of the run times given.
    pub estimates: Vec<Seconds>,
    /// How many jobs found no estimate left that was long enough and had theirs drawn anew, among the long enough.
    /// Many of them mean that run times and estimates do not belong together.
    pub drawn_anew: usize,
    /// What the largest estimate was raised to, if a job ran longer.
    pub raised_to: Option<Seconds>,
}

/// An estimate for each run time, not below it.
///
/// As many estimates as jobs are drawn by their shares; the jobs, from the longest down, take one of the long enough
/// at random, and nobody takes one twice. Where a job runs longer than the largest estimate, the largest is first
/// raised to the longest run time, rounded up to whole minutes.
pub fn assign(run_times: &[Seconds], distribution: &EstimateDistribution, generator: &mut Pcg64) -> AssignedEstimates {
    let longest = run_times.iter().copied().max().unwrap_or(Seconds::ZERO);
    let raised = (longest > distribution.longest()).then(|| distribution.clone().raised_to(longest));
    let distribution = raised.as_ref().unwrap_or(distribution);
    let drawn: Vec<Seconds> = run_times.iter().map(|_| distribution.draw(generator)).collect();
    let mut drawn_anew = 0;
    let estimates = deal(run_times, drawn, generator)
        .into_iter()
        .zip(run_times)
        .map(|(dealt, &run)| {
            dealt.unwrap_or_else(|| {
                drawn_anew += 1;
                distribution.draw_at_least(run, generator).expect("raised to the longest run time")
            })
        })
        .collect();
    AssignedEstimates { estimates, drawn_anew, raised_to: raised.map(|raised| raised.longest()) }
}

/// The same estimates dealt out anew among jobs with these run times, none below its run time: a log's own estimates
/// made independent of everything else about the job.
///
/// None if that is impossible: if there are fewer estimates than jobs, or too many of them too short.
pub fn shuffle(run_times: &[Seconds], estimates: &[Seconds], generator: &mut Pcg64) -> Option<Vec<Seconds>> {
    deal(run_times, estimates.to_vec(), generator).into_iter().collect()
}

fn deal(run_times: &[Seconds], mut estimates: Vec<Seconds>, generator: &mut Pcg64) -> Vec<Option<Seconds>> {
    estimates.sort_unstable_by_key(|&estimate| Reverse(estimate));
    let mut jobs: Vec<usize> = (0..run_times.len()).collect();
    jobs.sort_by_key(|&job| Reverse(run_times[job]));
    let mut shorter = estimates.into_iter().peekable();
    let mut long_enough = Vec::new();
    let mut dealt = vec![None; run_times.len()];
    for job in jobs {
        while let Some(estimate) = shorter.next_if(|&estimate| estimate >= run_times[job]) {
            long_enough.push(estimate);
        }
        if !long_enough.is_empty() {
            dealt[job] = Some(long_enough.swap_remove(generator.random_range(0..long_enough.len())));
        }
    }
    dealt
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::super::EstimateOptions;
    use super::*;

    const HOUR: i64 = 3600;

    fn distribution(maximum: i64, jobs: usize) -> EstimateDistribution {
        let options = EstimateOptions::new(Seconds(maximum), jobs);
        EstimateDistribution::generate(&options, &mut Pcg64::seed_from_u64(1)).unwrap()
    }

    fn seconds(times: &[i64]) -> Vec<Seconds> {
        times.iter().copied().map(Seconds).collect()
    }

    #[test]
    fn short_jobs_leave_the_estimates_as_drawn() {
        let runs = vec![Seconds::ZERO; 50_000];
        let assigned = assign(&runs, &distribution(18 * HOUR, runs.len()), &mut Pcg64::seed_from_u64(2));
        assert_eq!((assigned.drawn_anew, assigned.raised_to), (0, None));
        let longest = assigned.estimates.iter().filter(|&&estimate| estimate == Seconds(18 * HOUR)).count();
        // Five standard deviations of a share of 22.70 % are 0.94.
        assert!((longest as f64 * 100.0 / runs.len() as f64 - 22.70).abs() < 0.95);
    }

    #[test]
    fn a_longer_run_raises_the_largest_estimate() {
        let runs = seconds(&[60, 18 * HOUR + 61, 60]);
        let assigned = assign(&runs, &distribution(18 * HOUR, 1_000), &mut Pcg64::seed_from_u64(3));
        assert_eq!(assigned.raised_to, Some(Seconds(18 * HOUR + 120)));
        assert_eq!(assigned.estimates[1], Seconds(18 * HOUR + 120));
    }

    #[test]
    fn too_many_long_jobs_have_their_estimates_drawn_anew() {
        let runs = vec![Seconds(17 * HOUR + 1800); 1_000];
        let assigned = assign(&runs, &distribution(18 * HOUR, 1_000), &mut Pcg64::seed_from_u64(4));
        assert!((600..900).contains(&assigned.drawn_anew), "{}", assigned.drawn_anew);
        assert!(assigned.estimates.iter().all(|&estimate| estimate >= runs[0]));
    }

    #[test]
    fn no_jobs_no_estimates() {
        let assigned = assign(&[], &distribution(HOUR, 0), &mut Pcg64::seed_from_u64(5));
        assert_eq!(assigned, AssignedEstimates { estimates: vec![], drawn_anew: 0, raised_to: None });
    }

    #[test]
    fn every_allowed_pairing_comes_up_and_no_other() {
        let mut seen: Vec<Vec<Seconds>> = (0..200)
            .map(|seed| shuffle(&seconds(&[1, 5, 2]), &seconds(&[3, 5, 9]), &mut Pcg64::seed_from_u64(seed)).unwrap())
            .collect();
        seen.sort();
        seen.dedup();
        let allowed = [[3, 5, 9], [3, 9, 5], [5, 9, 3], [9, 5, 3]];
        assert_eq!(seen, allowed.map(|times| seconds(&times)));
    }

    #[test]
    fn what_cannot_be_dealt_out_is_not() {
        let mut generator = Pcg64::seed_from_u64(6);
        assert_eq!(shuffle(&seconds(&[5, 6]), &seconds(&[5, 5]), &mut generator), None);
        assert_eq!(shuffle(&seconds(&[5, 6]), &seconds(&[9]), &mut generator), None);
    }

    proptest! {
        #[test]
        fn no_estimate_is_below_its_run_time(
            runs in proptest::collection::vec(0..100_000_i64, 0..300),
            maximum in 60..120_000_i64,
            seed: u64,
        ) {
            let runs = seconds(&runs);
            let distribution = distribution(maximum, runs.len());
            let assigned = assign(&runs, &distribution, &mut Pcg64::seed_from_u64(seed));
            prop_assert_eq!(assigned.estimates.len(), runs.len());
            prop_assert!(assigned.estimates.iter().zip(&runs).all(|(estimate, run)| estimate >= run));
            prop_assert_eq!(&assigned, &assign(&runs, &distribution, &mut Pcg64::seed_from_u64(seed)));
        }

        #[test]
        fn what_can_be_dealt_out_is_whatever_the_seed(
            jobs in proptest::collection::vec((0..1_000_i64, 0..1_000_i64), 0..100),
            seed: u64,
        ) {
            let runs: Vec<Seconds> = jobs.iter().map(|&(run, _)| Seconds(run)).collect();
            let mut estimates: Vec<Seconds> = jobs.iter().map(|&(run, more)| Seconds(run + more)).collect();
            let mut dealt = shuffle(&runs, &estimates, &mut Pcg64::seed_from_u64(seed)).unwrap();
            prop_assert!(dealt.iter().zip(&runs).all(|(estimate, run)| estimate >= run));
            dealt.sort();
            estimates.sort();
            prop_assert_eq!(dealt, estimates);
        }
    }
}
