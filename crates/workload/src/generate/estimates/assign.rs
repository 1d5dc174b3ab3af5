//! Which job gets which estimate, for jobs that are all at hand.
//!
//! For: giving every job an estimate that is not below its run time, otherwise at random.
//!
//! Not for: more jobs than memory holds (`deal`, which this is made of); users who estimate alike from job to job
//! (`sessions`).
//!
//! Requirement: R-E9 (Tsafrir, Etsion and Feitelson, section 11.2).

use rand_pcg::Pcg64;

use crate::Seconds;

use super::deal::Deal;
use super::distribution::EstimateDistribution;
use super::stock::EstimateStock;
use super::tally::TimeTally;

/// Estimates for jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedEstimates {
    /// By job, in the order of the run times given.
    pub estimates: Vec<Seconds>,
    /// How many jobs found no estimate left that was long enough and had theirs drawn anew, among the long enough.
    /// Many of them mean that run times and estimates do not belong together.
    pub drawn_anew: u64,
    /// What the largest estimate was raised to, if a job ran longer.
    pub raised_to: Option<Seconds>,
}

/// An estimate for each run time, not below it.
///
/// As many estimates as jobs are drawn by their shares; the jobs, from the longest down, take one of the long enough
/// at random, and nobody takes one twice. Where a job runs longer than the largest estimate, the largest is first
/// raised to the longest run time, rounded up to whole minutes.
pub fn assign(run_times: &[Seconds], distribution: &EstimateDistribution, generator: &mut Pcg64) -> AssignedEstimates {
    let tally: TimeTally = run_times.iter().copied().collect();
    let stock = EstimateStock::draw(&tally, distribution, generator);
    let (drawn_anew, raised_to) = (stock.drawn_anew, stock.raised_to);
    let estimates = dealt(run_times, &tally, stock, generator).expect("a drawn stock has an estimate for every job");
    AssignedEstimates { estimates, drawn_anew, raised_to }
}

/// The same estimates dealt out anew among jobs with these run times, none below its run time: a log's own estimates
/// made independent of everything else about the job.
///
/// None if that is impossible: if there are fewer estimates than jobs, or too many of them too short.
pub fn shuffle(run_times: &[Seconds], estimates: &[Seconds], generator: &mut Pcg64) -> Option<Vec<Seconds>> {
    let stock = EstimateStock::of(&estimates.iter().copied().collect());
    dealt(run_times, &run_times.iter().copied().collect(), stock, generator)
}

fn dealt(
    run_times: &[Seconds],
    tally: &TimeTally,
    stock: EstimateStock,
    generator: &mut Pcg64,
) -> Option<Vec<Seconds>> {
    let mut deal = Deal::new(tally, stock, generator)?;
    run_times.iter().map(|&run| deal.fetch(run, generator)).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BTreeMap;

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

    /// How likely every outcome of the paper's procedure is, taken literally: the jobs, from the longest down, one
    /// after the other take any of the long enough, each copy as likely as the other.
    fn literal(run_times: &[i64], estimates: &[i64]) -> BTreeMap<Vec<i64>, f64> {
        fn choose(
            (jobs, run_times): (&[usize], &[i64]),
            left: &[i64],
            (dealt, chance): (&[i64], f64),
            outcomes: &mut BTreeMap<Vec<i64>, f64>,
        ) {
            let Some((&job, others)) = jobs.split_first() else {
                *outcomes.entry(dealt.to_vec()).or_default() += chance;
                return;
            };
            let long_enough = left.iter().filter(|&&estimate| estimate >= run_times[job]).count();
            for (place, &estimate) in left.iter().enumerate().filter(|(_, estimate)| **estimate >= run_times[job]) {
                let (mut left, mut dealt) = (left.to_vec(), dealt.to_vec());
                left.remove(place);
                dealt[job] = estimate;
                choose((others, run_times), &left, (&dealt, chance / long_enough as f64), outcomes);
            }
        }
        let mut jobs: Vec<usize> = (0..run_times.len()).collect();
        jobs.sort_by_key(|&job| Reverse(run_times[job]));
        let mut outcomes = BTreeMap::new();
        choose((&jobs, run_times), estimates, (&vec![0; run_times.len()], 1.0), &mut outcomes);
        outcomes
    }

    #[test]
    fn every_outcome_is_as_likely_as_when_jobs_choose_one_by_one() {
        // Classes of one, two and no jobs, an estimate twice, one to spare, runs that tie and runs that nearly do.
        let (run_times, estimates) = ([7, 1, 3, 4, 1], [2, 4, 4, 8, 9, 3]);
        let literal = literal(&run_times, &estimates);
        assert!((literal.values().sum::<f64>() - 1.0).abs() < 1e-12 && literal.len() > 50);
        let times = 60_000;
        let mut seen: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
        for seed in 0..times {
            let dealt = shuffle(&seconds(&run_times), &seconds(&estimates), &mut Pcg64::seed_from_u64(seed)).unwrap();
            *seen.entry(dealt.into_iter().map(|estimate| estimate.0).collect()).or_default() += 1.0;
        }
        assert!(seen.keys().all(|outcome| literal.contains_key(outcome)));
        let chi_square: f64 = literal
            .iter()
            .map(|(outcome, chance)| {
                let expected = chance * times as f64;
                (seen.get(outcome).unwrap_or(&0.0) - expected).powi(2) / expected
            })
            .sum();
        // Mean and standard deviation of chi square with that many degrees of freedom; four of them are one in 10,000.
        let freedom = literal.len() as f64 - 1.0;
        assert!((chi_square - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "{chi_square} of {freedom}");
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
