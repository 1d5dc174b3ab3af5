//! The estimates there are to be dealt out, and how many of each.
//!
//! For: drawing as many as there are jobs, with enough long ones for the long jobs; and finding the shortest that a job
//! can have.
//!
//! Not for: who gets which (`deal`, `sessions`).
//!
//! Requirement: R-E9 (Tsafrir, Etsion and Feitelson, section 11.2). A job can have any estimate that is not below its
//! run time. As there are only some hundred different ones, jobs fall into as many classes by the shortest that they
//! can have, and within a class nothing tells them apart.

use rand_pcg::Pcg64;

use crate::Seconds;

use super::distribution::EstimateDistribution;
use super::tally::TimeTally;

/// Different estimates, the shortest first, and how many there are of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimateStock {
    times: Vec<Seconds>,
    counts: Vec<u64>,
    /// How many had to be drawn on top for jobs that would have found none left that was long enough. Many of them mean
    /// that run times and estimates do not belong together.
    pub drawn_anew: u64,
    /// What the largest estimate was raised to, if a job ran longer.
    pub raised_to: Option<Seconds>,
}

impl EstimateStock {
    /// Exactly these: a log's own.
    pub fn of(estimates: &TimeTally) -> Self {
        let (times, counts) = estimates.iter().unzip();
        Self { times, counts, drawn_anew: 0, raised_to: None }
    }

    /// As many as there are run times, drawn by their shares, and on top of that as many as it takes for every job to
    /// have one; what is on top is drawn from the long enough.
    ///
    /// Where a job runs longer than the largest estimate, the largest is first raised to the longest run time, rounded
    /// up to whole minutes.
    pub fn draw(run_times: &TimeTally, distribution: &EstimateDistribution, generator: &mut Pcg64) -> Self {
        let longest = run_times.longest().unwrap_or(Seconds::ZERO);
        let raised = (longest > distribution.longest()).then(|| distribution.clone().raised_to(longest));
        let distribution = raised.as_ref().unwrap_or(distribution);
        let mut stock = Self {
            times: distribution.shares().iter().map(|share| share.time).collect(),
            counts: vec![0; distribution.shares().len()],
            drawn_anew: 0,
            raised_to: raised.as_ref().map(EstimateDistribution::longest),
        };
        for _ in 0..run_times.total() {
            stock.add(distribution.draw(generator));
        }
        stock.add_what_is_missing(run_times, distribution, generator);
        stock
    }

    fn add(&mut self, estimate: Seconds) {
        let place = self.class_of(estimate);
        self.counts[place] += 1;
    }

    fn add_what_is_missing(
        &mut self,
        run_times: &TimeTally,
        distribution: &EstimateDistribution,
        generator: &mut Pcg64,
    ) {
        let Some(jobs) = self.jobs_by_class(run_times) else { return };
        let (mut jobs_from_here, mut estimates_from_here) = (0, 0);
        for class in (0..self.times.len()).rev() {
            jobs_from_here += jobs[class];
            estimates_from_here += self.counts[class];
            while jobs_from_here > estimates_from_here {
                let Some(estimate) = distribution.draw_at_least(self.times[class], generator) else { break };
                self.add(estimate);
                estimates_from_here += 1;
                self.drawn_anew += 1;
            }
        }
    }

    /// The different estimates, the shortest first.
    pub(super) fn times(&self) -> &[Seconds] {
        &self.times
    }

    /// How many there are of each.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The place of the shortest estimate that is not below the run time; one past the last if all are.
    pub(super) fn class_of(&self, run_time: Seconds) -> usize {
        self.times.partition_point(|&time| time < run_time)
    }

    /// How many jobs are in each class; none if one is longer than every estimate.
    pub(super) fn jobs_by_class(&self, run_times: &TimeTally) -> Option<Vec<u64>> {
        let mut jobs = vec![0; self.times.len()];
        for (run, count) in run_times.iter() {
            *jobs.get_mut(self.class_of(run))? += count;
        }
        Some(jobs)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::EstimateOptions;
    use super::*;

    fn tally(times: &[i64]) -> TimeTally {
        times.iter().copied().map(Seconds).collect()
    }

    #[test]
    fn a_job_is_classed_by_the_shortest_estimate_it_can_have() {
        let stock = EstimateStock::of(&tally(&[60, 300, 300, 900]));
        assert_eq!([1, 60, 61, 300, 900, 901].map(|run| stock.class_of(Seconds(run))), [0, 0, 1, 1, 2, 3]);
        assert_eq!(stock.jobs_by_class(&tally(&[1, 60, 300, 899])), Some(vec![2, 1, 1]));
        assert_eq!(stock.jobs_by_class(&tally(&[901])), None);
    }

    #[test]
    fn a_drawn_stock_has_one_for_every_job_and_more_only_where_long_ones_were_missing() {
        let options = EstimateOptions::new(Seconds(18 * 3600), 1_000);
        let distribution = EstimateDistribution::generate(&options, &mut Pcg64::seed_from_u64(1)).unwrap();
        let short = EstimateStock::draw(&tally(&[1; 1_000]), &distribution, &mut Pcg64::seed_from_u64(2));
        assert_eq!((short.counts().iter().sum::<u64>(), short.drawn_anew), (1_000, 0));
        let long = EstimateStock::draw(&tally(&[18 * 3600; 1_000]), &distribution, &mut Pcg64::seed_from_u64(2));
        assert_eq!(*long.counts().last().unwrap(), 1_000);
        assert!(long.drawn_anew > 600);
    }
}
