//! Estimates dealt out to jobs that come one by one, in the memory of a few hundred counts.
//!
//! For: giving every job of a log of any length an estimate that is not below its run time, otherwise at random and
//! nobody's twice. The log is gone through twice: first its run times are counted, then its jobs come for their
//! estimates.
//!
//! Not for: users who estimate alike from job to job (`sessions`); jobs are taken to be independent, as in the paper.
//!
//! Requirement: R-E9 (Tsafrir, Etsion and Feitelson, section 11.2).
//!
//! Classes of jobs choose from the longest down. In that order the estimates to choose from only grow, so that every
//! job finds one whenever they can be dealt out at all; in another order a short job may take the last one that a long
//! job needs. A class draws for all its jobs at once, from everything that is long enough and left; which of them gets
//! which of its draws is decided when they come. Jobs of a class being alike, that is the same as one job after the
//! other taking its own.

use rand_pcg::Pcg64;

use crate::Seconds;

use super::stock::EstimateStock;
use super::tally::TimeTally;
use super::urn::Urn;

/// Estimates dealt to classes of jobs, waiting to be fetched.
#[derive(Clone, Debug)]
pub struct Deal {
    stock: EstimateStock,
    /// By class.
    hands: Vec<Hand>,
}

/// What one class was dealt: the places of the estimates, and how many of each are left.
#[derive(Clone, Debug)]
struct Hand {
    places: Vec<u32>,
    left: Urn,
}

impl Deal {
    /// Deals the stock to jobs with these run times; none if there is no way to give each an estimate that is not below
    /// its run time.
    pub fn new(run_times: &TimeTally, stock: EstimateStock, generator: &mut Pcg64) -> Option<Self> {
        let jobs = stock.jobs_by_class(run_times)?;
        let mut long_enough = Urn::empty(stock.times().len());
        let mut drawn = vec![0; stock.times().len()];
        let mut hands = Vec::with_capacity(jobs.len());
        for (class, &jobs) in jobs.iter().enumerate().rev() {
            long_enough.add(class, stock.counts()[class]);
            for _ in 0..jobs {
                drawn[long_enough.draw(generator)?] += 1;
            }
            hands.push(Hand::take(&mut drawn[class..], class));
        }
        hands.reverse();
        Some(Self { stock, hands })
    }

    /// An estimate for a job with this run time; none if more jobs of its class come than were counted.
    pub fn fetch(&mut self, run_time: Seconds, generator: &mut Pcg64) -> Option<Seconds> {
        let Hand { places, left } = self.hands.get_mut(self.stock.class_of(run_time))?;
        let place = places[left.draw(generator)?];
        Some(self.stock.times()[place as usize])
    }

    /// What was dealt out.
    pub fn stock(&self) -> &EstimateStock {
        &self.stock
    }
}

impl Hand {
    /// Takes what was drawn; `drawn` begins at the place `first`.
    fn take(drawn: &mut [u64], first: usize) -> Self {
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        for (place, count) in drawn.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            places.push(u32::try_from(first + place).expect("fewer different estimates than 2^32"));
            counts.push(std::mem::take(count));
        }
        Self { places, left: Urn::of(&counts) }
    }
}
